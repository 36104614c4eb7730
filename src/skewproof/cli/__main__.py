"""The same as ``skewproof``: ``python -m skewproof.cli``."""

import sys

from skewproof.cli import main

sys.exit(main())

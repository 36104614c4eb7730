"""The command ``python -m skewproof.cli``, which is the same as ``skewproof``."""

import sys

from skewproof.cli import main

sys.exit(main())

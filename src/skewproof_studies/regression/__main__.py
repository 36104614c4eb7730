"""``python -m skewproof_studies.regression``: compare the tables of a run with stored ones."""

import sys

from skewproof_studies.regression.command import main

sys.exit(main())

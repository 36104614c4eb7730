"""The public names, and where they are."""

from .report_page import (
    Report as Report,
    report as report,
)

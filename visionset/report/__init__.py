"""The report of an evening: a match of the store, or a recording, as one page that needs nothing else."""

from visionset.report.evening import Evening, match_evening, recorded_evening
from visionset.report.page import page_policy, report_page

__all__ = ["Evening", "match_evening", "page_policy", "recorded_evening", "report_page"]

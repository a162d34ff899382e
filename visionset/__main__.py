"""Run as ``python -m visionset``."""

import sys

from visionset.cli import main

sys.exit(main())

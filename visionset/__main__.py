"""Run as ``python -m visionset``, or as ``visionset``."""

import signal
import sys


def loaded_and_run() -> int:
    """Run the command line; Ctrl-C while it is loaded ends the process quietly, for nothing has begun."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else who started it wants it passed over
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from visionset import cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(loaded_and_run())

"""``python -m enfilade``."""

import sys

from enfilade.cli.entry_point import main

if __name__ == "__main__":
    sys.exit(main())

"""``python -m enfilade``."""

import sys

from enfilade.cli.running import main

if __name__ == "__main__":
    sys.exit(main())

"""``python -m assay COMMAND``."""

import sys

from assay.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())

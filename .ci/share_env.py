"""Let tox environments with the same dependencies share one folder: python .ci/share_env.py ENV_DIR

tox writes into the folder which environment made it, and any other makes it anew: half a gigabyte each time. Without
that name it compares what remains, Python and dependencies. Where it has written nothing there is nothing to do.
"""

import json
import sys
from pathlib import Path

record = Path(sys.argv[1], ".tox-info.json")
if record.exists():
    known = json.loads(record.read_text())
    known.pop("ToxEnv", None)
    record.write_text(json.dumps(known))

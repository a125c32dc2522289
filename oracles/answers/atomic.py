"""Write files atomically: into a temporary file beside the target, which is then renamed."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any


def write_text(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` atomically, with missing folders; a reader sees the old file or the new one."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path`` atomically, with missing folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    name = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    # Not a file of tempfile's: those nobody else may read, whatever the umask says.
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        name.replace(path)
    except BaseException:
        name.unlink(missing_ok=True)
        raise


def write_json(path: Path, value: Any) -> None:
    """Write ``value`` to ``path`` atomically as JSON, one key per line."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")

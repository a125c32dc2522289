"""Messages between the coordinator and its workers: a line of JSON for each, and one pipe for each direction."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from typing import Any


class Sender:
    """The end of a pipe that messages are written to, by any thread."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._lock = threading.Lock()

    def send(self, message_type: str, **facts: Any) -> None:
        """Write one message; BrokenPipeError where nobody reads any more."""
        rest = memoryview((json.dumps({"type": message_type, **facts}) + "\n").encode())
        with self._lock:
            while rest:
                rest = rest[os.write(self._handle, rest) :]


class Receiver:
    """The end of a pipe that messages are read from; never blocks."""

    def __init__(self, handle: int) -> None:
        os.set_blocking(handle, False)
        self.handle = handle
        self.ended = False
        self._begun = b""

    def messages(self) -> list[Mapping[str, Any]]:
        """The messages that have arrived; half a one is kept for the next call, or dropped with a dead sender."""
        while not self.ended:
            try:
                block = os.read(self.handle, 65_536)
            except BlockingIOError:
                break
            self.ended = not block
            self._begun += block
        *lines, self._begun = self._begun.split(b"\n")
        return [json.loads(line) for line in lines]

    def close(self) -> None:
        """Read no more."""
        os.close(self.handle)

"""Class files, as far as the calls in their methods go."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Kind = Literal["call", "new", "load"]
_WIDE, _TABLE_SWITCH, _LOOKUP_SWITCH, _IINC, _DYNAMIC = 196, 170, 171, 132, 186
_OPERATIONS: Mapping[int, Kind] = {
    178: "load",
    182: "call",
    183: "call",
    184: "call",
    185: "call",
    _DYNAMIC: "call",
    187: "new",
}
_LENGTHS = {
    **dict.fromkeys({*range(202)} - {_TABLE_SWITCH, _LOOKUP_SWITCH, _WIDE}, 1),
    **dict.fromkeys((16, 18, *range(21, 26), *range(54, 59), 169, 188), 2),
    **dict.fromkeys((17, 19, 20, _IINC, *range(153, 169), *range(178, 185), 187, 189, 192, 193, 198, 199), 3),
    **dict.fromkeys((185, _DYNAMIC, 200, 201), 5),
    197: 4,
}
"""Bytes of each instruction, its operands with it, by its first byte."""


@dataclass(frozen=True, slots=True)
class Use:
    """A name in an instruction: a method to call (now, or later as a function), a field to load, a class to make."""

    kind: Kind
    owner: str
    name: str = ""
    descriptor: str = ""


Method = tuple[str, str]
"""A method's name and descriptor."""


@dataclass(frozen=True, slots=True)
class ClassFile:
    """A class by its name in byte code (``a/b/C$``): what it extends, and what each of its methods uses."""

    name: str
    parents: tuple[str, ...] = ()
    methods: Mapping[Method, tuple[Use, ...]] = field(default_factory=dict)


def read_jars(jars: Iterable[Path], package: str) -> dict[str, ClassFile]:
    """The classes below ``package`` (``org/apache/spark/sql/``), by name."""
    classes = {}
    for jar in jars:
        with zipfile.ZipFile(jar) as archive:
            for name in archive.namelist():
                if name.startswith(package) and name.endswith(".class"):
                    read = read_class(archive.read(name))
                    classes[read.name] = read
    return classes


def read_class(data: bytes) -> ClassFile:
    """The class in a class file."""
    return _Reader(data).class_file()


class _Reader:
    """One class file, read from front to back (Java Virtual Machine Specification, chapter 4)."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 8
        self._pool: list[Any] = []
        self._bootstrap: list[tuple[int, ...]] = []
        self._named_before: dict[tuple[int, int], Sequence[Use]] = {}

    def class_file(self) -> ClassFile:
        self._read_pool()
        _, this, parent, count = self._take(">HHHH")
        parents = [parent, *self._take(f">{count}H")]
        self._members()  # the fields
        codes = self._members()
        for name, start, length in self._attributes():
            if name == "BootstrapMethods":
                self._read_bootstrap(start, length)
        methods = {method: tuple(self._uses(*code)) for method, code in codes.items()}
        return ClassFile(self._class(this), tuple(self._class(each) for each in parents if each), methods)

    def _take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return values

    def _read_pool(self) -> None:
        (count,) = self._take(">H")
        self._pool = [None] * count
        index = 1
        while index < count:
            (tag,) = self._take(">B")
            if tag == 1:
                (length,) = self._take(">H")
                self._pool[index] = self._data[self._at : self._at + length].decode("utf-8", "replace")
                self._at += length
            elif tag in (7, 8, 16, 19, 20):
                self._pool[index] = self._take(">H")
            elif tag == 15:
                self._pool[index] = self._take(">BH")
            elif tag in (9, 10, 11, 12, 17, 18):
                self._pool[index] = self._take(">HH")
            else:
                self._at += 8 if tag in (5, 6) else 4
            index += 2 if tag in (5, 6) else 1

    def _class(self, index: int) -> str:
        return str(self._pool[self._pool[index][0]])

    def _member(self, index: int) -> tuple[str, str, str]:
        owner, name_and_type = self._pool[index]
        name, descriptor = self._pool[name_and_type]
        return self._class(owner), self._pool[name], self._pool[descriptor]

    def _attributes(self) -> list[tuple[str, int, int]]:
        """Each attribute's name, where it starts and its length."""
        found = []
        (count,) = self._take(">H")
        for _ in range(count):
            name, length = self._take(">HI")
            found.append((str(self._pool[name]), self._at, length))
            self._at += length
        return found

    def _members(self) -> dict[Method, tuple[int, int]]:
        """Of fields or methods, where the code starts and ends; abstract ones have none."""
        members: dict[Method, tuple[int, int]] = {}
        (count,) = self._take(">H")
        for _ in range(count):
            _, name, descriptor = self._take(">HHH")
            codes = [start for kind, start, _ in self._attributes() if kind == "Code"]
            if codes:
                (length,) = struct.unpack_from(">I", self._data, codes[0] + 4)
                members[self._pool[name], self._pool[descriptor]] = (codes[0] + 8, codes[0] + 8 + length)
        return members

    def _read_bootstrap(self, start: int, length: int) -> None:
        self._at = start
        (count,) = self._take(">H")
        for _ in range(count):
            _, arguments = self._take(">HH")
            self._bootstrap.append(self._take(f">{arguments}H"))
        assert self._at == start + length

    def _uses(self, start: int, end: int) -> Iterator[Use]:
        data, at = self._data, start
        while at < end:
            operation = data[at]
            if operation in _OPERATIONS:
                yield from self._named(operation, (data[at + 1] << 8) + data[at + 2])
            at += _LENGTHS.get(operation) or self._length(operation, at, start)

    def _named(self, operation: int, index: int) -> Sequence[Use]:
        """The names that an instruction's number stands for: the same in all of the class's methods."""
        if (operation, index) not in self._named_before:
            kind = _OPERATIONS[operation]
            if operation == _DYNAMIC:
                uses = [Use(kind, *self._member(handle)) for handle in self._handles(index)]
            else:
                uses = [Use(kind, self._class(index)) if kind == "new" else Use(kind, *self._member(index))]
            self._named_before[operation, index] = uses
        return self._named_before[operation, index]

    def _handles(self, index: int) -> list[int]:
        """The methods that a function is made of."""
        arguments = self._bootstrap[self._pool[index][0]]
        handles = [self._pool[argument] for argument in arguments]
        # A reference to a method has its kind (5 to 9) and its place; a string or a type has a place alone.
        return [
            handle[1] for handle in handles if isinstance(handle, tuple) and len(handle) == 2 and 5 <= handle[0] <= 9
        ]

    def _length(self, operation: int, at: int, start: int) -> int:
        padded = start + ((at - start + 4) // 4) * 4
        if operation == _TABLE_SWITCH:
            low, high = struct.unpack_from(">ii", self._data, padded + 4)
            return int(padded + 12 + 4 * (high - low + 1) - at)
        if operation == _LOOKUP_SWITCH:
            (pairs,) = struct.unpack_from(">i", self._data, padded + 4)
            return int(padded + 8 + 8 * pairs - at)
        assert operation == _WIDE
        return 6 if self._data[at + 1] == _IINC else 4

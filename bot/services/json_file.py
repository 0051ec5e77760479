"""A JSON file that is written piece by piece, for exports of any size."""

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file, packed with gzip or not."""

    data: bytes
    is_packed: bool


class JsonFile:
    """One JSON object, kept compressed in memory. Its methods take long: use `Background`."""

    def __init__(self) -> None:
        self._packed = BytesIO()
        self._file = gzip.GzipFile(fileobj=self._packed, mode="wb", mtime=0)
        self._length = 0
        self._list: str | None = None
        """The member whose list is still open."""
        self._separator = "{\n"

    def add(self, name: str, value: Any) -> None:  # noqa: ANN401  # any JSON value
        """Add a member to the object."""
        self._close_list()
        self._write(f"{self._separator}{json.dumps(name)}: {_text(value)}")
        self._separator = ",\n"

    def extend(self, name: str, values: Iterable[Any]) -> None:
        """Add values to a member that is a list; the list ends when another member is added."""
        if self._list != name:
            self._close_list()
            self._write(f"{self._separator}{json.dumps(name)}: [")
            self._list, self._separator = name, "\n"
        for value in values:
            self._write(f"{self._separator} {_text(value)}")
            self._separator = ",\n"

    def content(self, limit: int) -> Content:
        """The whole file, which ends here: packed if it would be longer than so many bytes."""
        self._close_list()
        self._write("\n}\n")
        self._file.close()
        data = self._packed.getvalue()
        return (
            Content(data, is_packed=True) if self._length > limit else Content(gzip.decompress(data), is_packed=False)
        )

    def _close_list(self) -> None:
        if self._list is not None:
            self._write("\n]")
            self._list, self._separator = None, ",\n"

    def _write(self, text: str) -> None:
        data = text.encode()
        self._file.write(data)
        self._length += len(data)


def _text(value: Any) -> str:  # noqa: ANN401  # any JSON value
    return json.dumps(value, ensure_ascii=False)

"""JSON files written in parts, for exports of any size."""

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any

from bot.table.refusals import ExportTooLarge


class JsonWriter:
    """Writes one JSON object to a stream. Its methods are slow: call them in a thread."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile) -> None:
        self.length = 0
        """Bytes written."""
        self._stream = stream
        self._list: str | None = None
        """The name of the list that is still open."""
        self._separator = "{\n"

    def add(self, name: str, value: Any) -> None:  # noqa: ANN401  # any JSON value
        """Add a member to the object."""
        self._close_list()
        self._write(f"{self._separator}{json.dumps(name)}: {_text(value)}")
        self._separator = ",\n"

    def extend(self, name: str, values: Iterable[Any]) -> None:
        """Add values to a list member. Adding another member ends the list."""
        if self._list != name:
            self._close_list()
            self._write(f"{self._separator}{json.dumps(name)}: [")
            self._list, self._separator = name, "\n"
        for value in values:
            self._write(f"{self._separator} {_text(value)}")
            self._separator = ",\n"

    def end(self) -> None:
        """End the object."""
        self._close_list()
        self._write("\n}\n")

    def _close_list(self) -> None:
        if self._list is not None:
            self._write("\n]")
            self._list, self._separator = None, ",\n"

    def _write(self, text: str) -> None:
        data = text.encode()
        self._stream.write(data)
        self.length += len(data)


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file, perhaps compressed with gzip."""

    data: bytes
    is_packed: bool


class JsonFile(JsonWriter):
    """One JSON object, kept compressed in memory."""

    def __init__(self) -> None:
        self._packed = BytesIO()
        self._file = gzip.GzipFile(fileobj=self._packed, mode="wb", mtime=0)
        super().__init__(self._file)

    def content(self, limit: int) -> Content:
        """Finish the file and return it, compressed only if it's longer than `limit` bytes.

        Raises `ExportTooLarge` if it's longer even then.
        """
        self.end()
        self._file.close()
        data = self._packed.getvalue()
        if len(data) > limit:
            raise ExportTooLarge(limit)
        if self.length > limit:
            return Content(data, is_packed=True)
        return Content(gzip.decompress(data), is_packed=False)


def _text(value: Any) -> str:  # noqa: ANN401  # any JSON value
    return json.dumps(value, ensure_ascii=False)

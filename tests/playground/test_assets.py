"""Recognizing image types."""

import pytest

from playground.world.assets import image_info


@pytest.mark.parametrize(
    ("content", "kind", "size"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x20", "image/png", (64, 32)),
        (b"GIF89a\x40\0\x20\0", "image/gif", (64, 32)),
        (b"\xff\xd8\xff\xe0", "image/jpeg", None),
        (b"RIFF\0\0\0\0WEBP", "image/webp", None),
        (b"\0\0\0\x20ftypavif", "image/avif", None),
    ],
)
def test_images_are_recognized_by_their_first_bytes(content: bytes, kind: str, size: tuple[int, int] | None) -> None:
    info = image_info(content)
    assert info is not None
    assert (info.content_type, info.size) == (kind, size)


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n", b"<svg/>", b"RIFF\0\0\0\0WAVE"])
def test_other_files_are_not_images(content: bytes) -> None:
    assert image_info(content) is None

"""Every kind of photo is read upright or refused in a sentence; nothing crashes, prints or eats the memory."""

import io
import random
import struct
import subprocess
import sys
import textwrap
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pillow_heif
import pytest
from numpy.typing import NDArray
from PIL import Image

from vision.apart import Decoders
from vision.errors import BadImage
from vision.images import Picture, decode

pillow_heif.register_heif_opener()

RED, GREEN, BLUE, GREY = (230, 20, 20), (20, 200, 20), (20, 20, 230), (128, 128, 128)


def quarters(width: int = 96, height: int = 64) -> Image.Image:
    """Red, green; blue, grey: which corner is which tells how a picture lies."""
    image = Image.new("RGB", (width, height))
    for colour, x, y in ((RED, 0, 0), (GREEN, 1, 0), (BLUE, 0, 1), (GREY, 1, 1)):
        image.paste(colour, (x * width // 2, y * height // 2, (x + 1) * width // 2, (y + 1) * height // 2))
    return image


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def corners(picture: Picture) -> list[tuple[int, ...]]:
    """The colours, as RGB, in the middle of each quarter."""
    height, width = picture.pixels.shape[:2]
    places = [(height // 4, width // 4), (height // 4, 3 * width // 4)]
    places += [(3 * height // 4, width // 4), (3 * height // 4, 3 * width // 4)]
    return [tuple(int(v) for v in picture.pixels[y, x, ::-1]) for y, x in places]


def assert_quarters(picture: Picture, slack: int = 12) -> None:
    for got, want in zip(corners(picture), (RED, GREEN, BLUE, GREY), strict=True):
        assert max(abs(a - b) for a, b in zip(got, want, strict=True)) <= slack, (got, want)


def without_adobe_marker(jpeg: bytes) -> bytes:
    at = jpeg.index(b"\xff\xee")
    return jpeg[:at] + jpeg[at + 2 + int.from_bytes(jpeg[at + 2 : at + 4]) :]


def inverted(image: Image.Image) -> Image.Image:
    return Image.fromarray(255 - np.asarray(image), image.mode)


def transparent_quarter() -> Image.Image:
    """Quarters whose last one is see-through, over a colour that must not be seen."""
    image = quarters().convert("RGBA")
    image.paste((255, 0, 255, 0), (48, 32, 96, 64))
    return image


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int, height: int, pixels: bytes, *, depth: int = 8, colour: int = 2, interlaced: int = 0) -> bytes:
    """A PNG of already compressed pixels."""
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def interlaced_png(image: Image.Image) -> bytes:
    array, rows = np.asarray(image), b""
    for x, y, dx, dy in (
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)
    ):  # fmt: skip
        part = array[y::dy, x::dx]
        if part.size:
            rows += b"".join(b"\0" + row.tobytes() for row in part)
    return png(image.width, image.height, zlib.compress(rows), interlaced=1)


def sixteen_bit_png() -> bytes:
    bgr = np.asarray(quarters())[:, :, ::-1].astype(np.uint16) * 257
    return bytes(cv2.imencode(".png", bgr)[1])


def moving_webp() -> bytes:
    return saved(quarters(), "WEBP", save_all=True, append_images=[Image.new("RGB", (96, 64))], lossless=True)


@pytest.fixture(scope="module")
def apart() -> Iterator[Decoders]:
    """The same in a process apart, as the page has photos decoded."""
    decoders = Decoders(1)
    yield decoders
    decoders.close()


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: saved(quarters(), "JPEG"), id="jpeg"),
        pytest.param(lambda: saved(quarters(), "JPEG", progressive=True), id="jpeg progressive"),
        pytest.param(lambda: saved(quarters(), "JPEG", subsampling=0), id="jpeg 4:4:4"),
        pytest.param(lambda: saved(quarters().convert("CMYK"), "JPEG"), id="jpeg cmyk adobe"),
        pytest.param(
            lambda: without_adobe_marker(saved(inverted(quarters().convert("CMYK")), "JPEG")),
            id="jpeg cmyk plain",
        ),
        pytest.param(lambda: saved(quarters(), "JPEG") + b"film" * 999, id="jpeg with a film behind it"),
        pytest.param(lambda: saved(quarters(), "PNG"), id="png"),
        pytest.param(lambda: saved(quarters().quantize(), "PNG"), id="png palette"),
        pytest.param(lambda: saved(quarters().quantize(4), "PNG", bits=2), id="png palette of four"),
        pytest.param(lambda: saved(quarters().convert("RGBA"), "PNG"), id="png alpha"),
        pytest.param(sixteen_bit_png, id="png 16 bit"),
        pytest.param(lambda: interlaced_png(quarters()), id="png interlaced"),
        pytest.param(lambda: interlaced_png(quarters(13, 11)), id="png interlaced, odd sides"),
        pytest.param(lambda: saved(quarters(), "WEBP"), id="webp"),
        pytest.param(lambda: saved(quarters(), "WEBP", lossless=True), id="webp lossless"),
        pytest.param(lambda: saved(quarters().convert("RGBA"), "WEBP"), id="webp alpha"),
        pytest.param(moving_webp, id="webp moving: its first picture"),
        pytest.param(lambda: saved(quarters(), "HEIF"), id="heic"),
        pytest.param(lambda: saved(quarters().convert("RGBA"), "HEIF"), id="heic alpha"),
    ],
)
def test_every_kind_is_read_in_its_colours(make: Callable[[], bytes], apart: Decoders) -> None:
    data = make()
    picture = decode(data)
    assert_quarters(picture, slack=25)
    assert picture.pixels.dtype == np.uint8
    assert picture.pixels.flags.c_contiguous
    assert (picture.height, picture.width, 3) == picture.pixels.shape
    assert picture.scale == 1.0
    np.testing.assert_array_equal(apart.decode(data).pixels, picture.pixels)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(saved(quarters().convert("L"), "JPEG"), id="jpeg"),
        pytest.param(saved(quarters().convert("L"), "PNG"), id="png"),
        pytest.param(saved(quarters().convert("LA"), "PNG"), id="png with alpha"),
        pytest.param(
            bytes(cv2.imencode(".png", np.asarray(quarters().convert("L")).astype(np.uint16) * 257)[1]),
            id="png 16 bit",
        ),
        pytest.param(saved(quarters().convert("L"), "HEIF"), id="heic"),
    ],
)
def test_grey_pictures_are_read(data: bytes, apart: Decoders) -> None:
    want = [np.asarray(quarters().convert("L"))[y, x] for y, x in ((16, 24), (16, 72), (48, 24), (48, 72))]
    for got, level in zip(corners(decode(data)), want, strict=True):
        assert len(set(got)) == 1
        assert abs(got[0] - int(level)) <= 3
    np.testing.assert_array_equal(apart.decode(data).pixels, decode(data).pixels)


def test_black_and_white_png() -> None:
    image = Image.new("1", (21, 9))
    image.paste(1, (10, 0, 21, 9))
    pixels = decode(saved(image, "PNG")).pixels
    assert (pixels == np.asarray(image.convert("RGB"))).all()


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "HEIF"])
def test_what_is_transparent_shows_white(kind: str) -> None:
    seen = corners(decode(saved(transparent_quarter(), kind)))
    assert min(seen[3]) >= 245
    assert seen[0][0] > 200 > seen[0][1]


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(quarters().quantize(), id="palette"),
        pytest.param(quarters().convert("L"), id="grey"),
        pytest.param(quarters(), id="rgb"),
    ],
)
def test_a_transparent_colour_of_a_png_shows_white(image: Image.Image) -> None:
    colour = image.getpixel((90, 60))
    assert min(corners(decode(saved(image, "PNG", transparency=colour)))[3]) == 255


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA"])
@pytest.mark.parametrize("width", [1, 7, 640])
def test_png_filters_and_bands_give_the_very_pixels(mode: str, width: int) -> None:
    """More rows than a band holds, smooth and noisy, so that every filter is used."""
    rng = np.random.default_rng(width)
    height, channels = 3000, len(mode)
    smooth = np.cumsum(rng.integers(-2, 3, (height, width, channels)), axis=0) + 128
    smooth[::5] += rng.integers(-40, 40, (len(smooth[::5]), width, channels))
    array = np.clip(smooth, 0, 255).astype(np.uint8)
    image = Image.fromarray(array if channels > 1 else array[:, :, 0], mode)
    want = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image.convert("RGBA")).convert("RGB")
    got = decode(saved(image, "PNG")).pixels[:, :, ::-1].astype(int)
    assert np.abs(got - np.asarray(want)).max() <= (1 if "A" in mode else 0)


# How each orientation is stored: what has to be done to the upright picture (EXIF 2.3, tag 274).
STORED: dict[int, Callable[[NDArray[np.uint8]], NDArray[np.uint8]]] = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.transpose(1, 0, 2),
    6: lambda a: np.rot90(a, 1),
    7: lambda a: a[::-1, ::-1].transpose(1, 0, 2),
    8: lambda a: np.rot90(a, -1),
}


def exif(orientation: int, order: str = ">", kind: int = 3) -> bytes:
    mark = b"MM\0*" if order == ">" else b"II*\0"
    value = struct.pack(order + {1: "Bxxx", 3: "Hxx", 4: "I"}[kind], orientation)
    return mark + struct.pack(order + "IHHHI", 8, 1, 274, kind, 1) + value + b"\0\0\0\0"


def with_exif(image: Image.Image, kind: str, block: bytes) -> bytes:
    """The picture with a raw EXIF block put in by hand, so that it can be nonsense."""
    data = saved(image, kind)
    if kind == "JPEG":
        body = b"Exif\0\0" + block
        return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]
    if kind == "PNG":
        return data[:33] + chunk(b"eXIf", block) + data[33:]
    return saved(image, kind, exif=block)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "HEIF"])
@pytest.mark.parametrize("orientation", STORED)
def test_all_eight_orientations_come_out_upright(kind: str, orientation: int) -> None:
    upright = quarters(96, 64)
    lying = Image.fromarray(np.ascontiguousarray(STORED[orientation](np.asarray(upright))))
    if kind == "HEIF":
        data = saved(lying, kind, exif=b"Exif\0\0" + exif(orientation))
    else:
        data = with_exif(lying, kind, exif(orientation))
    picture = decode(data)
    assert (picture.width, picture.height) == (96, 64)
    assert picture.pixels.shape == (64, 96, 3)
    assert_quarters(picture, slack=25)


@pytest.mark.parametrize("orientation", STORED)
def test_orientations_of_a_picture_of_several_bands(orientation: int) -> None:
    upright = np.random.default_rng(0).integers(0, 256, (1300, 2100, 3), np.uint8)
    lying = Image.fromarray(np.ascontiguousarray(STORED[orientation](upright)))
    got = decode(with_exif(lying, "PNG", exif(orientation, "<")))
    assert (got.pixels[:, :, ::-1] == upright).all()


@pytest.mark.parametrize(
    "block",
    [
        exif(0),
        exif(9),
        exif(65535),
        exif(2**31, kind=4),
        b"",
        b"MM",
        b"nonsense" * 9,
        exif(6)[:-9],
        b"MM\0*\xff\xff\xff\xff",
        b"MM\0*\0\0\0\x08\xff\xff",
        b"II*\0\x08\0\0\0\xff\xff" + b"\x12\x01" * 20,
    ],
)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_an_orientation_that_makes_no_sense_is_ignored(kind: str, block: bytes) -> None:
    assert_quarters(decode(with_exif(quarters(), kind, block)), slack=25)


@pytest.mark.parametrize(("order", "kind"), [("<", 3), (">", 3), ("<", 4), (">", 4), (">", 1)])
def test_the_orientation_is_found_in_either_byte_order(order: str, kind: int) -> None:
    lying = Image.fromarray(np.ascontiguousarray(STORED[6](np.asarray(quarters()))))
    assert_quarters(decode(with_exif(lying, "JPEG", exif(6, order, kind))), slack=25)


def flat_jpeg(width: int, height: int, **options: Any) -> bytes:
    return saved(Image.new("RGB", (width, height), RED), "JPEG", **options)


@pytest.mark.parametrize(
    ("side", "factor"),
    [((4000, 3000), 1), ((5712, 4284), 1), ((6001, 4801), 2), ((8160, 6120), 2), ((12000, 9000), 4)],
)
def test_a_phones_jpeg_is_read_whole_and_a_huge_one_reduced(side: tuple[int, int], factor: int) -> None:
    picture = decode(flat_jpeg(*side))
    assert (picture.width, picture.height) == side
    assert picture.scale == 1 / factor
    assert picture.pixels.shape == (-(-side[1] // factor), -(-side[0] // factor), 3)


@pytest.mark.parametrize("interlaced", [False, True])
def test_a_reduced_png_shows_the_means_of_its_pixels(interlaced: bool) -> None:
    image = quarters(5203, 5001)
    picture = decode(interlaced_png(image) if interlaced else saved(image, "PNG", compress_level=1))
    assert (picture.width, picture.height, picture.scale) == (5203, 5001, 0.5)
    assert picture.pixels.shape == (2501, 2602, 3)
    assert_quarters(picture, slack=0)
    seam = picture.pixels[100, 2601 // 2 - 2 : 2601 // 2 + 3, ::-1]  # where red meets green, a mixed column
    assert [tuple(int(v) for v in pixel) for pixel in seam] == [RED, RED, (125, 110, 20), GREEN, GREEN]


REFUSED = {
    "empty": (b"", "empty"),
    "text": (b"Dear Bo, here are the dice: 2 2 4 4 4", "no picture"),
    "one byte": (b"\xff", "no picture"),
    "a page": (b"<!doctype html><html></html>", "no picture"),
    "gif": (saved(quarters(), "GIF"), "GIF"),
    "bmp": (saved(quarters(), "BMP"), "BMP"),
    "tiff": (saved(quarters(), "TIFF"), "TIFF"),
    "film": (b"\0\0\0\x18ftypmp42" + bytes(99), "film"),
    "pdf": (b"%PDF-1.7" + bytes(99), "PDF"),
    "jpeg without pixels": (b"\xff\xd8\xff\xd9", "cut off"),
    "jpeg of no height": (
        flat_jpeg(64, 64).replace(struct.pack(">HH", 64, 64), struct.pack(">HH", 0, 64)),
        "damaged",
    ),
    "png without pixels": (b"\x89PNG\r\n\x1a\n" + chunk(b"IEND", b""), "damaged"),
    "png of no width": (png(0, 9, zlib.compress(bytes(9))), "damaged"),
    "png of colour type 5": (png(9, 9, zlib.compress(bytes(252)), colour=5), "damaged"),
    "png of a filter 7": (png(9, 1, zlib.compress(b"\7" + bytes(27))), "damaged"),
    "png of too few rows": (png(9, 9, zlib.compress(bytes(200))), "damaged"),
    "png that is not deflated": (png(9, 9, b"what is this"), "damaged"),
    "webp of nothing": (b"RIFF\x16\0\0\0WEBPVP8 " + bytes(14), "damaged"),
    "heic without a picture": (
        saved(quarters(), "HEIF").replace(b"pitm", b"free").replace(b"hvc1", b"hvcX"),
        "damaged",
    ),
    "webp that moves outside its canvas": (
        moving_webp().replace(b"\x5f\0\0\x3f\0\0", b"\x08\0\0\x08\0\0", 1),
        "damaged",
    ),
    "heic of nothing": (b"\0\0\0\x18ftypheic" + bytes(99), "damaged"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_photo_is_refused_in_a_sentence(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    data, word = REFUSED[name]
    with pytest.raises(BadImage, match=word) as error:
        decode(data)
    assert not error.value.too_large
    assert str(error.value).endswith(".")
    assert capfd.readouterr() == ("", "")


def jpeg_header(width: int, height: int) -> bytes:
    return flat_jpeg(64, 64).replace(struct.pack(">HH", 64, 64), struct.pack(">HH", height, width))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(flat_jpeg(64, 64) + bytes(40 * 2**20), id="over 40 MB"),
        pytest.param(jpeg_header(60_000, 60_000), id="jpeg bomb"),
        pytest.param(png(60_000, 60_000, zlib.compress(bytes(10))), id="png bomb"),
        pytest.param(png(2**31 - 1, 2**31 - 1, zlib.compress(bytes(10))), id="png, the largest header"),
        pytest.param(png(100_000_000, 1, zlib.compress(bytes(10))), id="png, one long row"),
        pytest.param(png(11_000, 11_000, zlib.compress(bytes(10))), id="121 megapixels"),
        pytest.param(b"RIFF\x36\0\0\0WEBPVP8X\x0a" + bytes(7) + b"\xff\xff\0\xff\xff\0" + bytes(32), id="webp bomb"),
        pytest.param(png(10_000, 10_000, zlib.compress(bytes(10)), interlaced=1), id="interlaced, 100 megapixels"),
        pytest.param(
            b"RIFF\x36\0\0\0WEBPVP8X\x0a" + bytes(7) + b"\x3f\x1f\0\x3f\x1f\0" + bytes(32), id="webp, 64 megapixels"
        ),
    ],
)
def test_what_is_too_large_is_refused_before_it_is_decoded(data: bytes) -> None:
    with pytest.raises(BadImage, match="smaller") as error:
        decode(data)
    assert error.value.too_large


def test_a_large_progressive_jpeg_is_refused() -> None:
    """Its coefficients alone would take 324 MB."""
    data = flat_jpeg(64, 64, progressive=True)
    data = data.replace(struct.pack(">HH", 64, 64), struct.pack(">HH", 9_000, 12_000))
    with pytest.raises(BadImage, match="progressive JPEG of 12000 x 9000"):
        decode(data)


def test_a_jpeg_of_thousands_of_scans_is_refused() -> None:
    data = flat_jpeg(64, 64, progressive=True)
    scan = data.index(b"\xff\xda")
    with pytest.raises(BadImage, match="damaged"):
        decode(data[:scan] + data[scan:-2] * 5000 + data[-2:])


def photo() -> Image.Image:
    """Something with texture, as a photo has it."""
    noise = np.random.default_rng(5).integers(0, 60, (120, 160, 3), np.uint8)
    return Image.fromarray(np.asarray(quarters(160, 120)) // 2 + noise)


@pytest.mark.parametrize(
    ("kind", "options"),
    [("JPEG", {}), ("JPEG", {"progressive": True}), ("PNG", {}), ("WEBP", {}), ("HEIF", {})],
)
def test_a_truncated_photo_is_refused_wherever_it_is_cut(
    kind: str, options: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    """Half a photo must never be read as if it were all there: the other half may hold dice."""
    data = saved(photo(), kind, **options)
    for percent in range(100):
        with pytest.raises(BadImage):
            decode(data[: len(data) * percent // 100])
    with pytest.raises(BadImage):
        decode(data[:-1])
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {}),
        ("JPEG", {"progressive": True}),
        ("PNG", {}),
        ("WEBP", {}),
        ("WEBP", {"lossless": True}),
        ("HEIF", {}),
    ],
)
def test_a_damaged_photo_is_read_or_refused_but_nothing_else(
    kind: str, options: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    whole = saved(photo(), kind, **options)
    dice = random.Random(7)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(dice.choice((1, 3, 20))):
            data[dice.randrange(dice.choice((60, 400, len(data))))] = dice.randrange(256)
        try:
            picture = decode(bytes(data))
        except BadImage:
            continue
        assert picture.pixels.shape[2] == 3
    assert capfd.readouterr() == ("", "")


def test_a_damaged_png_is_noticed_by_its_sums() -> None:
    data = bytearray(saved(photo(), "PNG"))
    data[len(data) // 2] ^= 1
    with pytest.raises(BadImage, match="damaged"):
        decode(bytes(data))


def test_a_picture_in_memory() -> None:
    frame = np.zeros((48, 64, 3), np.uint8)
    picture = Picture.of(frame[:, ::-1])
    assert (picture.width, picture.height, picture.scale) == (64, 48, 1.0)
    assert picture.pixels.flags.c_contiguous
    wrong: list[NDArray[Any]] = [frame[:, :, 0], frame.astype(float), frame[:0], np.zeros((4, 4, 4), np.uint8)]
    for array in wrong:
        with pytest.raises(ValueError, match="a frame is"):
            Picture.of(array)


def flat_png(width: int, height: int) -> bytes:
    squeeze, row = zlib.compressobj(1), b"\0" + bytes(RED) * width
    return png(width, height, b"".join(squeeze.compress(row) for _ in range(height)) + squeeze.flush())


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read as Linux counts it")
@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: flat_jpeg(12_000, 9_000), id="jpeg, 108 megapixels"),
        pytest.param(lambda: flat_jpeg(5_700, 4_380), id="jpeg, the largest that is kept whole"),
        pytest.param(lambda: flat_jpeg(8_160, 6_120, progressive=True), id="jpeg progressive, 50 megapixels"),
        pytest.param(lambda: flat_png(12_000, 9_000), id="png, 108 megapixels"),
        pytest.param(lambda: saved(Image.new("RGB", (5_712, 4_284), RED), "WEBP"), id="webp, 24 megapixels"),
        pytest.param(lambda: saved(Image.new("RGB", (5_712, 4_284), RED), "HEIF"), id="heic, 24 megapixels"),
    ],
)
def test_memory_stays_bounded(make: Callable[[], bytes], tmp_path: Path) -> None:
    """Within 320 MB with the libraries loaded: of the 400 MB for reading, 80 are left to the networks."""
    file = tmp_path / "photo"
    file.write_bytes(make())
    program = r"""
        import pathlib, re, sys
        import cv2, onnxruntime
        from vision.images import decode
        picture = decode(pathlib.Path(sys.argv[1]).read_bytes())
        assert picture.pixels.size
        status = pathlib.Path("/proc/self/status").read_text()
        print(int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024)
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 320
    assert done.stderr == ""

"""Things cut out of scenes and laid on other tables."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training import cutouts
from models.training.scenes import Label, Scene

SQUARE = np.array([[60, 80], [120, 80], [120, 140], [60, 140]], np.float32)


def scene(folder: Path, *, in_view: bool = True) -> Scene:
    """A red square on a green table."""
    image = np.full((240, 240, 3), (0, 160, 0), np.uint8)
    cv2.fillConvexPoly(image, SQUARE.astype(np.int32), (0, 0, 255))
    path = folder / "scene.png"
    cv2.imwrite(str(path), image)
    label = Label((60, 80, 120, 140), "die", 1, quad=SQUARE, outline=SQUARE, in_view=in_view)
    return Scene(path, "renders/made", (label,))


def red(image: np.ndarray) -> np.ndarray:
    return (image[..., 2].astype(int) > 150) & (image[..., 1] < 100)


def test_a_thing_that_is_hidden_or_cut_is_not_taken(tmp_path: Path) -> None:
    assert len(cutouts.cutouts([scene(tmp_path)])) == 1
    assert cutouts.cutouts([scene(tmp_path, in_view=False)]) == []


@pytest.mark.parametrize("die", [12.0, 40.0, 110.0])
@pytest.mark.parametrize("turned", [0.0, 30.0, 217.0])
def test_a_thing_is_laid_at_the_size_and_place_that_its_outline_says(tmp_path: Path, die: float, turned: float) -> None:
    (thing,) = cutouts.cutouts([scene(tmp_path)])
    picture, mask, outline = cutouts.placed(thing, die, np.random.default_rng(0), turned)
    sides = np.linalg.norm(np.roll(outline, -1, 0) - outline, axis=1)
    assert sides == pytest.approx([die] * 4, rel=0.02)
    table = np.full((400, 400, 3), (160, 0, 0), np.uint8)
    cutouts.pasted(table, picture, mask, np.array([150, 120]))
    ys, xs = np.nonzero(red(table))
    low, high = (corner + np.array([150, 120]) for corner in (outline.min(0), outline.max(0)))
    assert [xs.min(), ys.min()] == pytest.approx(low.tolist(), abs=2.5)
    assert [xs.max() + 1, ys.max() + 1] == pytest.approx(high.tolist(), abs=2.5)
    assert not ((table[..., 1] > 90) & (table[..., 2] < 60)).any()  # nothing of the old table


def test_patches_over_the_edge_are_cut() -> None:
    image = np.zeros((50, 60, 3), np.uint8)
    patch, mask = np.full((20, 20, 3), 255, np.uint8), np.ones((20, 20), np.float32)
    for corner in ([-10, -10], [55, 45], [-30, 5], [70, 80]):
        cutouts.pasted(image, patch, mask, np.array(corner))
        cutouts.shaded(image, mask, np.array(corner), 0.5, 2.0)
    assert image[:10, :10].min() > 0
    assert image[20:40, 20:50].max() == 0


def test_a_composed_scene_says_what_lies_where(tmp_path: Path) -> None:
    tables = [np.full((cutouts.TEXTURE, cutouts.TEXTURE, 3), (160, 0, 0), np.uint8)]
    composer = cutouts.Composer(cutouts.cutouts([scene(tmp_path)]), tables)
    seen = 0
    for seed in range(12):
        image, labels = composer.scene(256, 40.0, np.random.default_rng(seed))
        again, _ = composer.scene(256, 40.0, np.random.default_rng(seed))
        assert np.array_equal(image, again)
        inside = np.zeros((256, 256), bool)
        for box, _ in labels:
            x0, y0, x1, y1 = (int(v) for v in box)
            inside[max(0, y0 - 2) : y1 + 2, max(0, x0 - 2) : x1 + 2] = True
        assert not (red(image) & ~inside).any()
        for box, kind in labels:
            if kind == "die":
                x, y = (int(v) for v in (box[:2] + box[2:]) / 2)
                seen += bool(red(image)[y, x])
    assert seen >= 20


def test_tables_are_as_large_as_asked_and_differ() -> None:
    tables = cutouts.textures(3, seed=1)
    assert all(table.shape == (cutouts.TEXTURE, cutouts.TEXTURE, 3) for table in tables)
    rng = np.random.default_rng(2)
    laid = [cutouts.laid(tables[0], 128, die, rng) for die in (10.0, 60.0)]
    assert all(piece.shape == (128, 128, 3) for piece in laid)
    assert not np.array_equal(laid[0], laid[1])

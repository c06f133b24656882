"""The network that speed is measured by has the published size, and runs where ours do."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install -e '.[train]' runs these tests")
pytest.importorskip("onnx", reason="onnx is not installed: pip install -e '.[train]' runs these tests")

from models.training import yardstick  # noqa: E402
from models.training.export import exported  # noqa: E402
from vision.network import Network  # noqa: E402


def test_it_is_as_large_as_published_and_its_numbers_are_of_ordinary_size() -> None:
    network = yardstick.yardstick()
    assert yardstick.parameters(network) == pytest.approx(yardstick.PUBLISHED_PARAMETERS, rel=0.02)
    assert yardstick.operations(network, yardstick.noise()) == pytest.approx(yardstick.PUBLISHED_OPERATIONS, rel=0.02)
    (output,) = Network(exported(network, yardstick.noise(), {}))(yardstick.noise().numpy())
    assert output.shape == (1, 84, 8400)  # the cells of 80 x 80, 40 x 40 and 20 x 20
    assert np.isfinite(output).all()
    spread = []
    for part in network.modules():
        if isinstance(part, yardstick.Conv):
            part.register_forward_hook(lambda _, __, out: spread.append(float(out.std())))
    with torch.no_grad():
        network(yardstick.noise())
    assert len(spread) > 80
    assert all(0.1 < one < 10 for one in spread)


def test_operations_are_counted_as_by_hand() -> None:
    plain = yardstick.Conv(3, 8, 3, 2)
    assert yardstick.operations(plain, torch.zeros(1, 3, 10, 10)) == 2 * 8 * 5 * 5 * 3 * 9
    alone = yardstick.Conv(8, 8, 3, groups=8)
    assert yardstick.operations(alone, torch.zeros(1, 8, 4, 4)) == 2 * 8 * 4 * 4 * 9
    attention = yardstick.Attention(128)  # two heads; keys of 32, values of 64
    convolved = 2 * 16 * (128 * 256 + 128 * 9 + 128 * 128)
    assert yardstick.operations(attention, torch.zeros(1, 128, 4, 4)) == convolved + 2 * 2 * 16 * 16 * (32 + 64)

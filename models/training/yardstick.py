"""A network of YOLO11n's shape, to measure speed by.

    python -m models.training.yardstick yolo11n.onnx
    dicescribe bench --beside yolo11n.onnx

The layout is the published one (Ultralytics YOLO11, scale n, 80 classes; blocks C3k2, SPPF and C2PSA): 2.6 million
parameters and 6.5 billion floating-point operations at 640 x 640, a multiplication and an addition counted apart. The
weights are random, so it is good for nothing but its speed. It is no part of what is shipped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import Tensor, nn

from models.training.export import exported

SIDE = 640
CLASSES, BINS = 80, 16  # BINS: of the distance from a cell to each edge of the box
STRIDES = (8, 16, 32)
PUBLISHED_PARAMETERS, PUBLISHED_OPERATIONS = 2.6e6, 6.5e9


class Conv(nn.Sequential):
    """Convolution, batch normalisation and, unless `plain`, SiLU."""

    def __init__(
        self, inputs: int, outputs: int, kernel: int = 1, stride: int = 1, groups: int = 1, *, plain: bool = False
    ) -> None:
        super().__init__(
            nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
            nn.BatchNorm2d(outputs),
            nn.Identity() if plain else nn.SiLU(inplace=True),
        )


class Added(nn.Sequential):
    """Its parts one after the other, beside a short cut."""

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + super().forward(x)
        return out


def bottleneck(width: int, hidden: int) -> Added:
    """Two 3 x 3 convolutions beside a short cut."""
    return Added(Conv(width, hidden, 3), Conv(hidden, width, 3))


class Cross(nn.Module):
    """C3k: half of the channels through two bottlenecks, half past them."""

    def __init__(self, width: int) -> None:
        super().__init__()
        half = width // 2
        self.through = nn.Sequential(Conv(width, half), bottleneck(half, half), bottleneck(half, half))
        self.past = Conv(width, half)
        self.join = Conv(2 * half, width)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.join(torch.cat([self.through(x), self.past(x)], 1))
        return out


class Split(nn.Module):
    """C3k2 and C2PSA: channels in two parts, one of them through a block; all that there is joined.

    C3k2 joins the part before the block too, C2PSA does not.
    """

    def __init__(self, inputs: int, outputs: int, width: int, block: nn.Module, *, keep: bool = True) -> None:
        super().__init__()
        self.keep = keep
        self.open = Conv(inputs, 2 * width)
        self.block = block
        self.join = Conv((3 if keep else 2) * width, outputs)

    def forward(self, x: Tensor) -> Tensor:
        one, other = self.open(x).chunk(2, 1)
        parts = [one, other, self.block(other)] if self.keep else [one, self.block(other)]
        out: Tensor = self.join(torch.cat(parts, 1))
        return out


def c3k2(inputs: int, outputs: int, share: float = 0.5, *, deep: bool = False) -> Split:
    """The block C3k2; `share`: of the outputs, what goes through it; `deep`: through a C3k and not a bottleneck."""
    width = int(outputs * share)
    return Split(inputs, outputs, width, Cross(width) if deep else bottleneck(width, width // 2))


class Pooled(nn.Module):
    """SPPF: the picture beside what three poolings in turn make of it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.open = Conv(width, width // 2)
        self.pool = nn.MaxPool2d(5, 1, 2)
        self.join = Conv(2 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        parts = [self.open(x)]
        for _ in range(3):
            parts.append(self.pool(parts[-1]))
        out: Tensor = self.join(torch.cat(parts, 1))
        return out


class Attention(nn.Module):
    """Self-attention over the cells of a map, and a depthwise convolution that tells where they are."""

    def __init__(self, width: int, heads: int = 2) -> None:
        super().__init__()
        self.heads, self.value = heads, width // heads
        self.key = self.value // 2
        self.ask = Conv(width, width + 2 * heads * self.key, plain=True)
        self.place = Conv(width, width, 3, groups=width, plain=True)
        self.join = Conv(width, width, plain=True)

    def forward(self, x: Tensor) -> Tensor:
        count, width, rows, columns = x.shape
        each = self.ask(x).view(count, self.heads, 2 * self.key + self.value, rows * columns)
        query, key, value = each.split([self.key, self.key, self.value], 2)
        weight = (query.transpose(2, 3) @ key * self.key**-0.5).softmax(-1)
        seen = (value @ weight.transpose(2, 3)).view(count, width, rows, columns)
        out: Tensor = self.join(seen + self.place(value.reshape(count, width, rows, columns)))
        return out


class Head(nn.Module):
    """Detect, on the map of one size: the box as a distribution over distances, and the classes."""

    def __init__(self, inputs: int, box: int, kind: int, stride: int) -> None:
        super().__init__()
        self.stride = stride
        self.box = nn.Sequential(Conv(inputs, box, 3), Conv(box, box, 3), nn.Conv2d(box, 4 * BINS, 1))
        self.kind = nn.Sequential(
            Conv(inputs, inputs, 3, groups=inputs),
            Conv(inputs, kind),
            Conv(kind, kind, 3, groups=kind),
            Conv(kind, kind),
            nn.Conv2d(kind, CLASSES, 1),
        )
        self.register_buffer("bins", torch.arange(BINS, dtype=torch.float32).view(1, 1, BINS, 1))
        middles = torch.arange(SIDE // stride) + 0.5
        y, x = torch.meshgrid(middles, middles, indexing="ij")
        self.register_buffer("cells", torch.stack([x.flatten(), y.flatten()])[None])

    def forward(self, x: Tensor) -> Tensor:
        """N x (4 + CLASSES) x cells: centre, width and height in pixels, and a score for each class."""
        distances = (self.box(x).flatten(2).unflatten(1, (4, BINS)).softmax(2) * self.bins).sum(2)
        near, far = self.cells - distances[:, :2], self.cells + distances[:, 2:]
        box = torch.cat([(near + far) / 2, far - near], 1) * self.stride
        return torch.cat([box, self.kind(x).flatten(2).sigmoid()], 1)


class Yardstick(nn.Module):
    """The whole network: N x 3 x 640 x 640 to N x 84 x 8400."""

    def __init__(self) -> None:
        super().__init__()
        self.to8 = nn.Sequential(
            Conv(3, 16, 3, 2), Conv(16, 32, 3, 2), c3k2(32, 64, 0.25), Conv(64, 64, 3, 2), c3k2(64, 128, 0.25)
        )
        self.to16 = nn.Sequential(Conv(128, 128, 3, 2), c3k2(128, 128, deep=True))
        attention = nn.Sequential(Added(Attention(128)), Added(Conv(128, 256), Conv(256, 128, plain=True)))
        self.to32 = nn.Sequential(
            Conv(128, 256, 3, 2),
            c3k2(256, 256, deep=True),
            Pooled(256),
            Split(256, 256, 128, attention, keep=False),
        )
        self.up = nn.Upsample(scale_factor=2.0, mode="nearest")
        self.up16 = c3k2(256 + 128, 128)
        self.up8 = c3k2(128 + 128, 64)
        self.down8 = Conv(64, 64, 3, 2)
        self.down16 = c3k2(64 + 128, 128)
        self.half16 = Conv(128, 128, 3, 2)
        self.down32 = c3k2(128 + 256, 256, deep=True)
        self.heads = nn.ModuleList(
            Head(width, 64, 80, stride) for width, stride in zip((64, 128, 256), STRIDES, strict=True)
        )

    def forward(self, x: Tensor) -> Tensor:
        at8 = self.to8(x)
        at16 = self.to16(at8)
        at32 = self.to32(at16)
        at16 = self.up16(torch.cat([self.up(at32), at16], 1))
        at8 = self.up8(torch.cat([self.up(at16), at8], 1))
        at16 = self.down16(torch.cat([self.down8(at8), at16], 1))
        at32 = self.down32(torch.cat([self.half16(at16), at32], 1))
        return torch.cat([head(part) for head, part in zip(self.heads, (at8, at16, at32), strict=True)], 2)


def yardstick() -> Yardstick:
    """One with random weights, the same each time.

    Its normalisation is set on noise: with numbers that shrink from layer to layer the last ones would be denormal,
    and slow.
    """
    torch.manual_seed(0)
    network = Yardstick()
    for part in network.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.momentum = None  # the mean over what it has seen
    with torch.no_grad():
        network.train()(noise())
    return network.eval()


def noise() -> Tensor:
    """1 x 3 x SIDE x SIDE, 0 to 1."""
    return torch.rand((1, 3, SIDE, SIDE), generator=torch.Generator().manual_seed(0))


def parameters(network: nn.Module) -> int:
    """How many numbers were to be trained."""
    return sum(parameter.numel() for parameter in network.parameters())


def operations(network: nn.Module, tensor: Tensor) -> int:
    """Multiplications and additions of the convolutions and the attention, for one pass of `tensor`."""
    total = 0

    def convolved(part: nn.Conv2d, _: object, out: Tensor) -> None:
        nonlocal total
        kernel = part.weight[0].numel()  # inputs of its group x height x width
        total += 2 * out.numel() * kernel

    def attended(part: Attention, taken: tuple[Tensor, ...], _: object) -> None:
        nonlocal total
        cells = taken[0].shape[2] * taken[0].shape[3]
        total += 2 * part.heads * cells * cells * (part.key + part.value)

    hooks = [
        part.register_forward_hook(convolved if isinstance(part, nn.Conv2d) else attended)
        for part in network.modules()
        if isinstance(part, nn.Conv2d | Attention)
    ]
    with torch.no_grad():
        network(tensor)
    for hook in hooks:
        hook.remove()
    return total


def main() -> None:
    """Write the network, and say how near it is to the published figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="where to write it")
    args = parser.parse_args()
    network = yardstick()
    count, work = parameters(network), operations(network, noise())
    args.file.write_bytes(exported(network, noise(), {}))
    print(f"{count:,} parameters ({count / PUBLISHED_PARAMETERS:.3f} of the published 2.6 million)")
    print(f"{work / 1e9:.2f} billion operations ({work / PUBLISHED_OPERATIONS:.3f} of the published 6.5 billion)")


if __name__ == "__main__":
    main()

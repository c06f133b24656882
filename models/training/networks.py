"""The two networks. Both take BGR pictures as float32 0-255, N x 3 x H x W, and normalise them themselves."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.training.scenes import COLOURS, VALUES

STRIDE = 4  # input pixels per cell of the locator's maps
CLASSES = (*(str(value) for value in VALUES), "other", "unreadable", "none")


def conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    """Convolution, batch normalisation, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions beside a short cut (He et al. 2016); at first it changes nothing (Goyal et al. 2017)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))
        nn.init.zeros_(self.second[1].weight)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.relu(x + self.second(self.first(x)))
        return out


def normalised(x: Tensor) -> Tensor:
    """Pixels 0-255 to about -2 to 2."""
    return (x - 127.5) / 64.0


class Locator(nn.Module):
    """Where dice and die-like things are: a map of centres and, at each cell, the box.

    Output: N x 5 x H/4 x W/4: logit of "a centre is here"; offset of the centre from the cell's middle (in cells, x
    and y); natural logarithm of width and height in cells. H and W must be multiples of 32.
    """

    def __init__(self) -> None:
        super().__init__()
        self.to2 = conv(3, 16, stride=2)
        self.to4 = conv(16, 24, stride=2)
        self.to8 = nn.Sequential(conv(24, 40, stride=2), Residual(40))
        self.to16 = nn.Sequential(conv(40, 64, stride=2), *(Residual(64) for _ in range(3)))
        self.to32 = nn.Sequential(conv(64, 96, stride=2), *(Residual(96) for _ in range(3)))
        self.from32 = conv(96, 40, 1)
        self.from16 = conv(64, 40, 1)
        self.mix16 = conv(40, 40)
        self.mix8 = conv(40, 40)
        self.shrink = conv(40, 24, 1)
        self.mix4 = conv(24, 24)
        self.head = nn.Conv2d(24, 5, 1)
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[0] = -4.0  # centres are rare

    def forward(self, x: Tensor) -> Tensor:
        at4 = self.to4(self.to2(normalised(x)))
        at8 = self.to8(at4)
        at16 = self.to16(at8)
        at32 = self.to32(at16)
        up = nn.functional.interpolate
        at16 = self.mix16(self.from16(at16) + up(self.from32(at32), scale_factor=2.0, mode="nearest"))
        at8 = self.mix8(at8 + up(at16, scale_factor=2.0, mode="nearest"))
        at4 = self.mix4(at4 + up(self.shrink(at8), scale_factor=2.0, mode="nearest"))
        out: Tensor = self.head(at4)
        return out


class Reader(nn.Module):
    """What a 64 x 64 crop shows.

    `forward` gives two outputs. N x (9 + 11 + 11 + 1): logits of the class (the six values, other, unreadable, none),
    of the body's colour and of the ink's; and the number of pips on the top face, counted apart from the class, a
    second witness of the value. N x 2 x 16 x 16: how far each cell belongs to the top face (0 to 1), and the density
    of pips on it, whose sum is their number. The class is read from features pooled over the top face, so that side
    faces do not count.
    """

    def __init__(self) -> None:
        super().__init__()
        self.to2 = conv(3, 24, stride=2)
        self.to4 = nn.Sequential(conv(24, 36, stride=2), Residual(36))
        self.face_head = nn.Conv2d(36 + 36, 1, 1)
        self.to8 = nn.Sequential(conv(36, 72, stride=2), *(Residual(72) for _ in range(3)))
        self.back = conv(72, 36, 1)
        self.pips = nn.Sequential(conv(36, 24), nn.Conv2d(24, 1, 1))
        # Two convolutions added are one over both inputs; apart, each has whole blocks of channels and runs faster.
        self.wide = nn.Conv2d(72, 128, 3, 1, 1, bias=False)
        self.wide_face = nn.Conv2d(1, 128, 3, 1, 1, bias=False)
        self.wide_norm = nn.Sequential(nn.BatchNorm2d(128), nn.ReLU(inplace=True))
        self.drop = nn.Dropout(0.15)
        self.kind = nn.Linear(256, len(CLASSES))
        self.body = nn.Linear(256 + 72, len(COLOURS))
        self.ink = nn.Linear(256 + 72, len(COLOURS))

    def maps(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What `forward` gives first; the logits of the top face, and the pips' density, N x 1 x 16 x 16 each."""
        at4 = self.to4(self.to2(normalised(x)))
        at8 = self.to8(at4)
        up = nn.functional.interpolate(self.back(at8), scale_factor=2.0, mode="nearest")
        face = self.face_head(torch.cat([at4, up], 1))
        weight4 = torch.sigmoid(face)
        density = nn.functional.softplus(self.pips(at4 + up) - 3) * weight4
        weight8 = nn.functional.avg_pool2d(weight4, 2)
        wide = self.wide_norm(self.wide(at8) + self.wide_face(weight8))
        over = (wide * weight8).mean((2, 3)) / (weight8.mean((2, 3)) + 0.02)
        fine = (at4 * weight4).mean((2, 3)) / (weight4.mean((2, 3)) + 0.02)
        pooled = self.drop(torch.cat([wide.mean((2, 3)), over], 1))
        tints = torch.cat([pooled, fine, at4.mean((2, 3))], 1)
        counted = density.sum((2, 3))
        return torch.cat([self.kind(pooled), self.body(tints), self.ink(tints), counted], 1), face, density

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        out, face, density = self.maps(x)
        return out, torch.cat([torch.sigmoid(face), density], 1)

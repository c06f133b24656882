"""Trained networks to ONNX, checked against what they were exported from."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.network import Network

TOLERANCE = 2e-3  # of a logit; float32 sums in another order differ by less


def exported(network: nn.Module, example: torch.Tensor, free: dict[int, str]) -> bytes:
    """The network as ONNX. `free` names the axes whose length may vary, those of its input and of each output."""
    network = network.eval().to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
    file = io.BytesIO()
    with torch.no_grad():
        names = [f"output{i}" for i in range(len(outputs(network, example)))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the newer exporter wants onnxscript and gains us nothing
        torch.onnx.export(
            network,
            (example,),
            file,
            input_names=["picture"],
            output_names=names,
            dynamic_axes=dict.fromkeys(["picture", *names], free),
            opset_version=17,
            dynamo=False,
        )
    return file.getvalue()


def outputs(network: nn.Module, example: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """All that the network gives; one tensor is a tuple of one."""
    given = network(example)
    return given if isinstance(given, tuple) else (given,)


def difference(network: nn.Module, weights: bytes, examples: list[torch.Tensor]) -> float:
    """The largest difference between what the network and its export give, over examples of several shapes."""
    run = Network(weights)
    worst = 0.0
    with torch.no_grad():
        for example in examples:
            for ours, theirs in zip(outputs(network, example), run(example.numpy()), strict=True):
                worst = max(worst, float(np.abs(ours.numpy() - theirs).max()))
    return worst


def export_checked(network: nn.Module, examples: list[torch.Tensor], free: dict[int, str], to: Path) -> float:
    """Write the network to a file and return how far the export is off. Raises ValueError beyond TOLERANCE."""
    weights = exported(network, examples[0], free)
    off = difference(network, weights, examples)
    if off > TOLERANCE:
        raise ValueError(f"the export differs from the network by {off}")
    to.write_bytes(weights)
    return off

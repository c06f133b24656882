"""Running a network: the sole use of onnxruntime."""

from __future__ import annotations

import numpy as np
import onnxruntime
from numpy.typing import NDArray


class Network:
    """An ONNX network with one input, on the CPU.

    Raises onnxruntime's own error when the bytes are no network: a broken network must never look like "no dice".
    """

    def __init__(self, weights: bytes, threads: int | None = None) -> None:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads or 0
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def __call__(self, tensor: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """The network's outputs, in its order."""
        return [np.asarray(output, np.float32) for output in self._session.run(None, {self._input: tensor})]

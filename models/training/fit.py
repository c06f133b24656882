"""The training loop that both networks share: AdamW, a cosine schedule, averaged weights, checkpoints that resume."""

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

log = logging.getLogger(__name__)
Batch = list[Tensor]
Loss = Callable[[nn.Module, Batch], tuple[Tensor, dict[str, float]]]
Network = TypeVar("Network", bound=nn.Module)


def quiet_worker(index: int) -> None:
    """Keep a loader's process to one thread: the training itself wants the cores."""
    import cv2

    cv2.setNumThreads(0)
    torch.set_num_threads(1)


def sample_rng(seed: int, index: int) -> np.random.Generator:
    """The randomness of one training sample: the same for the same seed and place in the run."""
    return np.random.default_rng((seed, index))


def averaged(average: nn.Module, network: nn.Module, decay: float) -> None:
    """Move the average's weights towards the network's, in place."""
    with torch.no_grad():
        ours, theirs = average.state_dict(), network.state_dict()
        for name, value in theirs.items():
            if value.is_floating_point():
                ours[name].lerp_(value, 1 - decay)
            else:
                ours[name].copy_(value)


def fit(
    network: Network,
    samples: Dataset[Any],
    loss: Loss,
    checkpoint: Path,
    *,
    batch: int,
    peak_rate: float,
    workers: int = 1,
    start_from: Path | None = None,
) -> Network:
    """Train on `samples` in their order, once, and return the averaged network; its state is kept at `checkpoint`.

    A checkpoint that is already there is resumed at the step where it stopped. `start_from`: another run's checkpoint
    whose averaged weights this one begins with, as far as it had them.
    """
    network = network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    average = copy.deepcopy(network)
    steps = len(samples) // batch  # type: ignore[arg-type]
    optimiser = torch.optim.AdamW(network.parameters(), lr=peak_rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, peak_rate, total_steps=steps + 1, pct_start=0.08, div_factor=10, final_div_factor=100
    )
    step = 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(state["network"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        step = int(state["step"])
    elif start_from is not None:
        begun = torch.load(start_from, weights_only=True)["average"]
        new = network.load_state_dict(begun, strict=False).missing_keys
        average.load_state_dict(network.state_dict())
        log.info("begun with %s; new in this one: %s", start_from.name, ", ".join(new) or "nothing")

    rest = torch.utils.data.Subset(samples, range(step * batch, steps * batch))
    loader = DataLoader(rest, batch_size=batch, num_workers=workers, worker_init_fn=quiet_worker)
    began = time.monotonic()
    seen: dict[str, float] = {}
    network.train()
    for parts in loader:
        value, figures = loss(network, parts)
        optimiser.zero_grad(set_to_none=True)
        value.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        step += 1
        averaged(average, network, min(0.998, step / (step + 20)))
        for name, figure in figures.items():
            seen[name] = figure if name not in seen else 0.98 * seen[name] + 0.02 * figure
        if step % 50 == 0 or step == steps:
            told = "  ".join(f"{name} {figure:.4f}" for name, figure in seen.items())
            log.info("step %d of %d  %.0f s  %s", step, steps, time.monotonic() - began, told)
        if step % 250 == 0 or step == steps:
            state = {
                "network": network.state_dict(),
                "average": average.state_dict(),
                "optimiser": optimiser.state_dict(),
                "schedule": schedule.state_dict(),
                "step": step,
            }
            torch.save(state, checkpoint.with_suffix(".part"))
            checkpoint.with_suffix(".part").replace(checkpoint)
    return average.eval()


def trained(network: Network, checkpoint: Path) -> Network:
    """The averaged network of a checkpoint, ready to run."""
    network.load_state_dict(torch.load(checkpoint, weights_only=True)["average"])
    return network.eval()

"""Two EM routings of a pair of pictures (Heinsen 2019): detected capsules to parts, and parts to classes."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from jaxtyping import Float, Int, UInt8
from numpy import ndarray
from torch import Tensor

from core.analysis.places import taken_from
from core.checkpoint import Checkpoint
from core.edits import COUPLING_EDITS, DropInput, Edit, ShiftPose
from core.inputs.readers import ImageReader
from core.inputs.text import Word
from core.models.em_smallnorb import FIELD, FIRST, STEP, STRIDES, EMSmallNORB, EMSmallNORBConfig, grid
from core.networks.arrays import to_array
from core.networks.base import Differentiable, Inputs, Network, Reruns, Step, UnitRun
from core.networks.cost import SIDE, Cost, iterations
from core.networks.em import cost_of_routings, reruns_of, spread_drops, two_routings, without_parts
from core.networks.probe import Probe, batched
from core.networks.reading import run_fields
from core.traces.em import MAX_SIDE, EMPictureTrace

POSE = 4  # rows and columns of a pose that pages can draw


class EMPictureNetwork(Network[EMSmallNORB, ImageReader, EMPictureTrace], record=EMPictureTrace):
    model, config, reader = EMSmallNORB, EMSmallNORBConfig, ImageReader
    edits = (DropInput, *COUPLING_EDITS, ShiftPose)
    n_routings = 2
    shared_inputs = (0, 1)  # places, and parts
    runs_by_part = False  # a picture cannot be cut like a text

    def trace(
        self,
        checkpoint: Checkpoint[EMSmallNORB, ImageReader],
        images: ndarray,
        n_iters: int | None = None,
        edits: Sequence[Edit] = (),
    ) -> EMPictureTrace:
        if images.ndim != 3 or max(images.shape) > MAX_SIDE:
            limits = f"y and x up to {MAX_SIDE}"
            raise ValueError(f"images has shape {list(images.shape)}, wanted one pair [2, y, x], {limits}")
        rows, columns = grid(*images.shape[1:])
        n_detected = checkpoint.model.config.n_detected
        changes = spread_drops(edits, np.repeat(np.arange(rows * columns), n_detected))
        steps = list(checkpoint.model.steps(**checkpoint.inputs(images[None]), n_iters=n_iters, edits=changes))
        (routed,) = two_routings(checkpoint, steps, [rows * columns * n_detected])
        return EMPictureTrace(
            **run_fields(checkpoint),
            **routed,
            tokens=[],
            spans=[],
            grid=[rows, columns],
            centres={"first": FIRST, "step": STEP, "field": FIELD},
        )

    def words(self, checkpoint: Checkpoint[EMSmallNORB, ImageReader], text: str) -> list[list[Word]]:
        return []

    def reruns(
        self,
        checkpoint: Checkpoint[EMSmallNORB, ImageReader],
        images: ndarray,
        edits: Sequence[Edit],
    ) -> Reruns:
        """Both routings of the capsules detected in a pair of pictures."""
        scores, capsules = checkpoint.model.capsules(**checkpoint.inputs(images[None]))
        places = np.arange(scores.shape[1] // checkpoint.model.config.n_detected)
        return reruns_of(checkpoint.model, scores, capsules, places, shows_credit=False)

    def is_routed(self, model: EMSmallNORB) -> bool:
        return True

    def steps(self, model: EMSmallNORB, inputs: Inputs, n_iters: int, edits: Sequence[Edit]) -> Iterator[Step]:
        for step in model.steps(**inputs, n_iters=n_iters, edits=edits):
            first = step.to_parts
            real = torch.ones_like(first.gate, dtype=torch.bool)
            yield Step(step.to_classes.scores, first.coupling, real, first.activation, first.means.flatten(2))

    def check_for_pages(self, config: EMSmallNORBConfig) -> None:
        if config.d_pose != POSE:
            raise ValueError(f"its poses are {config.d_pose} x {config.d_pose}, wanted {POSE} x {POSE}")
        super().check_for_pages(config)

    def cost(self, c: EMSmallNORBConfig) -> Cost:
        t, side, pixels = iterations(c), SIDE, 0
        for stride in STRIDES:
            side //= stride
            pixels += side**2
        places = (SIDE // STEP) ** 2
        routed = cost_of_routings(t, places * c.n_detected, c.n_parts, c.n_classes, c.d_pose, c.d_pose**2)
        convolved = 9 * pixels * c.n_channels**2 + places * c.n_channels * c.n_detected * (1 + c.d_pose**2)
        numbers = routed.numbers + SIDE**2 * c.n_channels
        return Cost(routed.products + convolved, numbers, t * places * max(c.n_classes, 1))

    @torch.inference_mode()
    def unit_runs(
        self, checkpoint: Checkpoint[EMSmallNORB, ImageReader], pairs: Sequence[UInt8[ndarray, "2 y x"]]
    ) -> list[UnitRun]:
        """The parts. They take from a place the D_use of its capsules.

        Their activation is the score a. It orders pairs as f(a) does, which can be rounded to 1 in all of them.
        """
        return [self._unit_run(checkpoint, pair) for pair in pairs]

    def _unit_run(self, checkpoint: Checkpoint[EMSmallNORB, ImageReader], images: UInt8[ndarray, "2 y x"]) -> UnitRun:
        trace = self.trace(checkpoint, images)
        first = trace.inputs_to_parts
        taken = taken_from(first.gate[-1:], first.coupling[-1:], trace.grid)[0].reshape(-1, first.activation.shape[1]).T
        model = checkpoint.model
        scores, means, _ = model.to_parts(*model.capsules(**checkpoint.inputs(images[None])))
        without = to_array(without_parts(model, scores, means)[0])
        last = to_array(scores[0]), trace.class_probabilities
        return UnitRun(np.empty((0, 2), int), taken, *last, without, first.capsules[-1])

    def probe(self, checkpoint: Checkpoint[EMSmallNORB, ImageReader], pair: UInt8[ndarray, "2 y x"]) -> Probe:
        """Rank places by the credit of their capsules through both routings.

        If a place is masked, its capsules are ignored. If it is removed, the pixels nearest to its centre get the mean
        grey of their picture.
        """
        model = checkpoint.model
        images = checkpoint.inputs(pair[None])["images"]
        scores, capsules = model.capsules(images)
        rows, columns = grid(*pair.shape[1:])
        nearest = torch.from_numpy(nearest_place(pair.shape[1:], (rows, columns))).to(images.device)
        grey = images.mean((2, 3), keepdim=True)

        def masked(mask: Tensor) -> Tensor:
            input_mask = mask.repeat_interleave(model.config.n_detected, 1)
            left = scores.masked_fill(~input_mask, -torch.inf)
            *_, last = model.route(left, capsules.expand(len(mask), -1, -1, -1))
            return last.to_classes.scores.softmax(-1)

        def removed(mask: Tensor) -> Tensor:
            return model(torch.where(mask[:, nearest][:, None], images, grey)).softmax(-1)

        trace = self.trace(checkpoint, pair).by_place()
        p = trace.class_probabilities
        names = [f"row {row}, column {column}" for row in range(1, rows + 1) for column in range(1, columns + 1)]
        rankings = {"credit": trace.credit_by_place[-1, :, :, p.argmax()].ravel()}
        return Probe(names, p, rankings, batched(checkpoint, masked), batched(checkpoint, removed))

    def differentiable(
        self, checkpoint: Checkpoint[EMSmallNORB, ImageReader], pair: UInt8[ndarray, "2 y x"]
    ) -> Differentiable:
        """The scores as a function of the pixels minus their picture's mean grey, summed by place."""
        images = checkpoint.inputs(pair[None])["images"].clone()
        grey = images.mean((2, 3), keepdim=True)
        size = grid(*pair.shape[1:])
        nearest = nearest_place(pair.shape[1:], size)

        def by_place(attributed: Float[ndarray, "2 y x"]) -> Float[ndarray, " n"]:
            return np.bincount(nearest.ravel(), attributed.sum(0).ravel(), minlength=size[0] * size[1])

        return Differentiable(images - grey, lambda differences: checkpoint.model(differences + grey), by_place)


def nearest_place(pixels: tuple[int, ...], size: tuple[int, int]) -> Int[ndarray, "y x"]:
    """The place with the nearest centre for each pixel, numbered row by row.

    Args:
        pixels: sides y and x of a picture.
        size: numbers of rows and columns of places.
    """
    row, column = (
        np.clip((np.arange(n) - FIRST + STEP // 2) // STEP, 0, count - 1) for n, count in zip(pixels, size, strict=True)
    )
    return row[:, None] * size[1] + column

"""Throws by rigid bodies. The only file that knows pybullet. Centimetres, seconds, radians."""

from collections.abc import Sequence

import numpy as np
import pybullet  # type: ignore[import-not-found]

from models.training.render.clips.flight import Flight, Pose
from models.training.render.shapes import Floats, Rng

RATE = 480
KEPT_RATE = 240
LONGEST = 2.6


class Thrower:
    """Throws dice on a table with things on it."""

    def __init__(self) -> None:
        self._world = pybullet.connect(pybullet.DIRECT)

    def throw(
        self,
        rng: Rng,
        sizes: Sequence[float],
        lying: Sequence[tuple[float, Pose]],
        things: Sequence[Floats],
        start: Floats,
        speed: Floats,
    ) -> Flight | None:
        """Throw dice of these edges from `start` (3,) with `speed` (3,); None where they are not at rest in time.

        `lying`: edge and pose of the dice that lie already; `things`: points (n, 3) of what else stands on the table.
        """
        pybullet.resetSimulation()
        pybullet.setGravity(0, 0, -981)
        pybullet.setPhysicsEngineParameter(fixedTimeStep=1 / RATE, numSolverIterations=30)
        self._fixed(pybullet.createCollisionShape(pybullet.GEOM_PLANE), [0, 0, 0], [0, 0, 0, 1])
        for size, pose in lying:
            shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[size / 2] * 3)
            self._fixed(shape, pose.at.tolist(), _quaternion(pose.rotation))
        for points in things:
            corners = points[np.unique(np.round(points, 2), axis=0, return_index=True)[1]]
            shape = pybullet.createCollisionShape(
                pybullet.GEOM_MESH, vertices=corners[:: len(corners) // 200 + 1].tolist()
            )
            self._fixed(shape, [0, 0, 0], [0, 0, 0, 1])
        dice = [self._die(rng, size, k, start, speed) for k, size in enumerate(sizes)]
        poses = [self._poses(dice)]
        for step in range(int(LONGEST * RATE)):
            pybullet.stepSimulation()
            if step % (RATE // KEPT_RATE) == 1:
                poses.append(self._poses(dice))
                if step % 40 == 39 and step > RATE // 3 and all(map(_still, dice)):
                    return Flight.ending(
                        1 / KEPT_RATE, np.array([p[0] for p in poses]), np.array([p[1] for p in poses])
                    )
        return None

    @staticmethod
    def _fixed(shape: int, at: list[float], turned: list[float]) -> None:
        body = pybullet.createMultiBody(0, shape, basePosition=at, baseOrientation=turned)
        pybullet.changeDynamics(body, -1, lateralFriction=0.5, restitution=0.35, collisionMargin=0.01)

    @staticmethod
    def _die(rng: Rng, size: float, number: int, start: Floats, speed: Floats) -> int:
        shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[size / 2] * 3)
        turned = rng.normal(size=4)
        turned /= np.linalg.norm(turned)
        place = start + np.append(rng.normal(0, 0.8 * size, 2), (number + rng.uniform(0, 0.4)) * 1.1 * size)
        body = pybullet.createMultiBody(0.005, shape, basePosition=place.tolist(), baseOrientation=turned.tolist())
        pybullet.changeDynamics(
            body, -1, lateralFriction=float(rng.uniform(0.3, 0.6)), restitution=0.35, linearDamping=0,
            angularDamping=0.02, collisionMargin=0.01,
        )  # fmt: skip
        own = speed * rng.uniform(0.8, 1.15) + rng.normal(0, 6, 3)
        pybullet.resetBaseVelocity(body, own.tolist(), rng.normal(0, 16, 3).tolist())
        return int(body)

    @staticmethod
    def _poses(dice: list[int]) -> tuple[Floats, Floats]:
        found = [pybullet.getBasePositionAndOrientation(body) for body in dice]
        turns = [np.array(pybullet.getMatrixFromQuaternion(turned)).reshape(3, 3) for _, turned in found]
        return np.array([at for at, _ in found]), np.array(turns)


def _still(body: int) -> bool:
    along, turning = pybullet.getBaseVelocity(body)
    return bool(np.linalg.norm(along) < 0.3 and np.linalg.norm(turning) < 0.2)


def _quaternion(rotation: Floats) -> list[float]:
    """x, y, z, w."""
    w = np.sqrt(max(0.0, 1 + np.trace(rotation))) / 2
    if w > 1e-3:
        x, y, z = (rotation[i, j] - rotation[j, i] for i, j in ((2, 1), (0, 2), (1, 0)))
        return [x / (4 * w), y / (4 * w), z / (4 * w), w]
    values, vectors = np.linalg.eigh(rotation + rotation.T)
    return [*vectors[:, values.argmax()].tolist(), 0.0]

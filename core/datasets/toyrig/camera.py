"""The rig: two cameras look down at a toy on a turntable, which four soft lamps light in six combinations."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, UInt8
from numpy import ndarray
from scipy.ndimage import gaussian_filter, uniform_filter

from core.datasets.toyrig.mesh import Mesh
from core.datasets.toyrig.scene import PLAIN, Scene
from core.datasets.toyrig.tracer import make_tracer

SIZE = 96  # pixels per side
SAMPLES = 3  # rays per side of a pixel
DISTANCE = 6.0  # distance of the cameras, in units of a toy's size
MAX_SIDE = 78.0  # pixels, for the longer side of the toy
LAMPS = np.array([[-2.0, 1.6, 3.4], [-1.8, -2.0, 3.2], [1.3, 2.3, 3.4], [1.1, -2.4, 3.0]], np.float32)
LAMP_RADIUS = 0.75
SETUPS = np.array(  # share of each lamp in each lighting
    [
        [0.25, 0.25, 0.25, 0.25],
        [0.6, 0, 0.4, 0],
        [0, 0.6, 0.4, 0],
        [0.5, 0.5, 0, 0],
        [0, 0, 0.5, 0.5],
        [0, 0.5, 0, 0.5],
    ],
    np.float32,
)
SHINE = 24  # exponent of the lamps' reflections; a higher one makes them smaller
BLUR = 0.8  # radius of the camera's sharpening, in pixels
REACH, TEXELS = 2.6, 144  # half the side of the map of light on the ground, and its cells per side
GROUND_RAYS = 12  # rays from each cell of the ground to each lamp, and to the sky
REFLECTED = 0.55  # share of light that the ground reflects


@dataclass(frozen=True)
class Camera:
    """One camera.

    Args:
        place: position of the camera.
        rays: direction of the ray through each sample in the picture.
        near: whether each ray may hit the toy, because it is within the rectangle around the toy.
    """

    place: Float[ndarray, " 3"]
    rays: Float[ndarray, "y x 3"]
    near: Bool[ndarray, "y x"]


class Stage:
    """A toy turned to an azimuth (degrees), with a map of the light on the ground around it."""

    def __init__(self, mesh: Mesh, azimuth: float, scene: Scene = PLAIN):
        c, s = np.cos(np.radians(azimuth)), np.sin(np.radians(azimuth))
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        self.points = (mesh.points @ turn).astype(np.float32)
        self.normals = (mesh.normals @ turn).astype(np.float32)
        self.scene = scene
        self.tracer = make_tracer(self.points, mesh.faces)
        self.ground = self._ground()

    def _ground(self) -> Float[ndarray, "5 texel texel"]:
        """The share of each lamp, and of the sky, that each cell of the ground sees past the toy."""
        middles = ((np.arange(TEXELS) + 0.5) / TEXELS * 2 - 1) * REACH
        x, y = (a.ravel() for a in np.meshgrid(middles, middles))
        near = np.flatnonzero(np.hypot(x, y) < REACH)
        places = np.stack([x, y, np.full_like(x, 1e-3)], 1).astype(np.float32)[near]
        # The four cells of each square use different points of a lamp, and the mean over squares smooths them.
        pattern = (near % TEXELS) % 2 + (near // TEXELS) % 2 * 2
        visible = np.ones((5, TEXELS * TEXELS), np.float32)
        for k in range(5):
            total = np.zeros(len(near), np.float32)
            for ray in range(GROUND_RAYS):
                point = pattern + 4 * ray
                towards = LAMPS[k] + _BULB[k][point] - places if k < 4 else _DOME[point]
                total += self.tracer.free(places, _unit(towards))
            visible[k, near] = total / GROUND_RAYS
        return uniform_filter(visible.reshape(5, TEXELS, TEXELS), (0, 2, 2), mode="nearest")

    def photograph(self, elevation: float, seed: list[int]) -> UInt8[ndarray, "light 2 y x"]:
        """Render the pictures of both eyes in every light.

        Args:
            elevation: elevation in degrees.
            seed: seed of the camera's noise.
        """
        raw = np.stack([self._expose(camera) for camera in self._cameras(elevation)], 1)
        return develop(raw, seed, self.scene)

    def _cameras(self, elevation: float) -> list[Camera]:
        """Both cameras on one arm, left first, rolled by ``tilt``. Each has the toy in the middle of its picture."""
        e = np.radians(elevation)
        target = np.array([0, 0, self.points[:, 2].max() * 0.45])
        arm_up = np.array([np.sin(e), 0, np.cos(e)])
        c, s = np.cos(np.radians(self.scene.tilt)), np.sin(np.radians(self.scene.tilt))
        cameras, zoom = [], 0.0
        for side in (1, -1):
            place = DISTANCE * np.array([-np.cos(e), side * self.scene.baseline / 2, np.sin(e)])
            ahead = _unit(target - place)
            right = _unit(np.cross(ahead, arm_up))
            up = np.cross(right, ahead)
            right, up = c * right + s * up, c * up - s * right
            x, y = (((self.points - place) @ axis) / ((self.points - place) @ ahead) for axis in (right, up))
            wide, high = np.ptp(x), np.ptp(y)
            # The right eye has the zoom of the left one.
            zoom = zoom or min(self.scene.fill / ((wide + high) / 2), MAX_SIDE / max(wide, high))
            grid = ((np.arange(SIZE * SAMPLES) + 0.5) / SAMPLES - SIZE / 2) / zoom
            across, upward = np.meshgrid(grid + (x.min() + x.max()) / 2, (y.min() + y.max()) / 2 - grid)
            rays = _unit(across[..., None] * right + upward[..., None] * up + ahead).astype(np.float32)
            near = (across >= x.min()) & (across <= x.max()) & (upward >= y.min()) & (upward <= y.max())
            cameras.append(Camera(place.astype(np.float32), rays, near))
        return cameras

    def _expose(self, camera: Camera) -> Float[ndarray, "light y x"]:
        """The light that reaches each pixel, in every lighting."""
        rays = camera.rays.reshape(-1, 3)
        near = np.flatnonzero(camera.near)
        hits = self.tracer.hits(np.broadcast_to(camera.place, (len(near), 3)), rays[near])
        is_hit = hits.faces >= 0
        on_toy = near[is_hit]
        on_ground = np.ones(len(rays), bool)
        on_ground[on_toy] = False
        light = np.empty((len(SETUPS), len(rays)), np.float32)
        light[:, on_ground] = self._light_on_ground(camera.place, rays[on_ground])
        light[:, on_toy] = self._light_on_toy(camera.place, rays[on_toy], on_toy, *(h[is_hit] for h in hits))
        return light.reshape(-1, SIZE, SAMPLES, SIZE, SAMPLES).mean((2, 4))

    def _light_on_ground(self, place: ndarray, rays: ndarray) -> Float[ndarray, "light ray"]:
        """The light that the ground sends along each ray to the camera."""
        distance = -place[2] / rays[:, 2]
        visible = self._ground_at(place[0] + rays[:, 0] * distance, place[1] + rays[:, 1] * distance)
        scene = self.scene
        return (
            scene.ground * (scene.direct * SETUPS @ visible[:4] + scene.sky * visible[4]) / (scene.direct + scene.sky)
        )

    def _ground_at(self, x: ndarray, y: ndarray) -> Float[ndarray, "5 place"]:
        """The map of ``_ground``, interpolated linearly between cells."""
        column = np.clip((x / REACH + 1) / 2 * TEXELS - 0.5, 0, TEXELS - 1.001)
        row = np.clip((y / REACH + 1) / 2 * TEXELS - 0.5, 0, TEXELS - 1.001)
        i, j = column.astype(int), row.astype(int)
        a, b = (column - i).astype(np.float32), (row - j).astype(np.float32)
        g = self.ground
        upper = g[:, j, i] * (1 - a) + g[:, j, i + 1] * a
        return upper * (1 - b) + (g[:, j + 1, i] * (1 - a) + g[:, j + 1, i + 1] * a) * b

    def _light_on_toy(self, place, rays, sample, faces, u, v, distance) -> Float[ndarray, "light ray"]:
        """The light that the toy sends along each ray to the camera; ``sample`` numbers the rays of a picture."""
        scene, corners = self.scene, self.normals[faces]
        normal = _unit(corners[:, 0] * (1 - u - v)[:, None] + corners[:, 1] * u[:, None] + corners[:, 2] * v[:, None])
        normal[(normal * rays).sum(1) > 0] *= -1
        places = place + rays * distance[:, None] + normal * np.float32(4e-3)  # a little off the surface
        n = SIZE * SAMPLES
        # The rays of a pixel use different points of a lamp.
        pattern = sample % n % SAMPLES + sample // n % SAMPLES * SAMPLES
        direct, specular = np.zeros((2, 4, len(rays)), np.float32)
        for k, lamp in enumerate(LAMPS):
            towards = lamp - places
            cosine = (_unit(towards) * normal).sum(1)
            lit = np.flatnonzero(cosine > 0)
            visible = self.tracer.free(places[lit], _unit(towards[lit] + _BULB[k][pattern[lit]]))
            direct[k, lit] = cosine[lit] * visible / _OVERHEAD[k]
            if scene.gloss:  # Blinn 1977: cosine between the normal and the half-way vector of lamp and eye
                between = (_unit(_unit(towards[lit]) - rays[lit]) * normal[lit]).sum(1)
                specular[k, lit] = np.clip(between, 0, 1) ** SHINE * visible
        around = np.zeros(len(rays), np.float32)
        for ray in range(2):
            # The factor is a little above 1, so that the sum is never 0.
            towards = _unit(normal * np.float32(1.02) + _SPHERE[pattern + 9 * ray])
            free = self.tracer.free(places, towards)
            down = free & (towards[:, 2] < -0.05)
            t = -places[down, 2] / towards[down, 2]
            below = self._ground_at(places[down, 0] + towards[down, 0] * t, places[down, 1] + towards[down, 1] * t)
            share = free.astype(np.float32)
            share[down] = REFLECTED * below[:4].mean(0)  # the toy is lit by the ground
            around += share / 2
        diffuse = scene.paint * (scene.direct * SETUPS @ direct + scene.sky * around) / (scene.direct + scene.sky)
        return diffuse + scene.gloss * SETUPS @ specular


def develop(raw: Float[ndarray, "light 2 y x"], seed: list[int], scene: Scene = PLAIN) -> UInt8[ndarray, "light 2 y x"]:
    """Turn light into a photograph, with a camera's exposure, flare, sharpening and noise."""
    random = np.random.Generator(np.random.PCG64(seed))
    eyes = 1 + scene.brighter * np.array([0.5, -0.5])[:, None, None]
    place = np.linspace(-1, 1, SIZE)
    slope = 1 + scene.slope[0] * place + scene.slope[1] * place[:, None]
    image = raw * (1 + random.normal(0, scene.exposure, (len(raw), 1, 1, 1))) * eyes * slope
    image += scene.flare * (scene.ground - image)
    image += scene.sharpen * (image - gaussian_filter(image, (0, 0, BLUR, BLUR)))
    image += random.normal(0, scene.noise, image.shape)
    return np.clip(np.rint(image), 0, 255).astype(np.uint8)


def _unit(v: ndarray) -> ndarray:
    """The vectors with length 1."""
    x, y, z = np.moveaxis(v, -1, 0)  # several times faster than a sum over an axis of length 3
    return v / np.maximum(np.sqrt(x * x + y * y + z * z), 1e-9)[..., None]


def _sphere(n: int, turn: int) -> Float[ndarray, "n 3"]:
    """Evenly spread directions on a golden-angle spiral, which starts at an angle of ``turn``."""
    z = 1 - 2 * (np.arange(n) + 0.5) / n
    around = np.pi * (1 + 5**0.5) * np.arange(n) + turn
    return np.stack([np.sqrt(1 - z * z) * np.cos(around), np.sqrt(1 - z * z) * np.sin(around), z], 1).astype(np.float32)


def _dome(n: int) -> Float[ndarray, "n 3"]:
    """Upward directions, denser near the vertical by the cosine, as flat ground receives light."""
    z = np.sqrt(1 - (np.arange(n) + 0.5) / n)
    around = np.pi * (1 + 5**0.5) * np.arange(n)
    return np.stack([np.sqrt(1 - z * z) * np.cos(around), np.sqrt(1 - z * z) * np.sin(around), z], 1).astype(np.float32)


def _shuffled(points: ndarray) -> ndarray:
    """The points in a fixed random order, so that any few consecutive points are spread out."""
    return points[np.random.Generator(np.random.PCG64(0)).permutation(len(points))]


_BULB = [_shuffled(_sphere(4 * GROUND_RAYS, k)) * np.float32(LAMP_RADIUS) for k in range(4)]
_DOME = _shuffled(_dome(4 * GROUND_RAYS))
_SPHERE = _shuffled(_sphere(18, 9))
_OVERHEAD = LAMPS[:, 2] / np.linalg.norm(LAMPS, axis=1)  # cosine at which each lamp lights the middle of the ground

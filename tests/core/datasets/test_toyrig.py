"""Rendered toys: their meshes, the tracers, the pictures and the official files."""

import numpy as np
import pytest
from PIL import Image

from core import zoo
from core.datasets import smallnorb, toyrig
from core.datasets.toyrig import contact_sheet, kept, render
from core.datasets.toyrig.__main__ import main
from core.datasets.toyrig.boxes import Boxes
from core.datasets.toyrig.camera import Stage
from core.datasets.toyrig.mesh import assemble, ball, slab
from core.datasets.toyrig.tracer import HAS_EMBREE, Embree
from core.networks.run import class_capsules
from tests.core.heinsen import import_published

ALL = [(category, instance) for category in range(5) for instance in range(10)]


@pytest.mark.parametrize("category", range(5))
def test_every_toy_is_in_the_middle_of_the_ground(category):
    shapes = set()
    for instance in range(10):
        mesh = toyrig.toy(category, instance)
        low, high = mesh.points.min(0), mesh.points.max(0)
        np.testing.assert_allclose([low[2], low[0] + high[0], low[1] + high[1]], 0, atol=1e-9)
        assert np.linalg.norm(mesh.points[:, :2], axis=1).max() <= 1 + 1e-9
        assert np.isfinite(mesh.points).all()
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=-1), 1, atol=1e-9)
        assert mesh.faces.max() < len(mesh.points) < 40_000
        shapes.add(mesh.points.tobytes())
    assert len(shapes) == 10
    assert len(set(toyrig.KINDS[category])) == 10


def test_an_unknown_toy_is_refused():
    with pytest.raises(ValueError, match="There is no toy 10 of category 0"):
        toyrig.toy(0, 10)


def test_a_box_has_sharp_edges_and_a_ball_has_none():
    box, round_ = assemble([slab([-1, -1, 0], [1, 1, 1])]), assemble([ball([0, 0, 0], 1.0)])
    assert (np.abs(box.normals).max(-1) > 1 - 1e-9).all()  # every normal is along an axis
    assert len(np.unique(np.round(round_.normals.reshape(-1, 3), 6), axis=0)) > 100
    outward = (
        round_.normals.mean(1) * (round_.points[round_.faces].mean(1) - [0, 0, round_.points[:, 2].max() / 2])
    ).sum(1)
    assert (outward > 0).all()


@pytest.mark.skipif(not HAS_EMBREE, reason="Embree has no wheel for this machine")
@pytest.mark.parametrize("toy", [(0, 2), (2, 6), (3, 3)])
def test_both_tracers_agree(toy):
    mesh = toyrig.toy(*toy)
    points = mesh.points.astype(np.float32)
    random = np.random.default_rng(0)
    origins = (random.normal(0, 1, (4000, 3)) * 0.3 + [3, 0, 2]).astype(np.float32)
    directions = (points[random.integers(len(points), size=4000)] + random.normal(0, 0.05, (4000, 3)) - origins).astype(
        np.float32
    )
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    embree, boxes = Embree(points, mesh.faces), Boxes(points, mesh.faces)
    theirs, ours = embree.hits(origins, directions), boxes.hits(origins, directions)
    hit = (theirs.faces >= 0) & (ours.faces >= 0)
    assert ((theirs.faces >= 0) == (ours.faces >= 0)).mean() > 0.999
    np.testing.assert_allclose(theirs.distance[hit], ours.distance[hit], atol=2e-3)
    assert (embree.free(origins, directions) == boxes.free(origins, directions)).mean() > 0.999


def test_pictures_are_equal_from_run_to_run_and_differ_between_lights():
    first = toyrig.photographs(4, 1, [40], [30, 70])
    assert (first.shape, first.dtype) == ((2, 1, 6, 2, 96, 96), np.uint8)
    np.testing.assert_array_equal(first, toyrig.photographs(4, 1, [40], [30, 70]))
    np.testing.assert_array_equal(first[1:], toyrig.photographs(4, 1, [40], [70]))
    assert len({picture.tobytes() for picture in first.reshape(-1, 96, 96)}) == 2 * 6 * 2


def test_a_toy_is_in_the_middle_with_its_shadow_below_on_even_ground():
    picture = toyrig.photographs(4, 0, [90], [50])[0, 0, 0, 0].astype(float)
    corners = np.concatenate([picture[:8, :8].ravel(), picture[:8, -8:].ravel()])
    assert abs(corners.mean() - 196) < 12
    assert corners.std() < 4
    assert picture[30:66, 30:66].std() > 15
    assert picture.min() < 120


def test_both_eyes_see_a_toy_in_the_middle_and_differently():
    """The toy is a tall pole on a plate: its top is nearer to the eyes than the plate."""
    mesh = assemble([slab([-1, -1, 0], [1, 1, 0.02]), slab([-0.04, -0.04, 0], [0.04, 0.04, 1.4])])
    left, right = (view.near for view in Stage(mesh, 0)._cameras(40))
    top = [np.flatnonzero(eye[np.flatnonzero(eye.any(1))[0]]).mean() for eye in (left, right)]
    assert left.shape == right.shape == (288, 288)
    assert abs(top[0] - top[1]) < 2  # pixels, because each picture has the toy in its middle
    pictures = Stage(mesh, 0).photograph(40, [0])[0].astype(float)
    assert np.abs(pictures[0] - pictures[1]).mean() > 1


def test_a_split_has_every_view_once_with_categories_in_turn():
    for split, instances in toyrig.INSTANCES.items():
        categories, info = render.order(split)
        assert len(categories) == len(info) == 24_300
        assert categories[:6].tolist() == [0, 1, 2, 3, 4, 0]
        assert len(np.unique(np.column_stack([categories, info]), axis=0)) == 24_300
        assert set(info[:, 0].tolist()) == set(instances)
        assert set(info[:, 2].tolist()) == set(range(0, 36, 2))
        assert (info[:, 1].max(), info[:, 3].max()) == (8, 5)


def test_the_command_writes_official_files(tmp_path, capsys):
    assert main([str(tmp_path), "--split", "test", "--limit", "3"]) == 0
    views = smallnorb.load(tmp_path, "test")
    assert views.images.shape == (3, 2, 96, 96)
    category, (instance, elevation, azimuth, light) = int(views.categories[1]), views.info[1].tolist()
    single = toyrig.photographs(category, instance, [10 * azimuth], [30 + 5 * elevation])[0, 0, light]
    np.testing.assert_array_equal(views.images[1], single)
    assert smallnorb.rendered_by(tmp_path) == "rendered by core.datasets.toyrig, seed 0"
    assert {p.name for p in tmp_path.iterdir()} == {f"{smallnorb.TEST}-{w}.mat" for w in ("dat", "cat", "info")} | {
        "toyrig.json"
    }


def test_what_a_stopped_run_finished_is_kept(tmp_path):
    categories, info = (a[:2] for a in render.order("test"))
    scratch = tmp_path / ".test"
    scratch.mkdir()
    marked = np.full((1, 2, 96, 96), 7, np.uint8)
    for category, (instance, _, azimuth, _) in zip(categories, info.tolist(), strict=True):
        np.save(scratch / f"{category}-{instance}-{azimuth}-1.npy", marked)
    render.render(tmp_path, "test", 2)
    assert (smallnorb.load(tmp_path, "test").images == 7).all()
    assert not scratch.exists()


@pytest.mark.parametrize("arguments", [["--limit", "0"], ["--limit", "-3"]])
def test_bad_input_gives_one_line(tmp_path, arguments, capsys):
    assert main([str(tmp_path), *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_network_that_saw_only_photographs_names_most_toys(tmp_path):
    """This test takes a sample; README has the share of all test toys."""
    import_published("smallNORB", tmp_path)
    checkpoint = zoo.load_folder(tmp_path / "smallNORB", "cpu")
    random = np.random.default_rng(0)
    right = []
    for category in range(5):
        for instance in toyrig.INSTANCES["test"][:3]:
            azimuth, elevation = random.choice(toyrig.AZIMUTHS), random.choice(toyrig.ELEVATIONS)
            in_two_lights = toyrig.photographs(category, instance, [int(azimuth)], [int(elevation)])[0, 0, :2]
            predicted = class_capsules(checkpoint, in_two_lights).probabilities.argmax(1)
            right.append((predicted == category).mean())
    assert np.mean(right) > 0.55


@pytest.mark.skipif(not HAS_EMBREE, reason="the kept pictures were made with Embree")
@pytest.mark.parametrize("toy", [(0, 0), (4, 9)])
def test_a_kept_turn_is_what_is_rendered(toy):
    turn = kept.read_turn(*toy)
    assert turn.shape == (18, 2, 96, 96)
    for k in (0, 7):
        rendered = toyrig.photographs(*toy, [toyrig.AZIMUTHS[k]], [kept.ELEVATION])[0, 0, kept.LIGHTING]
        np.testing.assert_array_equal(turn[k], rendered)


def test_a_turn_is_written_without_loss(tmp_path, monkeypatch):
    pictures = np.random.default_rng(0).integers(0, 256, (1, 18, 6, 2, 96, 96)).astype(np.uint8)
    monkeypatch.setattr(kept, "FOLDER", tmp_path / "turns")
    monkeypatch.setattr(toyrig, "photographs", lambda *_, **__: pictures)
    monkeypatch.setattr(toyrig, "KINDS", (("cow",),))
    assert kept.main([]) == 0
    np.testing.assert_array_equal(kept.read_turn(0, 0), pictures[0, :, kept.LIGHTING])
    with pytest.raises(ValueError, match="No turn is kept of toy 1 of category 0"):
        kept.read_turn(0, 1)


def test_a_turn_of_every_toy_is_kept():
    assert {tuple(map(int, path.stem.split("-"))) for path in kept.FOLDER.glob("*.webp")} == set(ALL)


def test_the_contact_sheet_shows_every_toy(tmp_path, monkeypatch):
    monkeypatch.setattr(toyrig, "photographs", lambda c, i, *_: np.full((1, 1, 6, 2, 96, 96), 10 * c + i, np.uint8))
    grey = np.asarray(contact_sheet.draw_sheet())
    assert set(range(50)) <= set(np.unique(grey).tolist())
    assert contact_sheet.main([str(tmp_path / "sheet.png")]) == 0
    with Image.open(tmp_path / "sheet.png") as written:
        assert written.size == grey.shape[::-1]
    with Image.open(contact_sheet.SHEET) as shipped:
        assert shipped.size == grey.shape[::-1]
    assert contact_sheet.SHEET.stat().st_size < 400_000

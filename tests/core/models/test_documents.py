"""DR-AGG on documents: batches of ragged documents, and refused arguments."""

import pytest
import torch

from core.models import DocumentDRAgg, DRAggConfig
from core.models.documents import BATCH_SIZE
from tests.core.models.sizes import SMALL


@pytest.fixture(params=["output", "input"])
def model(request):
    torch.manual_seed(0)
    return DocumentDRAgg(DRAggConfig(**SMALL, normalize=request.param)).double().eval()


def ragged(lengths, seed=0):
    """Random sentences of these lengths, padded, and their mask."""
    words = torch.randint(0, 10, (len(lengths), max(lengths)), generator=torch.Generator().manual_seed(seed))
    return words, torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


def test_a_document_is_routed_from_its_sentences(model):
    """The test composes the parts by hand, as in section 4 of the paper."""
    words, mask = ragged([3, 1, 2])
    vectors = []
    for row, n in zip(words, (3, 1, 2), strict=True):
        *_, last = model.steps(row[None, :n])
        vectors.append(last.capsules.flatten())
    h = model.document_encoder(torch.stack(vectors)[None])[0]
    votes = model.document_vote(h).tanh().unflatten(-1, (2, 4))
    *_, last = model.route(votes)
    expected = model.classify(last.capsules)
    torch.testing.assert_close(model(words, mask, counts=torch.tensor([3])), expected)


def test_a_batch_of_documents_equals_each_document_alone(model):
    words, mask = ragged([4, 1, 3, 2, 5, 1])
    together = model(words, mask, counts=torch.tensor([2, 1, 3]))
    for k, (first, last) in enumerate([(0, 2), (2, 3), (3, 6)]):
        single = model(words[first:last], mask[first:last], counts=torch.tensor([last - first]))
        torch.testing.assert_close(together[k : k + 1], single)


def test_sentence_vectors_keep_the_order_of_the_sentences(model):
    lengths = [1 + (7 * k) % 11 for k in range(2 * BATCH_SIZE + 3)]
    words, mask = ragged(lengths)
    together = model.sentences(words, mask)
    for k in (0, 1, 5, BATCH_SIZE, 2 * BATCH_SIZE + 2):
        torch.testing.assert_close(together[k : k + 1], model.sentences(words[k : k + 1, : lengths[k]]))


def test_few_places_are_padding(model):
    """Sentences of similar length are routed together, so that little of a batch is padding."""
    lengths = [1 + (37 * k) % 60 for k in range(400)]
    words, mask = ragged(lengths)
    shapes = [steps[-1].coupling.shape for _, steps in model.sentence_steps(words, mask)]
    places = sum(n_sentences * n_words for n_sentences, n_words, _ in shapes)
    assert sum(lengths) <= places < 1.25 * sum(lengths) < 0.75 * words.numel()


def test_every_trained_parameter_gets_a_finite_gradient(model):
    model.train()
    words, mask = ragged([4, 1, 3])
    torch.nn.functional.cross_entropy(model(words, mask, counts=torch.tensor([2, 1])), torch.tensor([0, 1])).backward()
    assert all(p.grad is not None and p.grad.isfinite().all() for p in model.parameters() if p.requires_grad)


@pytest.mark.wrong_arguments
@pytest.mark.parametrize("counts", [[3], [2, -1], [0, 1], [[1]]])
def test_counts_that_do_not_fit_are_refused(model, counts):
    with pytest.raises(ValueError, match="counts is"):
        model(torch.tensor([[1, 2]]), counts=torch.tensor(counts))


@pytest.mark.wrong_arguments
@pytest.mark.parametrize("mask", [[[True]], [[True, False, True]]])
def test_a_mask_that_does_not_fit_is_refused(model, mask):
    with pytest.raises(ValueError, match="mask has shape"):
        model(torch.tensor([[1, 2, 3]]), torch.tensor(mask), counts=torch.tensor([1]))

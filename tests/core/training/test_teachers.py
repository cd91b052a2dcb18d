"""Soft labels from teachers, and the sentences that the teachers label."""

import dataclasses

import pytest
import torch

from core import zoo
from core.datasets import sst
from core.training.recipes import RECIPES
from core.training.teachers import sample_sentences, soft_labels

CPU = torch.device("cpu")
TEACHERS = ("dragg-sst5", "dragg-reversed-sst5")
SENTENCES = [["a", "very", "good", "film"], ["dull"], ["it", "is", "n't", "a", "bad", "film"]]


def test_soft_labels_are_the_mean_of_the_teachers_answers():
    labels = soft_labels(TEACHERS, SENTENCES, sst.CLASSES[5], CPU)
    teachers = [zoo.load(name, "cpu") for name in TEACHERS]
    single = [[t.model(**t.inputs([words])).softmax(-1)[0] for words in SENTENCES] for t in teachers]
    torch.testing.assert_close(labels, torch.stack([torch.stack(rows) for rows in single]).mean(0))


def test_a_teacher_with_other_classes_is_refused():
    with pytest.raises(ValueError, match=r"^dragg-sst2 has the classes \('negative', 'positive'\), wanted \('very"):
        soft_labels(("dragg-sst2",), SENTENCES, sst.CLASSES[5], CPU)


def test_sampled_sentences_have_3_to_40_words_and_follow_the_seed():
    documents = [[["word"] * k] for k in range(60)]
    assert sorted(len(words) for words in sample_sentences(documents, 99, seed=0)) == list(range(3, 41))
    few = sample_sentences(documents, 5, seed=1)
    assert len(few) == 5
    assert few == sample_sentences(documents, 5, seed=1) != sample_sentences(documents, 5, seed=2)


def test_agt_learns_the_labels_and_its_teachers_answers(trees, reviews):
    training = RECIPES["agt-taught-sst5"].full
    split = training.training_split(trees).first(4)
    samples, targets = training.samples_and_targets(split, CPU, trees.parent)
    assert len(samples) == len(targets) == 10
    assert samples[:4] == split.words
    assert targets[:4].max(1).values.eq(1).all()
    assert targets[:4].argmax(1).tolist() == split.labels
    torch.testing.assert_close(targets[4:], soft_labels(TEACHERS, samples[4:], split.classes, CPU))
    untaught, labels = dataclasses.replace(training, teachers=()).samples_and_targets(split, CPU, trees.parent)
    assert (untaught, labels.tolist()) == (split.words, split.labels)

"""The classifier passes scikit-learn's checks of estimators, as far as they concern an estimator that reads texts.

scikit-learn checks estimators of tables only, so each row of numbers is written as a text.
"""

import pytest
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, validate_data

from core import RoutingClassifier

NOT_FOR_TEXTS = {  # checks that do not apply, each with the reason
    "check_n_features_in": "a text has no columns, so there is no n_features_in_",
    "check_n_features_in_after_fitting": "a text has no columns, so there is no n_features_in_",
    "check_estimators_partial_fit_n_features": "a text has no columns, and there is no partial_fit",
    "check_estimator_sparse_tag": "a list of texts cannot be sparse",
    "check_estimator_sparse_array": "a list of texts cannot be sparse",
    "check_estimator_sparse_matrix": "a list of texts cannot be sparse",
    "check_fit1d": "it wants one-dimensional input to be refused, and texts are one-dimensional",
    "check_fit2d_predict1d": "it wants one-dimensional input to be refused, and texts are one-dimensional",
    "check_fit2d_1feature": "it checks a table with one column",
    "check_estimators_dtypes": "it checks types of numbers",
    "check_dtype_object": "it checks types of numbers",
    "check_complex_data": "it checks types of numbers",
    "check_estimators_nan_inf": "a text is no NaN; test_estimator.py has missing texts",
    "check_positive_only_tag_during_fit": "a text is not negative",
    "check_f_contiguous_array_estimator": "it checks the order of an array's numbers in memory",
    "check_array_api_input": "texts are in no array of the array API",
    "check_classifiers_one_label_sample_weights": "there are no sample weights",
    "check_non_transformer_estimators_n_iter": "there is no max_iter",
    "check_decision_proba_consistency": "there is no decision_function",
}
CHECKS = [
    "check_estimator_cloneable",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_fit_score_takes_y",
    "check_estimators_overwrite_params",
    "check_dont_overwrite_parameters",
    "check_estimators_fit_returns_self",
    "check_readonly_memmap_input",
    "check_estimators_unfitted",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_mixin_order",
    "check_estimators_empty_data_messages",
    "check_pipeline_consistency",
    "check_estimators_pickle",
    "check_classifier_data_not_an_array",
    "check_classifiers_one_label",
    "check_classifiers_classes",
    "check_classifiers_train",
    "check_classifiers_regression_target",
    "check_supervised_y_no_nan",
    "check_supervised_y_2d",
    "check_parameters_default_constructible",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_fit2d_1sample",
    "check_get_params_invariance",
    "check_set_params",
    "check_dict_unchanged",
    "check_fit_idempotent",
    "check_fit_check_is_fitted",
    "check_requires_y_none",
]
WITHOUT_DATA = [
    "check_estimator_cloneable",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_mixin_order",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
]


class OfNumbers(RoutingClassifier):
    """The classifier for rows of numbers, each of which becomes a word."""

    def fit(self, X, y):
        return super().fit(as_texts(validate_data(self, X)), y)

    def predict_proba(self, X):
        check_is_fitted(self)
        return super().predict_proba(as_texts(validate_data(self, X, reset=False)))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array, tags.input_tags.two_d_array, tags.input_tags.string = False, True, False
        tags.classifier_tags.poor_score = True  # one epoch
        return tags


def as_texts(X):
    """A text for each row: a word for each number, with the letter of its column."""
    return [" ".join(f"{chr(97 + column % 26)}{value:.1f}" for column, value in enumerate(row)) for row in X]


def yield_checks():
    """Yield the name of each check, the estimator and the check."""
    from sklearn.utils.estimator_checks import estimator_checks_generator  # takes a second to import

    for estimator, check in estimator_checks_generator(OfNumbers("windows", "words", epochs=1, device="cpu")):
        yield check.func.func.__name__ if hasattr(check.func, "func") else check.func.__name__, estimator, check


@pytest.mark.filterwarnings("ignore")
@pytest.mark.wrong_arguments
@pytest.mark.parametrize("name", CHECKS)
def test_the_classifier_passes_the_check(name):
    checks = [(estimator, check) for found, estimator, check in yield_checks() if found == name]
    assert checks
    for estimator, check in checks:
        check(estimator)


@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_the_classifier_of_texts_passes_the_check(name):
    from sklearn.utils import estimator_checks

    getattr(estimator_checks, name)("RoutingClassifier", RoutingClassifier())


def test_every_check_applies_or_has_a_reason():
    assert {name for name, *_ in yield_checks()} == {*CHECKS, *NOT_FOR_TEXTS}


def test_the_tags_say_that_it_reads_texts():
    tags = get_tags(RoutingClassifier())
    assert (tags.input_tags.string, tags.input_tags.two_d_array, tags.target_tags.required) == (True, False, True)

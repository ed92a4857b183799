"""Keras 2.2.4's wrappers for scikit-learn, which asks estimators more than it did then.

Since 1.6 it asks every estimator for its tags, and a pipeline asks its last step whether it is
fitted. The wrappers say nothing of their kind, as then: ``cv=3`` splits with `KFold`.
"""

MODULE = "keras.wrappers.scikit_learn"


def answer_in(module):
    """Gives the wrappers of the module ``keras.wrappers.scikit_learn`` the methods it lacks."""
    module.BaseWrapper.__sklearn_tags__ = _tags
    module.BaseWrapper.__sklearn_is_fitted__ = _is_fitted


def _tags(wrapper):
    from sklearn.base import BaseEstimator

    return BaseEstimator().__sklearn_tags__()


def _is_fitted(wrapper):
    return hasattr(wrapper, "model")

"""Logistic regression with few features, as confidence and trust are calibrated by."""

from __future__ import annotations

import numpy as np

SLACK = 1e-4


def sigmoid(value: np.ndarray | float) -> np.ndarray | float:
    return 1 / (1 + np.exp(-value))


def logit(value: np.ndarray | float) -> np.ndarray | float:
    clipped = np.clip(value, SLACK, 1 - SLACK)
    return np.log(clipped / (1 - clipped))


def fit_logistic(features: np.ndarray, outcome: np.ndarray, ridge: float = 1.0, counts: np.ndarray | float = 1.0) -> np.ndarray:
    """Intercept first; each row counts as so many. Newton's method with a ridge on the slopes."""
    design = np.column_stack([np.ones(len(features)), features])
    weights = np.zeros(design.shape[1])
    penalty = np.diag([0.0] + [ridge] * features.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (counts * (outcome - p)) - penalty @ weights
        hessian = design.T @ (design * (counts * p * (1 - p))[:, None]) + penalty + 1e-9 * np.eye(len(weights))
        weights += np.linalg.solve(hessian, gradient)
    return weights

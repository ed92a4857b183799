"""The optimizers in NumPy: what TensorFlow's kernels compute, written from their formulas.

Sources: tensorflow/core/kernels/training_ops.cc, and the papers named there.
Each class holds the state of one variable; ``step(value, grad, rate)`` returns
the new value. All arithmetic is float64: compare with a tolerance.
"""

import numpy as np


class GradientDescent:
    def step(self, value, grad, rate):
        return value - rate * grad


class Momentum:
    def __init__(self, momentum=0.9, nesterov=False):
        self.momentum, self.nesterov, self.accumulator = momentum, nesterov, 0.0

    def step(self, value, grad, rate):
        self.accumulator = self.momentum * self.accumulator + grad
        if self.nesterov:
            return value - rate * (grad + self.momentum * self.accumulator)
        return value - rate * self.accumulator


class Adagrad:
    def __init__(self, initial=0.1):
        self.accumulator = initial

    def step(self, value, grad, rate):
        self.accumulator = self.accumulator + grad**2
        return value - rate * grad / np.sqrt(self.accumulator)


class Adadelta:
    def __init__(self, rho=0.95, epsilon=1e-8):
        self.rho, self.epsilon, self.accumulator, self.updates = rho, epsilon, 0.0, 0.0

    def step(self, value, grad, rate):
        self.accumulator = self.rho * self.accumulator + (1 - self.rho) * grad**2
        ratio = (self.updates + self.epsilon) / (self.accumulator + self.epsilon)
        update = np.sqrt(ratio) * grad
        self.updates = self.rho * self.updates + (1 - self.rho) * update**2
        return value - rate * update


class Adam:
    """With beta1, beta2 and their powers in float32, as in the kernel.

    1 - 0.999**n loses up to 6e-5 of itself there, far more than the rest.
    """

    def __init__(self, beta1=0.9, beta2=0.999, epsilon=1e-8):
        self.beta1, self.beta2, self.epsilon = np.float32(beta1), np.float32(beta2), epsilon
        self.power1, self.power2 = self.beta1, self.beta2
        self.m = self.v = 0.0

    def step(self, value, grad, rate):
        self.m = self.m + (1 - self.beta1) * (grad - self.m)
        self.v = self.v + (1 - self.beta2) * (grad**2 - self.v)
        corrected = rate * np.sqrt(1 - self.power2) / (1 - self.power1)
        self.power1, self.power2 = self.power1 * self.beta1, self.power2 * self.beta2
        return value - corrected * self.m / (np.sqrt(self.v) + self.epsilon)


class RMSProp:
    def __init__(self, decay=0.9, momentum=0.0, epsilon=1e-10, centered=False):
        self.decay, self.momentum, self.epsilon, self.centered = decay, momentum, epsilon, centered
        self.mean_square, self.mean, self.moving = 1.0, 0.0, 0.0

    def step(self, value, grad, rate):
        self.mean_square = self.decay * self.mean_square + (1 - self.decay) * grad**2
        variance = self.mean_square
        if self.centered:
            self.mean = self.decay * self.mean + (1 - self.decay) * grad
            variance = variance - self.mean**2
        self.moving = self.momentum * self.moving + rate * grad / np.sqrt(variance + self.epsilon)
        return value - self.moving


class Ftrl:
    """With learning_rate_power -0.5."""

    def __init__(self, initial=0.1, l1=0.0, l2=0.0):
        self.accumulator, self.linear, self.l1, self.l2 = initial, 0.0, l1, l2

    def step(self, value, grad, rate):
        new = self.accumulator + grad**2
        self.linear = self.linear + grad - (np.sqrt(new) - np.sqrt(self.accumulator)) / rate * value
        self.accumulator = new
        quadratic = np.sqrt(new) / rate + 2 * self.l2
        shrunk = np.sign(self.linear) * self.l1 - self.linear
        return np.where(np.abs(self.linear) > self.l1, shrunk / quadratic, 0.0)

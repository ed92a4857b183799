"""``tensorflow.python.training.tensorboard_logging``: messages that also go to a summary writer.

Source: tensorflow/python/training/tensorboard_logging.py of TF 1.15.5.
"""

import functools
import time

DEBUG, INFO, WARN, ERROR, FATAL = "DEBUG", "INFO", "WARN", "ERROR", "FATAL"

#: Level -> its number in an event file.
_EVENT_LEVELS = {DEBUG: 10, INFO: 20, WARN: 30, ERROR: 40, FATAL: 50}

_NOT_SET = object()
_verbosity = WARN
_summary_writer = _NOT_SET


def get_verbosity():
    """The level from which messages go to the summary writer."""
    return _verbosity


def set_verbosity(verbosity):
    """Sets the level from which messages go to the summary writer."""
    global _verbosity
    _check_verbosity(verbosity)
    _verbosity = verbosity


def _check_verbosity(verbosity):
    if verbosity not in _EVENT_LEVELS:
        raise ValueError(
            f"Level {verbosity} is not a valid tensorboard_logging level: expected one of "
            f"{', '.join(_EVENT_LEVELS)}"
        )


def set_summary_writer(summary_writer):
    """Sets the writer that gets the messages; None for none."""
    global _summary_writer
    _summary_writer = summary_writer


def _clear_summary_writer():
    set_summary_writer(_NOT_SET)


def log(level, message, *args):
    """Logs ``message % args``, and adds it to the summary writer from the verbosity on."""
    if _summary_writer is _NOT_SET:
        raise RuntimeError(
            "Must call set_summary_writer before doing any logging from tensorboard_logging"
        )
    _check_verbosity(level)
    from tensorflow.core.util import event_pb2
    from tensorflow.python.platform import tf_logging as logging

    if _summary_writer and _EVENT_LEVELS[level] >= _EVENT_LEVELS[_verbosity]:
        said = event_pb2.LogMessage(level=_EVENT_LEVELS[level], message=message % args)
        _summary_writer.add_event(event_pb2.Event(wall_time=time.time(), log_message=said))
    logging.log(getattr(logging, level), message, *args)


debug, info, warn, error, fatal = (functools.partial(log, level) for level in _EVENT_LEVELS)

"""What the caller of a conversion says, for the planner and the draft of every target."""

import collections

#: The options of `plan_keras`, `plan_torch` and their drafts that say which unit is which, and what
#: of them: see there. A target that lacks an option leaves it as it is.
MatchOptions = collections.namedtuple(
    "MatchOptions", "rules drop keep forget_bias flatten use_ema graph cast transpose"
)
MatchOptions.__new__.__defaults__ = (None, (), (), None, None, False, None, None, None)

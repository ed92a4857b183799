"""Built-in functions that edits write, where the code of the user means something else by them."""

import bisect
import re

#: What opens such a call: ``list(``, or ``(list`` before an argument's own parentheses.
_CALL = re.compile(r"(\(?)(bool|float|int|isinstance|list|str|tuple)(\(?)\Z")


def qualified(work, edits):
    """Returns the `Edit`s; one that opens a call of a name that is bound there imports it."""
    places, scopes = _reads(work)
    return [_qualified(work, edit, places, scopes) for edit in edits]


def _qualified(work, edit, places, scopes):
    call = _CALL.match(edit.new) if isinstance(edit.new, str) else None
    if call is None or not scopes:
        return edit
    before, name, after = call.groups()
    if _scope_at(edit.start, work.text, places, scopes).owner(name) is None:
        return edit
    local = work.speller.add("builtins." + name, edit.fix, edit.line)
    return edit._replace(new=before + local + after)


def _reads(work):
    """Returns ([places of the names that are read, sorted], [the scope of each])."""
    reads = sorted(
        ((work.text.span(node)[0], number) for number, (node, _) in enumerate(work.scopes.names))
    )
    return [place for place, _ in reads], [work.scopes.names[number][1] for _, number in reads]


def _scope_at(place, text, places, scopes):
    """Returns the scope of the name that is read next on the line, or else of the one before."""
    number = bisect.bisect_left(places, place)
    is_same_line = number < len(places) and "\n" not in text.text[place : places[number]]
    return scopes[number] if is_same_line else scopes[max(number - 1, 0)]

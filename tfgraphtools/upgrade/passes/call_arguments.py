"""The arguments of a call, renamed, reordered and left out as a rewrite says."""

import ast
import re

from tfgraphtools.upgrade.text import Edit


class NotWrittenOut(Exception):
    """A call passes arguments as ``*args`` or ``**options``: what they are is not in the source."""


def edits(call, rewrite, text, fix):
    """Returns the `Edit`s of a call's arguments.

    Args:
      call: the `ast.Call`.
      rewrite: a `rewrites.Call`.
      text: the `text.Text` of the module.
      fix: the name of the fix.

    Raises:
      NotWrittenOut: the rewrite concerns arguments that the source does not spell out.
    """
    edit_list = []
    renamed = dict(rewrite.keywords)
    positions = rewrite.positions
    if isinstance(positions, dict):
        changes = [_revalued(call, place, new, text, fix) for place, new in positions.items()]
        return [edit for edits_of_value in changes for edit in edits_of_value]
    if positions and isinstance(positions[0], int):
        return _reordered(call, positions, text, fix)
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    doubled = any(keyword.arg is None for keyword in call.keywords)
    if (positions and (starred or len(call.args) > len(positions))) or (renamed and doubled):
        raise NotWrittenOut
    dropped = []
    for argument, word in zip(call.args, positions):
        if word is None:
            dropped.append(argument)
        elif word:
            start = _start(argument, text)
            edit_list.append(Edit(start, start, word + "=", fix, argument.lineno))
    for keyword in call.keywords:
        if keyword.arg not in renamed:
            continue
        new = renamed[keyword.arg]
        if new is None:
            dropped.append(keyword)
        else:
            start = text.span(keyword)[0]
            end = start + len(keyword.arg)
            edit_list.append(Edit(start, end, new, fix, keyword.value.lineno))
    edit_list += [_dropped(call, removed_part, dropped, text, fix) for removed_part in dropped]
    given_names = {keyword.arg for keyword in call.keywords}
    given_names.update(word for _, word in zip(call.args, positions))
    missing = {k: v for k, v in getattr(rewrite, "added", {}).items() if k not in given_names}
    return edit_list + (_added(call, missing, len(dropped), text, fix) if missing else [])


def _revalued(call, place, new, text, fix):
    """Returns the `Edit`s that give an argument, by place or keyword, a new value.

    See `old_forms`.
    """
    if isinstance(place, int):
        value = call.args[place]
    else:
        value = next(keyword.value for keyword in call.keywords if keyword.arg == place)
    if isinstance(new, tuple):
        return text.around(value, *new, fix)
    new = new if isinstance(new, str) else new(text.of(value))
    return [Edit(*text.span(value), new, fix, value.lineno)]


def _added(call, missing, dropped, text, fix):
    """Returns the `Edit` that adds keywords at the end of the arguments."""
    new = ", ".join(f"{name}={value}" for name, value in missing.items())
    end = text.span(call)[1] - 1
    before = text.text[:end].rstrip()
    written = [*call.args, *call.keywords]
    after = text.text[max((text.span(part)[1] for part in written), default=end) : end]
    if "," in re.sub("#.*", "", after) and "\n" in after:  # one argument a line
        last = max(getattr(part, "value", part).lineno for part in written)
        indent = text.indent(last)
        return [Edit(len(before), len(before), f"\n{indent}{new},", fix, call.end_lineno)]
    # Behind a comment the argument goes in front of the parenthesis that ends the call.
    place = end if "#" in after or len(written) == dropped else len(before)
    if len(written) > dropped:
        new = (" " if "," in re.sub("#.*", "", after) else ", ") + new
    return [Edit(place, place, new, fix, call.end_lineno)]


def _reordered(call, order, text, fix):
    """Returns the `Edit`s by which the positional arguments change places.

    The edits put each at the place that its keyword has today.
    """
    spans = [_whole_span(argument, text) for argument in call.args]
    return [
        Edit(*spans[place], spans[other], fix, call.args[place].lineno)
        for place, other in enumerate(order)
        if place != other
    ]


def _whole_span(argument, text):
    """Returns (start, end) of an argument with the parentheses around it."""
    start, (inner, end) = _start(argument, text), text.span(argument)
    for _ in range(re.sub("#.*", "", text.text[start:inner]).count("(")):
        end = text.text.index(")", end) + 1
    return start, end


def _start(argument, text):
    """Returns where an argument begins, with the parentheses around it."""
    start = text.span(argument)[0]
    if isinstance(argument, ast.GeneratorExp):
        return start
    depth = start
    while True:
        before = text.text[:depth].rstrip()
        if not before.endswith("(") or _opens_call(before, text, argument):
            return depth
        depth = len(before) - 1


def _opens_call(before, text, argument):
    """Tells whether the parenthesis at the end of a text is that of the call itself."""
    end = text.span(argument)[1]
    after = text.text[end:].lstrip()
    return (
        not after.startswith(")")
        or before[:-1].rstrip()[-1:].isidentifier()
        or (before[:-1].rstrip()[-1:] in ")]")
    )


def _dropped(call, argument, dropped, text, fix):
    """Returns the `Edit` that takes an argument and a comma out.

    The comma before the argument goes, if another one stays.
    """
    every = sorted([*call.args, *call.keywords], key=lambda part: text.span(part)[0])
    place = every.index(argument)
    start, end = text.span(argument)
    line = getattr(argument, "lineno", call.lineno)
    follows_kept = any(part not in dropped for part in every[:place])
    around = [text.span(part) for part in every[max(place - 1, 0) : place + 2]]
    if "#" in text.text[around[0][1] : start] or "#" in text.text[end : around[-1][0]]:
        after = re.match(r"\s*,[ ]*", text.text[end:])  # the comments stay
        return Edit(start, end + (after.end() if after else 0), "", fix, line)
    if place + 1 < len(every) and not follows_kept:
        return Edit(start, text.span(every[place + 1])[0], "", fix, line)
    if place and follows_kept:
        comma = text.text.index(",", text.span(every[place - 1])[1])  # after its own parentheses
        return Edit(comma, end, "", fix, line)
    return Edit(start, end, "", fix, line)

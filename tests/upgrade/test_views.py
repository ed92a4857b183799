"""``list(...)`` around a dictionary's views: only where Python 3 would compute something else."""

import pytest

pytestmark = pytest.mark.quick

#: Python 2 source with one view in it; a list is needed where its values change under way.
VIEWS = [
    "for k in d.keys(): pass",
    "for k, v in d.items():\n    print k, v",
    "for k in d.keys():\n    x.append(d[k])",
    "for k in d.keys():\n    if k in d: print d.get(k), len(x)",
    "for k in self.d.values(): self.session.run(k)",
    "def f(d):\n    for k in d.keys(): g(k)",
    "for k in d.keys(): g(k)\ndef g(k): return d[k]",
    "x = sorted(d.items(), key=lambda item: item[1])",
    "x = len(d.keys()) + sum(d.values()) + max(d.values())",
    "x = ','.join(d.keys())",
    "x = 'a' in d.keys()",
    "x = [k for k in d.keys() if k]",
    "x = dict((v, k) for k, v in d.items())",
    "def f(d):\n    h = lambda k: d[k]\n    for k in d.keys(): h(k)",
]
LISTS = [
    "x = d.keys()",
    "x = d.keys()[0]",
    "x = d.keys() + [1]",
    "x = d.values() == [1]",
    "x = random.choice(d.keys())",
    "print d.keys()",
    "return_ = (d.keys(), 1)",
    "for k in d.keys():\n    if k: del d[k]",
    "for k in d.keys(): d[k + 'x'] = 1",
    "for k in d.keys(): d[k], y = 1, 2",
    "for v in d.values(): d['a'] += v",
    "for k in d.keys():\n    for d[k] in y: pass",
    "for k in d.keys(): d.pop(k)",
    "for k in d.keys(): g(d)",
    "for k in d.keys():\n    e = d\n    del e[k]",
    "for k in self.d.keys(): self.g(k)",
    "for k in self.d.keys(): g(self)",
    "for k in self.d.keys(): self.d.pop(k)",
    "for k in f().keys(): pass",
    "for k in d['a'].keys(): pass",
    "for k in d.keys(): g(k)\ndef g(k): del d[k]",
    "def f():\n    global d\n    for k in d.keys(): g(k)\ndef g(k): d.clear()",
    "x = [d.pop(k) for k in d.keys()]",
    "x = [g(k) for k in d.keys()]\ndef g(k): del d[k]",
    "x = np.max(d.values())",
    "self.set(d.keys())",
    "for i, k in enumerate(d.keys()): del d[k]",
    "x = (k for k in d.keys())",
    "x = g(k for k in d.keys())",
    "def f():\n    for k in d.keys(): yield k",
    "def f():\n    d = {}\n    def g(k): del d[k]\n    for k in d.keys(): g(k)",
    "def f():\n    d = {}\n    g = lambda k: d.pop(k)\n    for k in d.keys(): g(k)",
]


@pytest.mark.parametrize("needs_list", [False, True], ids=["view", "list"])
def test_views(needs_list, upgraded):
    sources = LISTS if needs_list else VIEWS
    new = upgraded({f"m{n:02}.py": f"print 1\n{one}\n" for n, one in enumerate(sources)})
    for source, name in zip(sources, sorted(new)):
        assert ("list(" in new[name]) is needs_list, (source, new[name])

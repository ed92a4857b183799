"""Stand-ins for the data of papers' code: graphs, knowledge, sessions, molecules, drawings."""

import json
import pickle

import numpy as np

from corpus_parts.samples import digits, image, text, write_lines


def _pickles(path, objects):
    """Objects after one another in one file that Python 2, NumPy 1 and SciPy 1.1 read, too."""
    content = b"".join(pickle.dumps(one, protocol=2) for one in objects)
    for new, old in ((b"cnumpy._core.", b"cnumpy.core."), (b"cscipy.sparse._", b"cscipy.sparse.")):
        content = content.replace(new, old)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _clicks(path):
    """What users saw, and whether they took what came next, for recommender systems."""
    random = np.random.RandomState(0)
    train, test = [], []
    for user in range(200):
        seen = [int(item) for item in random.randint(0, 100, 8)]
        for at in range(2, 7):
            other = int(random.randint(0, 100))
            train += [(user, seen[:at], seen[at], 1), (user, seen[:at], other, 0)]
        test.append((user, seen[:7], (seen[7], int(random.randint(0, 100)))))
    kinds = random.randint(0, 10, 100)
    _pickles(path, [train, test, kinds, (200, 100, 10)])


def _relations(path):
    """A graph of two kinds of edges and the identity, with four classes of its nodes."""
    import scipy.sparse as sparse

    random = np.random.RandomState(0)
    kinds = [sparse.random(60, 60, 0.05, "csr", random_state=random) for _ in range(2)]
    edges = [sparse.csr_matrix((kind != 0).astype("float64")) for kind in kinds]
    labels = sparse.csr_matrix(np.eye(4)[np.arange(60) % 4])
    nodes = random.permutation(60)
    data = {"A": [*edges, sparse.identity(60, format="csr")], "y": labels}
    _pickles(path, [dict(data, train_idx=nodes[:40], test_idx=nodes[40:])])


def _citations(prefix):
    """A graph of documents as Planetoid has it: "ind.cora" and a suffix."""
    import scipy.sparse as sparse

    random = np.random.RandomState(0)
    words = sparse.csr_matrix((random.rand(700, 50) < 0.1).astype("float32"))
    labels = np.eye(4, dtype="int32")[np.arange(700) % 4]
    graph = {node: [(node + 1) % 700, (node + 4) % 700] for node in range(700)}
    parts = {"x": words[:40], "y": labels[:40], "tx": words[640:], "ty": labels[640:]}
    parts.update(allx=words[:640], ally=labels[:640], graph=graph)
    for name, value in parts.items():
        _pickles(prefix.with_name(f"{prefix.name}.{name}"), [value])
    write_lines(prefix.with_name(prefix.name + ".test.index"), map(str, range(640, 700)))


def _knowledge(folder):
    """Ratings "user item 0-or-1" and facts "head relation tail", of films and of books."""
    random = np.random.RandomState(0)
    for kind in ("movie", "book", "music"):
        rows = [(at // 20, at * 7 % 100, int(random.rand() < 0.5)) for at in range(2000)]
        facts = [(at % 100, at % 6, 100 + at * 11 % 50) for at in range(1500)]
        for name, lines in (("ratings_final.txt", rows), ("kg_final.txt", facts)):
            write_lines(folder / kind / name, ["\t".join(map(str, line)) for line in lines])


def _interactions(folder):
    """A user and the items that it took, by line."""
    random = np.random.RandomState(0)
    rows = [[user, *random.permutation(80)[:12]] for user in range(120)]
    for name, part in (("train.txt", slice(0, 10)), ("test.txt", slice(10, None))):
        lines = [" ".join(map(str, [row[0], *row[1:][part]])) for row in rows]
        write_lines(folder / name, lines)


def _sessions(path):
    """Clicks of sessions, as the RecSys challenge of 2015 has them."""
    rows = [f"{at // 5}\t{at * 7 % 60 + at // 5 % 3}\t{1400000000 + at}.5" for at in range(3000)]
    write_lines(path, ["SessionId\tItemId\tTime", *rows])


def _molecules(path):
    """Graphs of atoms: edges [from, kind, to], features of nodes, a number to predict."""
    random = np.random.RandomState(0)
    molecules = []
    for at in range(300):
        nodes = 5 + at % 9
        edges = [[node, 1 + node % 4, node + 1] for node in range(nodes - 1)]
        features = [[int(kind == node % 5) for kind in range(5)] for node in range(nodes)]
        target = [[float(random.normal() + nodes / 9)]]
        molecules.append({"targets": target, "graph": edges, "node_features": features})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(molecules))


def _alphabets(folder):
    """1,210 characters of eleven alphabets, six drawings of each, as Omniglot has them."""
    from PIL import Image

    images, _ = digits(120, classes=12)
    for number in range(1210):
        here = folder / f"alphabet{number // 110:02d}" / f"character{number % 110:03d}"
        here.mkdir(parents=True, exist_ok=True)
        for drawing in range(6):
            drawn = np.roll(images[(number + drawing * 11) % 120], number % 28, 1)
            Image.fromarray(drawn).save(str(here / f"{drawing}.png"))


def _house_numbers(folder):
    """Files of MATLAB with small colored digits, as SVHN has them."""
    import scipy.io

    folder.mkdir(parents=True, exist_ok=True)
    for seed, part in enumerate(("train", "extra", "test")):
        images, labels = digits(600, size=32, seed=seed)
        colored = np.repeat(images[:, :, :, None], 3, axis=3).transpose(1, 2, 3, 0)
        content = {"X": colored, "y": np.where(labels == 0, 10, labels)[:, None]}
        scipy.io.savemat(str(folder / f"{part}_32x32.mat"), content)


def _hand_signs(folder):
    """Pictures "label_IMG_number.jpg" of hands that show a number, in three folders."""
    for part in ("train", "dev", "test"):
        for seed in range(48):
            image(folder / f"{part}_signs" / f"{seed % 6}_IMG_{seed:04d}.jpg", seed=seed)


def _translated(folder):
    """Sentences of two languages in the files of IWSLT 2016."""
    for seed, language in enumerate(("de", "en")):
        sentences = [line[:40].rsplit(" ", 1)[0] for line in text(20000, seed).splitlines()]
        write_lines(folder / f"train.tags.de-en.{language}", sentences)
        tagged = [f'<seg id="{at}">{line}</seg>' for at, line in enumerate(sentences[:200])]
        write_lines(folder / f"IWSLT16.TED.tst2014.de-en.{language}.xml", tagged)


def _counted_words(folder):
    """The words of `_translated` with their counts, in one file for each language."""
    words = sorted(set(text(20000).split()))
    heads = [f"{word}\t1000000000" for word in ("<PAD>", "<UNK>", "<S>", "</S>")]
    for language in ("de", "en"):
        write_lines(folder / f"{language}.vocab.tsv", heads + [f"{word}\t99" for word in words])


def _language(folder):
    """A text in three parts, each in a file "train.txt", "valid.txt", "test.txt"."""
    for seed, (part, count) in enumerate((("train", 30000), ("valid", 6000), ("test", 6000))):
        write_lines(folder / f"{part}.txt", text(count, seed).splitlines())


def _digit_pickles(folder):
    """MNIST's digits as pickles of dictionaries, X of 32 by 32 and y."""
    for part, count in (("train", 1000), ("test", 500)):
        images, labels = digits(count, size=32, seed=count)
        _pickles(folder / f"{part}.pkl", [{"X": images[..., None], "y": labels}])


def _reviews(path):
    """Reviews of films with their sentiment, with tabs between."""
    lines = text(9000).splitlines()
    rows = [f'"{at}_1"\t{at % 2}\t"{line}"' for at, line in enumerate(lines)]
    write_lines(path, ["id\tsentiment\treview", *rows])


def _word_vectors(path):
    """A hundred numbers for each word, as GloVe's files have them."""
    random = np.random.RandomState(0)
    words = sorted(set(text(20000).split()))
    lines = [" ".join([word, *(f"{x:.4f}" for x in random.normal(size=100))]) for word in words]
    write_lines(path, lines)


def _node_vectors(folder):
    """Vectors of 50 numbers for the nodes of a graph, of which its reader draws those not there."""
    vectors = [" ".join(map(str, [node] + [node % 7 / 10] * 50)) for node in range(5000)]
    write_lines(folder / "link_prediction" / "CA-GrQc_pre_train.emb", ["5000 50", *vectors])


#: kind -> the function that makes it at a path
MAKERS = {
    "clicks": _clicks,
    "relations": _relations,
    "citations": _citations,
    "knowledge": _knowledge,
    "interactions": _interactions,
    "sessions": _sessions,
    "molecules": _molecules,
    "alphabets": _alphabets,
    "house-numbers": _house_numbers,
    "hand-signs": _hand_signs,
    "translated": _translated,
    "counted-words": _counted_words,
    "language": _language,
    "digit-pickles": _digit_pickles,
    "reviews": _reviews,
    "word-vectors": _word_vectors,
    "node-vectors": _node_vectors,
}

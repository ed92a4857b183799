"""What stand-ins for data are drawn from: shapes, words, lines of text, pictures."""

import numpy as np

WORDS = (
    "the of and a to in he was that it his her with as had for she not at but be on they have "
    "him which said from all this one were would there so when out up them time more into could "
    "who man come house light sea night king queen road water love death stone tree wind fire"
).split()


def digits(count, size=28, classes=10, seed=0):
    """Images of `classes` smooth shapes with noise, [count, size, size] uint8, and labels."""
    random = np.random.RandomState(0)
    grid = np.linspace(-1, 1, size)
    shapes = []
    for _ in range(classes):
        image = np.zeros((size, size))
        for x, y, width in random.uniform([-0.6, -0.6, 0.1], [0.6, 0.6, 0.3], (4, 3)):
            distance = (grid[:, None] - y) ** 2 + (grid[None, :] - x) ** 2
            image = np.maximum(image, np.exp(-distance / width**2))
        shapes.append(image)
    random = np.random.RandomState(seed + 1)
    labels = random.randint(0, classes, count)
    noise = random.uniform(0, 0.15, (count, size, size)).astype(np.float32)
    images = np.clip(np.array(shapes, np.float32)[labels] + noise, 0, 1)
    images[images < 0.12] = 0  # paper is mostly white
    wrong = random.uniform(size=count) < 0.02  # nobody labels all of them right, or learns all
    labels = np.where(wrong, random.randint(0, classes, count), labels)
    return (images * 255).astype(np.uint8), labels.astype(np.uint8)


def text(count, seed=0):
    """`count` words in lines, drawn so that a model finds something to learn."""
    random = np.random.RandomState(seed)
    weights = 1 / np.arange(1, len(WORDS) + 1)
    draws = random.choice(len(WORDS), count, p=weights / weights.sum())
    words = [WORDS[(draw + at // 7) % len(WORDS)] for at, draw in enumerate(draws)]
    lines = [" ".join(words[at : at + 11]) for at in range(0, count, 11)]
    return "\n".join(lines) + "\n"


def write_lines(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def image(path, size=(64, 64), seed=0):
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    gray = digits(1, size=max(size), seed=seed)[0][0][: size[1], : size[0]]
    colours = np.stack([gray, 255 - gray, gray // 2], -1)
    Image.fromarray(colours).save(str(path))

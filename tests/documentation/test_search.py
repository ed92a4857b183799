"""The site's own search finds pages by what people type, and FAQ entries by the texts of errors.

Needs node, and MkDocs with its theme (in this environment or in that of scripts/docs).
"""

import json
import shutil
import subprocess

import faq_pages
import pytest
from places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.once]

#: A search: the recipe that is among the first three results.
RECIPES = {
    "GAN": "h1_gan",
    "gan two optimizers": "h1_gan",
    "generative adversarial network": "h1_gan",
    "UPDATE_OPS": "h1_gan",
    "Grad-CAM": "h2_grad_cam_and_saliency",
    "gradcam": "h2_grad_cam_and_saliency",
    "saliency": "h2_grad_cam_and_saliency",
    "class activation map": "h2_grad_cam_and_saliency",
    "saliency map": "h2_grad_cam_and_saliency",
    "guided backpropagation": "h2_grad_cam_and_saliency",
    "pruning": "h3_lottery_tickets",
    "prune weights": "h3_lottery_tickets",
    "lottery ticket": "h3_lottery_tickets",
    "MAML": "h4_maml",
    "meta-learning": "h4_maml",
    "few-shot": "h4_maml",
    "SAM": "h5_sharpness_aware",
    "sharpness-aware": "h5_sharpness_aware",
    "DANN": "h6_domain_adversarial",
    "domain adaptation": "h6_domain_adversarial",
    "gradient reversal": "h6_domain_adversarial",
    "gradient reversal layer": "h6_domain_adversarial",
    "mixed precision": "h7_mixed_precision",
    "mixed_precision training": "h7_mixed_precision",
    "loss scale": "h7_mixed_precision",
    "loss scaling": "h7_mixed_precision",
    "fp16": "h7_mixed_precision",
    "float16 training": "h7_mixed_precision",
    "update ops": "h1_gan",
    "L-BFGS": "h8_lbfgs",
    "lbfgs": "h8_lbfgs",
    "ScipyOptimizerInterface": "h8_lbfgs",
    "tf.contrib.opt.ScipyOptimizerInterface": "h8_lbfgs",
    "Hogwild": "h9_hogwild",
    "A3C": "h9_hogwild",
    "threads": "h9_hogwild",
    "asynchronous training": "h9_hogwild",
    "embedding rows": "a4_embedding_rows",
    "train new tokens": "a4_embedding_rows",
    "fine-tune embedding": "a4_embedding_rows",
}

#: The anchor of an entry: its page.
PAGE_OF = {anchor: page for page, anchor in faq_pages.anchors()}

#: A search, as people type or paste it: the FAQ entry that is among the first three results.
ERRORS = {query: f"{PAGE_OF[anchor]}.html#{anchor}" for _, query, anchor in faq_pages.searches()}


def _wishes():
    """{what people type: the pages that answer it}, of ``wishes.tsv``."""
    path = ROOT / "tests" / "documentation" / "wishes.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {query: [f"{page}.html" for page in pages.split()] for query, pages in rows}


WISHES = _wishes()


@pytest.fixture(scope="module")
def results(site):
    """{search: the locations of its first three results}."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    queries = [*RECIPES, *ERRORS, *WISHES]
    found = subprocess.run(
        [node, str(ROOT / "scripts" / "site" / "search.js"), str(site)],
        input=json.dumps(queries),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return {query: row[:3] for query, row in zip(queries, json.loads(found.stdout))}


@pytest.mark.parametrize("query", RECIPES)
def test_a_recipe_by_its_name(results, query):
    assert f"gallery/{RECIPES[query]}.html" in [row.partition("#")[0] for row in results[query]]


@pytest.mark.parametrize("query", ERRORS)
def test_an_entry_by_the_text_of_the_error(results, query):
    assert ERRORS[query] in results[query]


def _rank(query, results):
    """Returns at which place a page that answers a wish is: 1 to 3, or 4 where none is."""
    pages = [row.partition("#")[0] for row in results[query]]
    return next((i for i, page in enumerate(pages, 1) if page in WISHES[query]), 4)


def test_80_wishes_are_among_the_first_three_results_and_64_first(results):
    ranks = {query: _rank(query, results) for query in WISHES}
    assert len(WISHES) == 80
    assert {query: results[query] for query, rank in ranks.items() if rank > 3} == {}
    assert sum(rank == 1 for rank in ranks.values()) >= 64


def test_there_are_60_searches_for_entries():
    assert len(ERRORS) >= 60

"""What each checkpoint is trained on and how. A recipe's name is the checkpoint's.

Settings and weights were chosen on the dev split.
"""

from core.training.loop import OneCycle, Schedule
from core.training.recipes.base import Job, Recipe
from core.training.recipes.cccaps import CCCapsRecipe
from core.training.recipes.documents import DocumentRecipe, FlatRecipe
from core.training.recipes.drnn import DRNNRecipe
from core.training.recipes.smallnorb import SmallNORBRecipe
from core.training.recipes.sst import AGTRecipe, DRAggRecipe, EMRecipe

__all__ = ["RECIPES", "AGTRecipe", "Job", "Recipe"]

AG = {
    "corpus": "ag_news",
    "about": "topic of a news item",
    "n_classes": 4,
    "data": "a sample of 13,265 items of AG's News",
    "company_in": (("ag_news", "train"), ("dbpedia", "train")),
}
IMDB = {
    "corpus": "imdb",
    "about": "side that a film review takes",
    "n_classes": 2,
    "paper": None,
    "data": "the labelled reviews of the Large Movie Review Dataset",
    "company_in": (("imdb", "train"),),
    "longest": 256,
    "least": 8,
}
SST5_SOURCE, SST2_SOURCE = (f"Heinsen 2019, table {n}, over GPT-2 large" for n in (3, 4))
CCCAPS_SOURCE = "Ren and Lu 2022, table 5, trained on 120,000 items"
DRAGG_ON_IMDB = IMDB | {"source": "Gong et al. 2018, whose IMDB has ten classes", "longest": 320}
CCCAPS_ON_IMDB = IMDB | {
    "source": "Ren and Lu 2022, which has no IMDB",
    "schedule": Schedule(epochs=3, lr=1e-3),
}
RECIPES = {
    r.name: r
    for r in (
        DRAggRecipe(name="dragg-sst5", n_classes=5, normalize="output", paper=0.505),
        DRAggRecipe(name="dragg-sst2", n_classes=2, normalize="output", paper=0.876),
        DRAggRecipe(name="dragg-reversed-sst5", n_classes=5, normalize="input", paper=0.493),
        EMRecipe(name="em-sst5", n_classes=5, paper=0.585, source=SST5_SOURCE),
        EMRecipe(name="em-sst2", n_classes=2, paper=0.956, source=SST2_SOURCE),
        EMRecipe(
            name="em-sst5-gpt2-large",
            n_classes=5,
            paper=0.585,
            source=SST5_SOURCE,
            backbone="gpt2-large",
            schedule=OneCycle(epochs=3, lr=5e-4),
            batch=20,
            sentence_weight=1,
            d_detect=64,
        ),
        SmallNORBRecipe(name="em-smallnorb", paper=0.991),
        AGTRecipe(name="agt-sst5", paper=0.505),
        DRNNRecipe(
            name="drnn-ag",
            **AG,
            paper=0.9447,
            source="Wang 2018, table 4, trained on 120,000 items",
        ),
        CCCapsRecipe(name="cccaps-ag", **AG, paper=0.9239, source=CCCAPS_SOURCE),
        CCCapsRecipe(name="cccaps-dynamic-ag", **AG, routing="dynamic", paper=0.9214, source=CCCAPS_SOURCE),
        CCCapsRecipe(name="cccaps-imdb", **CCCAPS_ON_IMDB),
        CCCapsRecipe(name="cccaps-dynamic-imdb", **CCCAPS_ON_IMDB, routing="dynamic"),
        DocumentRecipe(name="dragg-imdb", **DRAGG_ON_IMDB | {"corpus": "imdb_documents"}),
        FlatRecipe(name="dragg-flat-imdb", **DRAGG_ON_IMDB),
        DRNNRecipe(
            name="drnn-imdb",
            **IMDB,
            source="Wang 2018, which has no IMDB",
            window=10,
            d=100,
            schedule=Schedule(epochs=3, lr=1.5e-3, adversary=10.0, evaluations=3),
        ),
    )
}

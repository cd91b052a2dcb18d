"""The model card that is shipped with a checkpoint."""

from core.manifest import Manifest


def model_card(about: Manifest, name: str, departs: str, purpose: str, reads: str) -> str:
    """README.md of a checkpoint, every figure of it taken from config.json and metrics.json.

    Args:
        about: its description.
        name: the checkpoint's.
        departs: where its training departs from the paper's.
        purpose: what it is for and what it is not for.
        reads: a sentence on how it reads its samples.
    """
    metrics = about.metrics
    run, paper, test, dev = metrics.training, metrics.paper, metrics.test, metrics.dev
    preparation = run.get("preparation_minutes", 0)
    minutes = f"{run['minutes']} minutes" + (f", after {preparation} of preparation," if preparation else "")
    theirs = ""
    if paper.accuracy is not None:
        theirs = f"| test, in the paper ({paper.source}) | {paper.accuracy:.1%} | {paper.n or test.n:,} |\n"
    has_table = "vocabulary_sha256" in about.reader and about.model.get("embedding", "plain") == "plain"
    words = ", tables of word vectors in 8 bits," if has_table else ""
    sizes = "\n".join(f"| {key} | {value} |" for key, value in about.model.items())
    return f"""# {name}

{about.task[0].upper()}{about.task[1:]}: {", ".join(about.classes)}.

| split | accuracy | samples |
|---|---|---|
| test | {test.accuracy:.1%} | {test.n:,} |
| dev | {dev.accuracy:.1%} | {dev.n:,} |
{theirs}
Made by `{run["command"]}` ({run["form"]} form, seed {run["seed"]}) in {minutes} on {run["hardware"]},
torch {run["torch"]}. Data: {run["data"]}.
{metrics.parameters:,} parameters, stored as float16{words} and run in float32.

**Where it departs from the paper.** {departs}

| setting | value |
|---|---|
{sizes}

{purpose}
{reads}
"""

"""Writes the recipe and the card of a new small network, which is trained on made texts within a minute."""

import re
from pathlib import Path
from string import Template

from core.files import write
from core.manifest import check_not_shipped
from core.training.card import CARDS

TEMPLATES = Path(__file__).parent / "skeletons"
RECIPES = Path(__file__).parent / "recipes"
KINDS = sorted(file.stem for file in TEMPLATES.glob("*.txt"))  # kinds of networks that soon learn the order of words


def write_skeleton(name: str, kind: str, recipes: Path = RECIPES, cards: Path = CARDS) -> list[Path]:
    """Write the recipe and the card of a new network, and return their files.

    ``core.training.recipes`` adds every file in its folder that has a ``RECIPE``.

    Args:
        name: name of the checkpoint, with small letters, digits and hyphens.
        kind: one of ``KINDS``.
        recipes: the folder of the recipe.
        cards: the folder of the card.

    Raises:
        ValueError: the name has other characters or belongs to a shipped checkpoint, the kind has no skeleton, or one
            of the files exists already.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ValueError(f"the name is {name!r}, wanted small letters, digits and hyphens, such as my-routing")
    if kind not in KINDS:
        raise ValueError(f"the kind is {kind!r}, wanted one with a skeleton: {', '.join(KINDS)}")
    check_not_shipped(name)
    files = {
        recipes / f"{name.replace('-', '_')}.py": TEMPLATES / f"{kind}.txt",
        cards / f"{name}.md": TEMPLATES / "card.md",
    }
    for file in files:
        if file.exists():
            raise ValueError(f"{file} exists already")
    # The first line of a skeleton names its network.
    (network,) = re.findall(r"^\"{3}Trains \$name: (.+) on made texts", (TEMPLATES / f"{kind}.txt").read_text("utf-8"))
    class_name = "".join(word.capitalize() for word in name.split("-"))
    for file, template in files.items():
        text = Template(template.read_text(encoding="utf-8"))
        write(file, text.substitute(name=name, Class=class_name, network=network).encode())
    return list(files)

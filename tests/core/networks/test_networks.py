"""Each kind of network is registered, and its traces can be read without PyTorch."""

import subprocess
import sys

from core import manifest
from core.networks import NETWORKS
from core.stored import BY_KIND
from tests.imports import ROOT, files


def test_every_kind_has_a_class_of_trace():
    assert NETWORKS.keys() <= BY_KIND.keys()
    assert all(network.record is BY_KIND[kind] for kind, network in NETWORKS.items())


def test_stored_traces_are_read_without_pytorch():
    script = (
        "import sys; from core import manifest; t = manifest.read_example('dragg-reversed-sst5'); "
        "print(type(t).__name__, *t.summary(), 'torch' in sys.modules, sep='|')"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split("|")
    assert (out[0], out[-1].strip()) == ("DRAggTrace", "False")


def test_only_traces_contain_the_name_of_a_kind():
    """Other code refers to the class. Kinds named like a page or a checkpoint are left out of the search."""
    others = {page.parent.name for page in ROOT.glob("dashboard/pages/*/page.py")} | manifest.folders().keys()
    kinds = [f'"{kind}"' for kind in NETWORKS.keys() - others]
    assert len(kinds) > 3
    code = {path: path.read_text(encoding="utf-8") for place in ("core", "dashboard") for path in files(place)}
    assert {path.parent.name for path in code if any(kind in code[path] for kind in kinds)} == {"traces"}

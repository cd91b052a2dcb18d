"""Each kind of network is registered, and its traces can be read without PyTorch."""

import subprocess
import sys

from core.networks import NETWORKS
from core.trace import BY_KIND


def test_every_kind_has_a_class_of_trace():
    assert NETWORKS.keys() <= BY_KIND.keys()
    assert all(network.record is BY_KIND[kind] for kind, network in NETWORKS.items())


def test_stored_traces_are_read_without_pytorch():
    script = (
        "import sys; from core import manifest; t = manifest.read_example('dragg-sst5'); "
        "print(type(t).__name__, *t.summary(), 'torch' in sys.modules, sep='|')"
    )
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split("|")
    assert (out[0], out[-1].strip()) == ("DRAggTrace", "False")

"""The Ray engine on a cluster of two workers on this machine."""

from functools import partial

import pytest

from core import engines
from core.sweep.__main__ import main
from tests.core.test_engines import double_at_last

pytestmark = pytest.mark.filterwarnings("default")  # Ray's own
HERE = {"node_ip_address": "127.0.0.1", "include_dashboard": False}


@pytest.fixture(scope="module")
def address():
    """A head without a CPU and two workers of one each, that speak over the loopback."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # what keeps Ray on it on those systems
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        pytest.importorskip("ray", reason="Ray is not installed")
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **HERE})
        for _ in range(2):
            cluster.add_node(num_cpus=1, **HERE)
        yield cluster.address
        cluster.shutdown()


def test_every_row_comes_once_and_a_killed_worker_s_too(address, tmp_path):
    call = partial(double_at_last)  # a sweep hands over one with the data's folder
    rows = list(engines.on_ray(call, [(n, str(tmp_path)) for n in range(4)], address))
    assert sorted(row["n"] for row in rows) == [0, 1, 2, 3]


def test_no_cluster_is_one_line(tmp_path, capsys):
    pytest.importorskip("ray", reason="Ray is not installed")
    asked = ["windows", "--corpora", "made", "--engine", "ray", "--address", "127.0.0.1:1"]
    assert main([*asked, "--out", str(tmp_path / "t.parquet")]) == 2
    assert "there is no Ray cluster at 127.0.0.1:1" in capsys.readouterr().err.splitlines()[-1]

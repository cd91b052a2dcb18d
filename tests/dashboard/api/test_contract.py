"""The document describes the answers: a client that another tool generates from it reads them all."""

import asyncio
import importlib
import json
import sys

import httpx
import pytest
from openapi_python_client import Config, MetaType, generate
from openapi_python_client.config import ConfigFile
from starlette.responses import PlainTextResponse

from core import Trace, explain, zoo
from dashboard.server.api import document, limits
from dashboard.server.api.routes import Programs

SENTENCE = "A warm, funny and deeply moving film."
NETWORKS = {  # a network of each kind, and the class of its traces in the document
    "dragg-sst5": "DRAggTrace",
    "cccaps-ag": "CCCapsTrace",
    "agt-sst5": "AGTTrace",
    "em-sst5": "EMTextTrace",
    "drnn-ag": "DRNNTrace",
    "dragg-imdb": "DocumentTrace",
}


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """The package that openapi-python-client makes from our document."""
    folder = tmp_path_factory.mktemp("clients")
    described = folder / "openapi.json"
    described.write_bytes(document.document("/"))
    config = Config.from_sources(
        ConfigFile(post_hooks=[]), MetaType.NONE, described, "utf-8", False, folder / "made_client"
    )
    errors = generate(config=config)
    assert [error.detail for error in errors if "x-ndjson" not in (error.detail or "")] == []
    sys.path.insert(0, str(folder))
    yield importlib.import_module("made_client")
    sys.path.remove(str(folder))


@pytest.fixture
def call(generated):
    """A function that sends a request with the generated client, and returns its answer."""

    def call(name, kind=None, **entries):
        operation = importlib.import_module(f"made_client.api.default.{name}")
        models = importlib.import_module("made_client.models")
        transport = httpx.ASGITransport(Programs(PlainTextResponse("page")))

        async def send():
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as session:
                client = generated.Client("http://localhost").set_async_httpx_client(session)
                body = {"body": getattr(models, kind)(**entries)} if kind else {}
                return await operation.asyncio_detailed(client=client, **body)

        return asyncio.run(send())

    return call


@pytest.mark.parametrize("name", NETWORKS)
def test_a_generated_client_reads_every_kind_of_trace(call, name):
    answer = call("explain", "ExplainRequest", network=name, text=SENTENCE).parsed
    assert type(answer.trace).__name__.lower() == NETWORKS[name].lower()
    assert Trace.from_stored(answer.trace.to_dict()) == explain(zoo.load(name, "cpu"), SENTENCE)
    assert answer.about.network == name
    assert answer.trace.additional_properties == answer.trace.extra.additional_properties == {}  # all is described


def test_a_generated_client_reads_models_cuts_and_batches(call, generated):
    models = importlib.import_module("made_client.models")
    assert set(NETWORKS) <= {model.network for model in call("models").parsed.models}
    answer = call("cuts", "CutsRequest", network="dragg-sst5", text=SENTENCE).parsed
    assert (len(answer.cuts), len(answer.cuts[0]), len(answer.cuts[0][0])) == (9, 5, 5)
    lines = call("batch", "BatchRequest", network="dragg-sst5", texts=[SENTENCE, " "], traces=True).content.splitlines()
    head = models.BatchHead.from_dict(json.loads(lines[0]))
    assert (head.about.network, len(head.classes)) == ("dragg-sst5", 5)
    done, failed = (models.BatchLine.from_dict(json.loads(line)) for line in lines[1:])
    assert done.trace.tokens[0] == "A"
    assert failed.error.startswith("There is no word")


def test_a_generated_client_reads_refusals(call):
    answer = call("explain", "ExplainRequest", network="none", text=SENTENCE)
    assert answer.status_code == 400
    assert answer.parsed.error.startswith("There is no network")


def test_the_document_states_the_limits():
    schemas = document.describe()["components"]["schemas"]
    assert schemas["ExplainRequest"]["properties"]["text"]["maxLength"] == limits.MAX_TEXT
    assert schemas["BatchRequest"]["properties"]["texts"]["maxItems"] == limits.MAX_TEXTS
    for method, operation in (pair for path in document.describe()["paths"].values() for pair in path.items()):
        assert {"200", "500", "503"} <= operation["responses"].keys()
        assert method == "get" or {"400", "403", "408", "413", "415", "429"} <= operation["responses"].keys()

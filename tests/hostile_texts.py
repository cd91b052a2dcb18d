"""Texts, addresses and uploads for a walk over the pages."""

import json
import random
from dataclasses import asdict

from dashboard.screen.pins import FORMAT, Pin

HOSTILE = [
    "",
    " \t\n",
    "a\0b",
    "never good " * 150,  # 300 words
    "x" * 20_000,
    "שלום مرحبا \u202e abc",
    "ሀለሐ 𐎠𐎡 ꦲꦏ 💥👩‍👩‍👧",
    "<b>b</b> <script>alert(1)</script> **x** [a](javascript:alert(1)) $x^2$ :red[x] {unit} %s",
    "1e309",
    "A warm, funny and deeply moving film.",
    "embed=true&EMBED_OPTIONS=x",
]
EDITS = ["drop:0", "capsule:1", "couple:3,1=0.5", "replace:2=<b>", "couplings:uniform", "sharpness:1e9", "drop:99999"]
IN_ADDRESS = (  # names of parameters in addresses
    "open",
    "checkpoint",
    "text",
    "iterations",
    "t",
    "edit",
    "tab",
    "word",
    "capsule",
    "part",
    "scene",
    "parts",
    "toy",
    "unit",
    "which",
    "idea",
)
FETCHES = ("Fetch", "Download")  # first words on buttons that need the internet
PIN = Pin("<b>", "", "routing", "dragg-sst5", "", HOSTILE[7], {"t": ["2"], "edit": EDITS})
FILES = {
    "empty.csv": b"",
    "<b>.csv": b'text,label\n"unclosed,<script>\n',
    "rows.csv": b"text,label\n<b>good</b>,positive\n\0,x\n",
    "noise.png": random.Random(0).randbytes(500),
    "no.zip": b"PK\x03\x04" + bytes(40),
    "wrong.json": b'[{"name": "<b>", "page": 3}]',
    "pins.json": json.dumps({"format": FORMAT, "runs": [asdict(PIN)]}).encode(),
}

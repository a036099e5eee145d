#!/usr/bin/env python3
"""Builds the page with the engine inside. Standard library only.

    rustup target add wasm32-unknown-unknown
    web/build.py

Writes target/web/halfpoint.html, one file that runs from a disk, and target/web/site/, the folder for a host: the same page, which
the browser keeps. CARGO names another cargo, CARGO_TARGET_DIR another target folder, WEB_CARGO_FLAGS more flags of cargo; RUSTC
and RUSTFLAGS are cargo's own.
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A relative path is cargo's, which runs there.
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
PAGE = ROOT / "web" / "page"
REPORT = ROOT / "src" / "analysis" / "page"
WASM = "wasm32-unknown-unknown"
# Of search::STACK_BYTES.
STACK_BYTES = 16 << 20
# The report's scripts that this page uses, too.
SHARED_SCRIPTS = ["tools.js", "board.js", "notation.js", "tryout.js", "share.js", "view.js"]
SCRIPTS = ["module.js", "engine.js", "run.js", "report.js", "games.js", "live.js", "main.js"]
MOST_BYTES = 3_000_000


def build_module(profile):
    """The bytes of the engine's module."""
    command = [os.environ.get("CARGO", "cargo"), "rustc", "-p", "halfpoint-web", "--profile", profile, "--target", WASM, "--locked"]
    command += os.environ.get("WEB_CARGO_FLAGS", "").split()
    command += ["--crate-type", "cdylib", "--", "-C", f"link-arg=-zstack-size={STACK_BYTES}"]
    subprocess.run(command, check=True, cwd=ROOT)
    folder = "debug" if profile == "dev" else profile
    return (TARGET / WASM / folder / "halfpoint_web.wasm").read_bytes()


def filled(frame, parts):
    """The text with its words in double braces replaced."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], frame)


def page(module, is_hosted):
    """The page in one file; on a host it asks the browser to keep it."""
    texts = lambda folder, names: "".join((folder / name).read_text(encoding="utf-8") for name in names)
    worker = json.dumps(texts(PAGE, ["module.js", "worker.js"])).replace("<", "\\u003c")
    parts = {
        "style": (REPORT / "style.css").read_text(encoding="utf-8") + (PAGE / "page.css").read_text(encoding="utf-8"),
        "pieces": (REPORT / "pieces.svg").read_text(encoding="utf-8"),
        "module": base64.b64encode(gzip.compress(module, 9, mtime=0)).decode(),
        "example": (ROOT / "examples" / "game.pgn").read_text(encoding="utf-8"),
        "workers": "blob: 'self'" if is_hosted else "blob:",
        "hosted": 'navigator.serviceWorker?.register("offline.js");\n' if is_hosted else "",
        "script": f"const WORKER = {worker};\n" + texts(REPORT, SHARED_SCRIPTS) + texts(PAGE, SCRIPTS),
    }
    return filled((PAGE / "page.html").read_text(encoding="utf-8"), parts)


def main():
    parser = argparse.ArgumentParser(description="Builds the page with the engine inside.")
    parser.add_argument("--profile", default="dist", help="cargo's profile [default: dist, the fastest]")
    arguments = parser.parse_args()
    module = build_module(arguments.profile)
    text, hosted = (page(module, is_hosted).encode() for is_hosted in (False, True))
    if len(text) > MOST_BYTES:
        raise SystemExit(f"the page has {len(text)} bytes, more than {MOST_BYTES}")
    folder = TARGET / "web"
    site = folder / "site"
    site.mkdir(parents=True, exist_ok=True)
    (folder / "halfpoint.html").write_bytes(text)
    (site / "index.html").write_bytes(hosted)
    version = {"version": hashlib.sha256(hosted).hexdigest()[:16]}
    (site / "offline.js").write_text(filled((PAGE / "offline.js").read_text(encoding="utf-8"), version), encoding="utf-8")
    shutil.copy(ROOT / "LICENSE", site / "LICENSE")
    print(f"{folder / 'halfpoint.html'}: {len(text)} bytes; the module has {len(module)}")


if __name__ == "__main__":
    main()

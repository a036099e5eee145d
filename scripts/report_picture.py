#!/usr/bin/env python3
"""Makes the picture of the first page anew: analyses examples/game.pgn, opens the report at its worst move and writes
examples/report.png, with the words that it shows in examples/report.txt. A test fails when the report says something else.

    scripts/report_picture.py [--binary target/release/halfpoint]

Needs the packages of tests/client/requirements.txt, and Chromium: that of CHROMIUM, or the one on the path.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

from arguments import ROOT, Parser, die, package, run

sync_api = package("playwright", "sync_api").sync_api

GAME = ROOT / "examples/game.pgn"
PICTURE = ROOT / "examples/report.png"
WORDS = ROOT / "examples/report.txt"
SIZE = {"width": 1180, "height": 900}
# What the picture shows of the report.
SHOWN = "header.game, .overview, .now, .moves, .moments"


def open_report(browser, report):
    """The report in a page of the browser, at its worst move."""
    page = browser.new_context(viewport=SIZE, color_scheme="light").new_page()
    page.goto(pathlib.Path(report).as_uri())
    page.locator(".worst button").click()
    page.evaluate("document.activeElement.blur()")
    return page


def words(page):
    """The words of the report, a line each."""
    lines = "\n".join(page.locator(SHOWN).all_inner_texts()).splitlines()
    return "".join(f"{line.strip()}\n" for line in lines if line.strip())


def main():
    parser = Parser(__doc__)
    parser.add_argument("--binary", default=str(ROOT / "target/release/halfpoint"))
    arguments = parser.parse_args()
    if not shutil.which(arguments.binary):
        parser.error(f"no program '{arguments.binary}'")
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_api.sync_playwright() as playwright:
        report = pathlib.Path(folder) / "game.html"
        subprocess.run([arguments.binary, "analyse", GAME, "--html", report], check=True)
        try:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            page = open_report(browser, report)
            WORDS.write_text(words(page), encoding="utf-8")
            page.screenshot(path=PICTURE)
            browser.close()
        except sync_api.Error as error:
            die(error.message.splitlines()[0])


if __name__ == "__main__":
    run(main)

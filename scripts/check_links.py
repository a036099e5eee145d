#!/usr/bin/env python3
"""Checks the documents: relative links and anchors of every tracked Markdown file, and the size of README.md and of
the pages in docs/.
Standard library only.

    scripts/check_links.py
"""

import re
import subprocess
import sys
import urllib.parse

from arguments import ROOT, Parser, run

README_BYTES = 10_240
DOCS_BYTES = 73_728

LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:(?<=\n\n)|\A)(?:(?: {4}|\t).*\n?)+")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")


def prose(text):
    """The text without code, in which brackets are no links. Lines stay where they are."""
    for pattern in (FENCE, INDENTED, CODE):
        text = pattern.sub(lambda match: "\n" * match[0].count("\n"), text)
    return text


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    for heading in re.findall(r"^#{1,6} +(.*?) *#*$", text, re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        unique, number = slug, 0
        while unique in found:
            number += 1
            unique = f"{slug}-{number}"
        found.add(unique)
    return found


def faults_of(page, tracked):
    """One line for each link of the page that leads nowhere."""
    text = prose((ROOT / page).read_text(encoding="utf-8"))
    for number, line in enumerate(text.splitlines(), 1):
        for link in LINK.findall(line):
            target, _, anchor = urllib.parse.unquote(link).partition("#")
            if re.match(r"[a-z][a-z+.-]*:", target):
                continue
            path = (ROOT / page).parent / target if target else ROOT / page
            try:
                name = path.resolve().relative_to(ROOT).as_posix()
            except ValueError:
                yield f"{page}:{number}: {link} leads out of the repository"
                continue
            if name not in tracked and not any(file.startswith(f"{name}/") for file in tracked):
                yield f"{page}:{number}: {link}: no such tracked file"
            elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                yield f"{page}:{number}: {link}: no such heading"


def main():
    Parser(__doc__).parse_args()
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    tracked = {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}
    pages = sorted(name for name in tracked if name.endswith(".md"))
    faults = [fault for page in pages for fault in faults_of(page, tracked)]

    docs = sum((ROOT / name).stat().st_size for name in pages if name.startswith("docs/"))
    sizes = [("README.md", (ROOT / "README.md").stat().st_size, README_BYTES), ("docs/", docs, DOCS_BYTES)]
    faults += [f"{name} has {size} bytes, more than {most}" for name, size, most in sizes if size > most]

    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(pages)} pages; " + ", ".join(f"{name} {size} of {most} bytes" for name, size, most in sizes))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    run(main)

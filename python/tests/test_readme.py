"""The examples of README.md, each in a Python of its own and in an empty folder."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

README = pathlib.Path(__file__).parents[1] / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_there_are_five_examples():
    assert len(EXAMPLES) == 5 and README.stat().st_size <= 4096


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_examples_run(number, tmp_path, games):
    shutil.copy(games, tmp_path / "games.pgn")
    subprocess.run([sys.executable, "-W", "error", "-c", EXAMPLES[number]], cwd=tmp_path, check=True)

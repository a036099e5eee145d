"""The types, which ship with the package."""

import pathlib
import subprocess
import sys

SOURCES = pathlib.Path(__file__).parents[1] / "lib" / "halfpoint"


def test_types_are_complete_and_right(tmp_path):
    run = lambda *arguments: subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, check=True)
    run("mypy", "--strict", SOURCES)
    # The native module has what its stub says.
    run("mypy.stubtest", "halfpoint._engine")

"""What the tests of the Python package share. They test the package that is installed, against the binary of
HALFPOINT_BIN, or target/release/halfpoint (under CARGO_TARGET_DIR, if set)."""

import os
import pathlib
import shutil

import pytest

import halfpoint

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


@pytest.fixture(scope="session")
def binary():
    path = os.environ.get("HALFPOINT_BIN", str(TARGET / "release" / "halfpoint"))
    # With the ending that programs have on Windows.
    return shutil.which(path) or path


@pytest.fixture(scope="session")
def games():
    """Annotated games of a file in the repository."""
    return ROOT / "tests" / "data" / "engine-games.pgn"


@pytest.fixture(scope="session")
def engine():
    return halfpoint.Engine(threads=2)

"""What all tests share: where the benchmark data is, if it is here at all."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Of hangs pytest's own limit takes care; a busy machine may stop any test for a second.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(scope="session")
def data() -> Path:
    """Folder of the real benchmark data; absent on most machines."""
    default = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("ATGVNET_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"the benchmark data is not at {folder}; set ATGVNET_DATA")
    return folder

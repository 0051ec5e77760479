from tests.end_to_end.conftest import harness  # noqa: F401  # a fixture

from tests.playground.conftest import ana, channel, launch, point, world  # noqa: F401  # fixtures

"""A sweep and a sample on a real local cluster of Dask: processes of their own, the same answers."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.api.skirmish import TEXT

import enfilade

distributed = pytest.importorskip("distributed", reason="Dask is an optional extra")

RULES = enfilade.load(text=TEXT)


@pytest.fixture(scope="module")
def executor() -> Iterator[Any]:
    """The executor of a cluster of two processes."""
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()


pytestmark = pytest.mark.thorough


def test_a_sample_on_a_cluster_has_the_same_counts(executor: Any) -> None:
    how: dict[str, Any] = {"trials": 12_000, "seed": 3, "fire": 5, "kernel": False}
    here = RULES.sample("shoot", **how).joint("result", "sum")
    there = RULES.sample("shoot", executor=executor, **how).joint("result", "sum")
    assert there.weights == here.weights


def test_a_grid_on_a_cluster_is_the_same(executor: Any) -> None:
    by = {"fire": range(1, 21), "distance": [1, 21]}
    assert RULES.grid("shoot", by=by, executor=executor).to_json() == RULES.grid("shoot", by=by).to_json()

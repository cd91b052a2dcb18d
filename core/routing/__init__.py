"""Routing algorithms, one per file. Each is a generator of frozen steps, one per iteration.

The state after iteration t does not depend on how many iterations follow, so a long run contains every shorter one.
"""

from collections.abc import Callable, Iterator

from core.routing.dynamic import DynamicStep, dynamic_routing
from core.routing.em import EMStep, em_routing
from core.routing.em_module import EMRouting
from core.routing.kmeans import KMeansStep, kmeans_routing
from core.routing.step import RoutingStep, squash

__all__ = [
    "ROUTINGS",
    "DynamicStep",
    "EMRouting",
    "EMStep",
    "KMeansStep",
    "RoutingStep",
    "dynamic_routing",
    "em_routing",
    "kmeans_routing",
    "squash",
]

# By name: (votes, n_iters, mask=, edit=) -> steps. CCCaps can be trained with any of them, and the Lab runs them all.
ROUTINGS: dict[str, Callable[..., Iterator[RoutingStep]]] = {"dynamic": dynamic_routing, "kmeans": kmeans_routing}

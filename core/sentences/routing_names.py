"""Names and descriptions of the routings. A routing without an entry here has the defaults."""

from dataclasses import dataclass

from core.sentences.words import capital

NAMES = {"kmeans": "k-means"}  # names on screens that differ from the name in a configuration


@dataclass(frozen=True)
class About:
    """The description of a routing.

    Args:
        subject: beginning of a sentence about the routing.
        objective: name of ``Routed.objective``.
        formula: line of LaTeX, aligned at &; "" if there is none.
    """

    subject: str
    objective: str = "agreement"
    formula: str = ""

    @property
    def title(self) -> str:
        """The name as a heading."""
        return self.subject.removesuffix(" routing")


_KNOWN = {
    "standard": About(
        "Standard routing",
        formula=r"""c_{ij} = \operatorname{softmax}_j b_{ij}, \quad
  v_j = \operatorname{squash}\textstyle\sum_i c_{ij} u_{ij}, \quad
  b_{ij} \mathrel{+}= v_j \cdot u_{ij}""",
    ),
    "reversed": About(
        "Reversed routing", formula=r"c_{ij} = \operatorname{softmax}_i b_{ij}, \quad \text{the rest as standard}"
    ),
    "k-means": About(
        "k-means",
        "loss",
        r"""c_{ij} = \operatorname{softmax}_j K \cos(u_{ij}, v_j), \quad
  v_j = \textstyle\sum_i c_{ij} u_{ij}; \quad
  \text{only after the last iteration } \operatorname{squash} v_j""",
    ),
    "EM": About(
        "EM",
        "bang per bit",
        r"""R_{ij} \propto f(a_j) \, \mathcal{N}(V_{ij}; \mu_j, \sigma_j^2), \quad
  D^{use}_{ij} = f(a_i) \, R_{ij}, \quad D^{ign}_{ij} = f(a_i) - D^{use}_{ij}, \\
  & a_j = \textstyle\sum_i \beta^{use} D^{use}_{ij} - \beta^{ign} D^{ign}_{ij}, \quad
  \mu_j, \sigma_j^2 \text{: mean and variance of } V_{ij} \text{, weighted by } D^{use}_{ij}""",
    ),
}


def about(name: str) -> About:
    """The description of the routing with this name."""
    return _KNOWN.get(name) or About(f"{capital(name)} routing")


def name_of(configured: str) -> str:
    """The name that screens have for a routing, from its name in a configuration."""
    return NAMES.get(configured, configured)

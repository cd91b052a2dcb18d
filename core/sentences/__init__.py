"""English sentences made from numbers: findings, differences, and the names of things."""

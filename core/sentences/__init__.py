"""English made of numbers: findings, differences, and how things are called."""

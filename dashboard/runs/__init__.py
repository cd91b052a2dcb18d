"""The only cached functions. They import PyTorch when they are called: the first page need not wait for it."""

"""The record that an exported figure carries, the files that hold it, and a command that checks them."""

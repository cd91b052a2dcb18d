"""The lock of all packages: their versions and the hashes of their wheels, a table of wheels, an audit and an SBOM.

``python -m tests.lock`` has a command for each.
"""

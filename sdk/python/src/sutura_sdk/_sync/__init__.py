# Made of _async/__init__.py by generate_sync.py: change that one.
"""The client for threads."""

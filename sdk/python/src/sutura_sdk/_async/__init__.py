"""The client for asyncio, and the source of the other one: generate_sync.py makes _sync of this folder."""

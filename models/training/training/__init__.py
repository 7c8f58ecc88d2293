"""The pipeline of the wound networks on a pretrained encoder: `python -m training`."""

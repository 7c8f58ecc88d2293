"""Tissue of the wound bed: fibrin or slough, granulation, and callus around it."""

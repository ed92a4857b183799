"""The parts of scripts/differences."""

"""Why a gradient is None, zero or there."""

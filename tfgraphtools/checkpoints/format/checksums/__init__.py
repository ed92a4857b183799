"""CRC-32C, the checksum of every block and tensor of a checkpoint, and its algebra."""

"""Why a command of a repository failed: what its log says, and the cause."""

"""absl's class of flag values, and which flags are those of libraries."""


def flags_class():
    """The class of ``FLAGS``."""
    from absl import flags

    return flags.FlagValues


def is_of_a_library(flag_values, name):
    """Whether a library, and no script, defined the flag of this name."""
    owner = flag_values.find_module_defining_flag(name) or ""
    libraries = ("absl", "tensorflow", "tf_keras", "keras")
    return owner.partition(".")[0] in libraries

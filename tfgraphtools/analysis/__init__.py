"""The reading of source code for `doctor` and `upgrade`, which imports nothing of what it reads.

scopes       which binding a name means
resolving    the dotted names that expressions mean
library_uses the library names that a source uses
tf1_versions conditions that tell one TF 1 from another
guards       where a missing name does no harm
branches     what never runs
exports      what the files of a codebase have from elsewhere
source_tables, library_sources, installed   whether the installed libraries have a name
keywords     which keyword arguments they refuse
left         the names of a source that nothing has, or that nobody could look at
"""

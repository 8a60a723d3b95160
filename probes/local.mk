# The hardware probes and the library for programs under test; none yet.

#!/bin/sh
# Runs a program in place of this shell, with what keeps its memory small and can only be said before it starts.
# Usage: sh scripts/run-node.sh <program> [arguments]
#
# glibc keeps large blocks for itself once larger ones were freed, as compiling the embedded database does: about 70 MB.
# A fixed threshold returns them to the system. Other systems do not know the variable.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-131072}"
exec "${npm_node_execpath:-node}" --enable-source-maps "$@"

#!/bin/sh
# kubectl runs this program, which has to be in the PATH as `kubectl_complete-sandboxc`, to complete the arguments of
# its plugin `kubectl-sandboxc`.
exec kubectl-sandboxc completions kubectl -- "$@"

module sandboxc.dev/tools/kubernetes-schemas/merge

go 1.24.0

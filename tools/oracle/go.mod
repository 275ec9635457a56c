// The module's root. The dependencies are per Kubernetes minor, in modules/<minor>/go.mod (`go build -modfile`).
module sandboxc.dev/oracle

go 1.26.0

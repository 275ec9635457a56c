// The module's root. The dependencies are per release line, in modules/<line>/go.mod (`go build -modfile`).
module sandboxc/tools/agent-sandbox-oracle

go 1.26.0

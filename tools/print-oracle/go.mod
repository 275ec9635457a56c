module sandboxc/tools/print-oracle

go 1.24

require sigs.k8s.io/yaml v1.6.0

require (
	go.yaml.in/yaml/v2 v2.4.3
	go.yaml.in/yaml/v3 v3.0.4
	go.yaml.in/yaml/v4 v4.0.0
)

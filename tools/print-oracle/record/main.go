// Command record prints every <name>.json of a directory as kubectl would, beside it
// as <name>.yaml. Folding of long lines is disabled.
package main

import (
	"log"
	"os"
	"path/filepath"
	"strings"

	goyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

func main() {
	goyaml.FutureLineWrap()
	inputs, err := filepath.Glob(filepath.Join(os.Args[1], "*.json"))
	if err != nil {
		log.Fatal(err)
	}
	for _, input := range inputs {
		json, err := os.ReadFile(input)
		if err != nil {
			log.Fatal(err)
		}
		text, err := yaml.JSONToYAML(json)
		if err != nil {
			log.Fatal(input, ": ", err)
		}
		output := strings.TrimSuffix(input, ".json") + ".yaml"
		if err := os.WriteFile(output, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

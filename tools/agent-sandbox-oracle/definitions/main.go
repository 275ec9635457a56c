// The program prints custom resource definitions without the annotation of their generator.
//
//	definitions digests LINE FILE...    a line for each: the release line, its name, and the SHA-256 of its JSON with sorted keys
//	definitions fields FILE...          a line for each value, with its path
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

type object = map[string]any

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(what string, arguments []string) error {
	line := ""
	if what == "digests" {
		line, arguments = arguments[0], arguments[1:]
	}
	var lines []string
	for _, file := range arguments {
		definitions, err := read(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, definition := range definitions {
			name := definition["metadata"].(object)["name"].(string)
			if what == "digests" {
				lines = append(lines, fmt.Sprintf("%s\t%s\t%x", line, name, sha256.Sum256(compact(definition))))
				continue
			}
			for _, it := range fields(definition, "") {
				lines = append(lines, name+it)
			}
		}
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
	return nil
}

// read returns the definitions in a file.
func read(file string) ([]object, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var found []object
	for decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(content), 4096); ; {
		var it object
		if err := decoder.Decode(&it); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		if it["kind"] == "CustomResourceDefinition" {
			delete(it["metadata"].(object), "annotations")
			found = append(found, it)
		}
	}
}

func compact(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	return bytes.TrimSpace(out.Bytes())
}

// fields returns a line for each value below a node that is not a map; lists are one value, except for those with names.
func fields(node any, path string) []string {
	var lines []string
	switch node := node.(type) {
	case object:
		for key, value := range node {
			if _, isText := value.(string); isText && key == "description" {
				continue
			}
			lines = append(lines, fields(value, path+"."+key)...)
		}
		if len(node) == 0 {
			lines = append(lines, path+": {}")
		}
	case []any:
		for _, item := range node {
			named, isNamed := item.(object)
			if !isNamed || named["name"] == nil {
				return append(lines, fmt.Sprintf("%s: %s", path, compact(node)))
			}
		}
		for _, item := range node {
			lines = append(lines, fields(item, fmt.Sprintf("%s[%v]", path, item.(object)["name"]))...)
		}
	default:
		lines = append(lines, fmt.Sprintf("%s: %s", path, compact(node)))
	}
	return lines
}

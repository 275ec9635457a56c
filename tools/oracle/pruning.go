package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// The values that judgePruning sends: every path of at most three of these steps, with a string, metadata or metadata with an
// unknown field at its end. `p` is the field that schemas declare, `q` one that none does, `0` the first item of a list.
var (
	steps = []string{"p", "q", "0"}
	ends  = []string{"text", "metadata", "odd-metadata"}
)

const preserve, embedded = "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"

// judgePruning prints how the server decodes the values under every combination of the keywords that decide which fields it
// keeps, two schemas deep. A line has the levels on which values get `apiVersion` and `kind` (a bit for each, where the
// schema has embedded objects), the verdict on each value, and the schema. A verdict is `.` for accepted, `u` for unknown
// fields and `r` for any other error; `-` instead of the verdicts is a definition that the server rejects.
func judgePruning(out io.Writer) error {
	paths := valuePaths()
	writer := bufio.NewWriter(out)
	fmt.Fprintln(writer, strings.Join(paths, " "))
	text := map[string]any{"type": "string"}
	for _, schema := range schemasAround(text) {
		if err := judgeSchema(writer, schema, paths, true); err != nil {
			return err
		}
	}
	for _, inner := range schemasAround(text) {
		for _, schema := range schemasAround(inner) {
			if err := judgeSchema(writer, schema, paths, false); err != nil {
				return err
			}
		}
	}
	return writer.Flush()
}

// schemasAround returns the schemas with this child, each with and without the two markers.
func schemasAround(child any) []map[string]any {
	text := map[string]any{"type": "string"}
	fields := map[string]any{"p": child}
	forms := []map[string]any{
		{"type": "object", "properties": fields},
		{"type": "object", "additionalProperties": child},
		{"type": "object", "properties": fields, "additionalProperties": true},
		{"type": "array", "items": child},
		{"properties": fields},
		{"additionalProperties": child},
		{"items": child},
		{"properties": fields, "items": text},
		{"properties": map[string]any{"p": text}, "items": child},
		{"additionalProperties": child, "items": text},
		{"properties": fields, "additionalProperties": true},
	}
	if isText := len(child.(map[string]any)) == 1; isText {
		forms = append(forms,
			map[string]any{"type": "object"},
			map[string]any{"type": "object", "additionalProperties": true},
			map[string]any{"type": "object", "additionalProperties": false},
			map[string]any{"additionalProperties": true},
			map[string]any{"additionalProperties": false},
			map[string]any{})
	}
	var all []map[string]any
	for _, form := range forms {
		for marks := range 4 {
			schema := map[string]any{}
			for keyword, value := range form {
				schema[keyword] = value
			}
			if marks&1 != 0 {
				schema[preserve] = true
			}
			if marks&2 != 0 {
				schema[embedded] = true
			}
			all = append(all, schema)
		}
	}
	return all
}

func valuePaths() []string {
	prefixes := []string{""}
	var paths []string
	for range 4 {
		var next []string
		for _, prefix := range prefixes {
			for _, end := range ends {
				if end == ends[0] || strings.Count(prefix, ".") < 3 {
					paths = append(paths, prefix+end)
				}
			}
			for _, step := range steps {
				next = append(next, prefix+step+".")
			}
		}
		prefixes = next
	}
	return paths
}

func judgeSchema(out io.Writer, schema map[string]any, paths []string, isListed bool) error {
	text, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	server := newServer()
	root := map[string]any{"type": "object", "properties": map[string]any{"spec": schema}}
	if server.create(pruningDefinition(root)).Stage != stageAccepted {
		if isListed {
			fmt.Fprintf(out, "0 - %s\n", text)
		}
		return nil
	}
	levels := embeddedLevels(schema)
	var verdicts strings.Builder
	for _, path := range paths {
		document, err := json.Marshal(map[string]any{"apiVersion": "example.com/v1", "kind": "Widget",
			"metadata": map[string]any{"name": "w"}, "spec": valueAt(strings.Split(path, "."), 1, levels)})
		if err != nil {
			return err
		}
		switch verdict := server.create(document); verdict.Stage {
		case stageAccepted:
			verdicts.WriteByte('.')
		case stageStrict:
			verdicts.WriteByte('u')
		default:
			verdicts.WriteByte('r')
		}
	}
	fmt.Fprintf(out, "%d %s %s\n", levels, &verdicts, text)
	return nil
}

func pruningDefinition(root any) []byte {
	names := map[string]any{"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"}
	version := map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": root}}
	text, _ := json.Marshal(map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "widgets.example.com"},
		"spec":     map[string]any{"group": "example.com", "scope": "Namespaced", "names": names, "versions": []any{version}}})
	return text
}

// embeddedLevels has bit 1 if the schema is of an embedded object, and bit 2 if one of its children is.
func embeddedLevels(schema map[string]any) int {
	levels := 0
	if schema[embedded] == true {
		levels |= 1
	}
	children := []any{schema["items"], schema["additionalProperties"]}
	if fields, ok := schema["properties"].(map[string]any); ok {
		children = append(children, fields["p"])
	}
	for _, child := range children {
		if child, ok := child.(map[string]any); ok && child[embedded] == true {
			levels |= 2
		}
	}
	return levels
}

// valueAt builds the value with this path; `level` counts from 1. Maps on the levels of embedded objects get a type.
func valueAt(path []string, level, typed int) any {
	step := path[0]
	if step == "text" {
		return "text"
	}
	if step == "0" {
		return []any{valueAt(path[1:], level+1, typed)}
	}
	value := map[string]any{}
	switch step {
	case "metadata":
		value["metadata"] = map[string]any{"name": "a"}
	case "odd-metadata":
		value["metadata"] = map[string]any{"name": "a", "q": "text"}
	default:
		value[step] = valueAt(path[1:], level+1, typed)
	}
	if typed&(1<<(level-1)) != 0 {
		value["apiVersion"], value["kind"] = "v1", "Part"
	}
	return value
}

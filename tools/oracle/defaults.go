package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

const intOrString = "x-kubernetes-int-or-string"

// judgeDefaults prints the verdict on definitions with a default, for every pair of a schema and a value. The first line has
// the values. Each other line has a place (`here` is a default of the schema itself, `field` and `item` one of an object or
// a list around it), a verdict on each value (`.` for accepted, `r` for rejected), and the schema.
func judgeDefaults(out io.Writer) error {
	values := []any{0, 1, -1, 1.5, 2147483648, "", "a", "aa", "1", "2020-01-01", true, nil, []any{}, []any{"a"}, []any{1},
		map[string]any{}, map[string]any{"p": "a"}, map[string]any{"p": 1}, map[string]any{"q": "a"}}
	text := map[string]any{"type": "string"}
	schemas := []map[string]any{
		{"type": "string"},
		{"type": "string", "nullable": true},
		{"type": "string", "enum": []any{"a", "b"}},
		{"type": "string", "maxLength": 1},
		{"type": "string", "pattern": "^a+$"},
		{"type": "integer"},
		{"type": "integer", "format": "int32"},
		{"type": "integer", "minimum": 1},
		{"type": "number"},
		{"type": "boolean"},
		{"type": "array", "items": text},
		{"type": "array", "items": text, "maxItems": 0},
		{"type": "object", "properties": map[string]any{"p": text}},
		{"type": "object", "properties": map[string]any{"p": text}, "required": []any{"p"}},
		{"type": "object", "additionalProperties": text},
		{"type": "object", preserve: true},
		{preserve: true},
		{intOrString: true},
		{intOrString: true, "nullable": true},
		{intOrString: true, "minimum": 1},
		{intOrString: true, "pattern": "^a+$"},
		{intOrString: true, "enum": []any{1, "a"}},
		{intOrString: true, "anyOf": []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}},
		{intOrString: true, preserve: true},
	}
	writer := bufio.NewWriter(out)
	header, err := json.Marshal(values)
	if err != nil {
		return err
	}
	fmt.Fprintf(writer, "%s\n", header)
	for _, schema := range schemas {
		text, err := json.Marshal(schema)
		if err != nil {
			return err
		}
		for _, place := range []string{"here", "field", "item"} {
			var verdicts strings.Builder
			for _, value := range values {
				root := map[string]any{"type": "object", "properties": map[string]any{"spec": withDefault(schema, value, place)}}
				if newServer().create(pruningDefinition(root)).Stage == stageAccepted {
					verdicts.WriteByte('.')
				} else {
					verdicts.WriteByte('r')
				}
			}
			fmt.Fprintf(writer, "%s %s %s\n", place, &verdicts, text)
		}
	}
	return writer.Flush()
}

func withDefault(schema map[string]any, value any, place string) map[string]any {
	switch place {
	case "field":
		return map[string]any{"type": "object", "properties": map[string]any{"f": schema}, "default": map[string]any{"f": value}}
	case "item":
		return map[string]any{"type": "array", "items": schema, "default": []any{value}}
	}
	own := map[string]any{"default": value}
	for keyword, argument := range schema {
		own[keyword] = argument
	}
	return own
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"sort"

	"sigs.k8s.io/yaml"
)

// minimiser shrinks documents on which the server and sandboxc disagree.
type minimiser struct {
	// program is the path of sandboxc, version the minor version to check for.
	program, version string
	out              io.Writer
}

// add writes the smallest document found that still makes the two disagree, if they do on this one. What is left out one
// after the other are entries of maps and items of lists, again and again until nothing more can go.
func (m *minimiser) add(name string, text []byte, server func([]byte) Verdict) error {
	var object any
	if err := yaml.Unmarshal(text, &object); err != nil {
		// There is no tree to shrink.
		return nil
	}
	disagree := func(candidate any) bool {
		document, err := json.Marshal(candidate)
		return err == nil && (server(document).Stage == stageAccepted) != m.accepts(document)
	}
	if !disagree(object) {
		return nil
	}
	for isSmaller := true; isSmaller; {
		isSmaller = false
		for _, smaller := range without(object) {
			if disagree(smaller) {
				object, isSmaller = smaller, true
				break
			}
		}
	}
	document, err := yaml.Marshal(object)
	if err != nil {
		return err
	}
	verdict := server(document)
	_, err = fmt.Fprintf(m.out, "--- # %s %s %v\n%s", name, verdict.Stage, verdict.Errors, document)
	return err
}

// accepts runs sandboxc, whose exit status 1 means that the document is rejected.
func (m *minimiser) accepts(document []byte) bool {
	command := exec.Command(m.program, "check", "--kubernetes", m.version, "-")
	command.Stdin = bytes.NewReader(document)
	return command.Run() == nil
}

// without lists the trees that lack one entry or one item of this one, the largest parts first.
func without(value any) []any {
	var all []any
	switch value := value.(type) {
	case map[string]any:
		keys := make([]string, 0, len(value))
		for key := range value {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			rest := copyOf(value)
			delete(rest, key)
			all = append(all, rest)
		}
		for _, key := range keys {
			for _, smaller := range without(value[key]) {
				changed := copyOf(value)
				changed[key] = smaller
				all = append(all, changed)
			}
		}
	case []any:
		for i := range value {
			all = append(all, append(append([]any{}, value[:i]...), value[i+1:]...))
		}
		for i := range value {
			for _, smaller := range without(value[i]) {
				changed := append([]any{}, value...)
				changed[i] = smaller
				all = append(all, changed)
			}
		}
	}
	return all
}

func copyOf(value map[string]any) map[string]any {
	copied := make(map[string]any, len(value))
	for key, each := range value {
		copied[key] = each
	}
	return copied
}

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// document is a document of the corpus.
type document struct {
	// id is "<stream>#<name>".
	id, body string
}

func (d document) stream() string {
	stream, _, _ := strings.Cut(d.id, "#")
	return stream
}

// kind is the second part of the stream: of "cases/pod/rich" as of "updates/pod".
func (d document) kind() string { return strings.Split(d.stream(), "/")[1] }

// readDocuments reads the files that match patterns below a root, in the order of their streams. A marker names the
// stream of its document if the file has several; otherwise it is the path of the file.
func readDocuments(root string, patterns ...string) ([]document, error) {
	var all []document
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			relative, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			stream := strings.TrimSuffix(filepath.ToSlash(relative), ".yaml")
			for _, part := range strings.Split("\n"+strings.TrimSuffix(string(text), "\n"), "\n--- # ")[1:] {
				head, body, _ := strings.Cut(part, "\n")
				id, _, _ := strings.Cut(head, " ")
				if !strings.Contains(id, "#") {
					id = stream + "#" + id
				}
				all = append(all, document{id, body + "\n"})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b document) int { return strings.Compare(a.stream(), b.stream()) })
	return all, nil
}

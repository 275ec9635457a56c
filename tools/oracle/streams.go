package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// stream is a list of named documents.
type stream struct {
	// name is the path of the file below the root, without its extension, or what is before "#" in the names of the
	// documents, if a file has several streams.
	name      string
	documents []document
}

type document struct{ name, text string }

const marker = "--- # "

// split splits a stream at its named markers. Text before the first marker is not a document.
func split(text string) []document {
	var documents []document
	for _, line := range strings.SplitAfter(text, "\n") {
		if name, ok := strings.CutPrefix(line, marker); ok {
			name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
			documents = append(documents, document{name: name})
		} else if len(documents) > 0 {
			documents[len(documents)-1].text += line
		}
	}
	for i := range documents {
		documents[i].text = expand(documents[i].text)
	}
	return documents
}

var repeated = regexp.MustCompile(`«(.)\*(\d+)»`)

// expand expands the abbreviations of a stream: "«x*300»" is 300 times x.
func expand(text string) string {
	return repeated.ReplaceAllStringFunc(text, func(found string) string {
		parts := repeated.FindStringSubmatch(found)
		count, err := strconv.Atoi(parts[2])
		if err != nil {
			return found
		}
		return strings.Repeat(parts[1], count)
	})
}

// readStreams reads the files that match patterns below a root, in the order of the streams.
func readStreams(root string, patterns []string) ([]stream, error) {
	var paths []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	sort.Strings(paths)
	if len(paths) == 0 {
		return nil, fmt.Errorf("no streams in %q", patterns)
	}
	var streams []stream
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.ToSlash(relative), ".yaml")
		for _, it := range split(string(text)) {
			of := name
			if before, after, ok := strings.Cut(it.name, "#"); ok {
				of, it.name = before, after
			}
			if last := len(streams) - 1; last < 0 || streams[last].name != of {
				streams = append(streams, stream{name: of})
			}
			last := &streams[len(streams)-1]
			last.documents = append(last.documents, it)
		}
	}
	sort.SliceStable(streams, func(i, j int) bool { return streams[i].name < streams[j].name })
	return streams, nil
}

// lines returns an encoder that prints a value a line, with its text as it is.
func lines(to io.Writer) *json.Encoder {
	encoder := json.NewEncoder(to)
	encoder.SetEscapeHTML(false)
	return encoder
}

// caseVerdicts has the verdicts on the objects of a case.
type caseVerdicts[T any] struct {
	ID      string `json:"id"`
	Objects []T    `json:"objects"`
}

// judgeCases prints the verdicts on the objects of each case of the streams. A case is a document whose parts are its objects.
// A case without verdicts is left out.
func judgeCases[T any](root string, patterns []string, to io.Writer, judge func(objects []string) ([]T, error)) error {
	streams, err := readStreams(root, patterns)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	encoder := lines(out)
	for _, it := range streams {
		for _, document := range it.documents {
			id := it.name + "#" + document.name
			verdicts, err := judge(strings.Split(document.text, "\n---\n"))
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
			if verdicts == nil {
				continue
			}
			if err := encoder.Encode(caseVerdicts[T]{ID: id, Objects: verdicts}); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

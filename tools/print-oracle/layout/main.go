// Command layout compares the YAML files of two folders: those before and after `sandboxc fmt`. go-yaml v2 and v3 must
// read the same values from both, and v3 also where the lines of one comment lose their comment characters, for each
// comment that is YAML then.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	v2 "go.yaml.in/yaml/v2"
	v3 "go.yaml.in/yaml/v3"
)

type decoder interface{ Decode(any) error }

// values returns all documents of a text, and whether one of them cannot be read.
func values(reader decoder) (read []any, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
	}()
	for {
		var value any
		switch err := reader.Decode(&value); {
		case errors.Is(err, io.EOF):
			return read, nil
		case err != nil:
			return read, err
		}
		read = append(read, value)
	}
}

func of2(text []byte) ([]any, error) { return values(v2.NewDecoder(bytes.NewReader(text))) }
func of3(text []byte) ([]any, error) { return values(v3.NewDecoder(bytes.NewReader(text))) }

var comment = regexp.MustCompile(`^([ \t]*)# ?(.*)$`)

// comments has the first and the last line of each run of lines that are comments.
func comments(lines []string) (runs [][2]int) {
	for at, line := range lines {
		if !comment.MatchString(line) {
			continue
		}
		if last := len(runs) - 1; last >= 0 && runs[last][1] == at-1 {
			runs[last][1] = at
		} else {
			runs = append(runs, [2]int{at, at})
		}
	}
	return runs
}

// uncommented has the lines, without the comment characters of one run.
func uncommented(lines []string, run [2]int) []byte {
	copied := append([]string(nil), lines...)
	for at := run[0]; at <= run[1]; at++ {
		copied[at] = comment.ReplaceAllString(lines[at], "$1$2")
	}
	return []byte(strings.Join(copied, "\n"))
}

func main() {
	before, after := os.Args[1], os.Args[2]
	files, changed, commented, uneven, different := 0, 0, 0, 0, 0
	complain := func(path, reader string, a, b error) {
		different++
		fmt.Printf("%s: %s reads other values (%v; %v)\n", path, reader, a, b)
	}
	err := filepath.WalkDir(before, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !(strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml")) {
			return err
		}
		relative, err := filepath.Rel(before, path)
		if err != nil {
			return err
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(after, relative))
		if err != nil {
			return err
		}
		files++
		if bytes.Equal(old, text) {
			return nil
		}
		changed++
		for reader, read := range map[string]func([]byte) ([]any, error){"v2": of2, "v3": of3} {
			was, wasError := read(old)
			is, isError := read(text)
			if (wasError == nil) != (isError == nil) || wasError == nil && !reflect.DeepEqual(was, is) {
				complain(relative, reader, wasError, isError)
			}
		}
		oldLines, lines := strings.Split(string(old), "\n"), strings.Split(string(text), "\n")
		oldRuns, runs := comments(oldLines), comments(lines)
		if len(oldRuns) != len(runs) {
			uneven++
			return nil
		}
		for at, run := range oldRuns {
			was, err := of3(uncommented(oldLines, run))
			if err != nil {
				continue
			}
			commented++
			is, isError := of3(uncommented(lines, runs[at]))
			if isError != nil || !reflect.DeepEqual(was, is) {
				complain(fmt.Sprintf("%s:%d", relative, run[0]+1), "v3, without comment characters,", nil, isError)
			}
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d files, %d formatted, %d comments that are YAML, %d files with other runs of comments: %d differences\n", files, changed, commented, uneven, different)
	if different > 0 {
		os.Exit(1)
	}
}

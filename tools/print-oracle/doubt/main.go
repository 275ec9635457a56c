// Command doubt prints which of the strings on standard input a reader in Go does not read as
// strings. The argument is go-yaml-v2, go-yaml-v3, go-yaml-v4 or sigs.k8s.io.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	v2 "go.yaml.in/yaml/v2"
	v3 "go.yaml.in/yaml/v3"
	v4 "go.yaml.in/yaml/v4"
	kubernetes "sigs.k8s.io/yaml"
)

const batch = 500

type reader func([]byte, *[]any) error

var readers = map[string]reader{
	"go-yaml-v2": func(text []byte, values *[]any) error { return v2.Unmarshal(text, values) },
	"go-yaml-v3": func(text []byte, values *[]any) error { return v3.Unmarshal(text, values) },
	"go-yaml-v4": func(text []byte, values *[]any) error { return v4.Unmarshal(text, values) },
	"sigs.k8s.io": func(text []byte, values *[]any) error {
		converted, err := kubernetes.YAMLToJSON(text)
		if err != nil {
			return err
		}
		return json.Unmarshal(converted, values)
	},
}

func judge(read reader, texts []string, out *bufio.Writer) {
	var values []any
	err := read([]byte("- "+strings.Join(texts, "\n- ")+"\n"), &values)
	if err == nil && len(values) != len(texts) {
		err = fmt.Errorf("%d values of %d", len(values), len(texts))
	}
	if err != nil && len(texts) > 1 {
		half := len(texts) / 2
		judge(read, texts[:half], out)
		judge(read, texts[half:], out)
		return
	}
	for at, text := range texts {
		if err != nil || values[at] != any(text) {
			fmt.Fprintln(out, text)
		}
	}
}

func main() {
	read, out := readers[os.Args[1]], bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var texts []string
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		texts = append(texts, lines.Text())
		if len(texts) == batch {
			judge(read, texts, out)
			texts = texts[:0]
		}
	}
	if len(texts) > 0 {
		judge(read, texts, out)
	}
}

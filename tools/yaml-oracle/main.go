// Command yaml-oracle records what Kubernetes' YAML reader makes of texts.
//
// The texts come from standard input, each as its length in bytes, a line feed, the text, and a line
// feed. For each text it prints a verdict, without separators; see README.md for the format.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"

	yamlv2 "go.yaml.in/yaml/v2"
	yamlv3 "go.yaml.in/yaml/v3"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// verdict is the result for a text.
type verdict struct {
	refused, duplicates, dropped, refusedByV3 bool
	values                                    []any
	problem                                   string
}

func main() {
	isVerbose := len(os.Args) > 1 && os.Args[1] == "-v"
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var all, accepted, onlyV2, onlyV3 int
	for {
		text, err := next(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		verdict := read(text)
		all++
		if !verdict.refused {
			accepted++
		}
		if !verdict.refused && verdict.refusedByV3 {
			onlyV2++
		}
		if verdict.refused && !verdict.refusedByV3 {
			onlyV3++
		}
		if isVerbose {
			fmt.Fprintf(out, "%s\t%s\t%s\n", verdict.code(), verdict.problem, canonicalAll(verdict.values))
			continue
		}
		out.WriteString(verdict.code())
		if all%100 == 0 {
			out.WriteByte('\n')
		}
	}
	if all%100 != 0 && !isVerbose {
		out.WriteByte('\n')
	}
	fmt.Fprintf(os.Stderr, "%d texts: %d accepted, %d of them rejected by v3; %d accepted by v3 alone\n", all, accepted, onlyV2, onlyV3)
}

func next(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	length, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		return nil, err
	}
	text := make([]byte, length+1)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, err
	}
	return text[:length], nil
}

// read splits a text as kubectl does, and reads each chunk as kubectl does.
func read(text []byte) verdict {
	var result verdict
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))))
	for {
		chunk, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return result
		}
		if err != nil {
			return verdict{refused: true, refusedByV3: true, problem: err.Error()}
		}
		if len(chunk) == 0 {
			continue
		}
		var other any
		if yamlv3.Unmarshal(chunk, &other) != nil {
			result.refusedByV3 = true
		}
		value, err := readChunk(chunk, &result)
		if err != nil {
			result.refused, result.problem = true, err.Error()
			continue
		}
		if value != nil {
			result.values = append(result.values, value)
		}
	}
}

func readChunk(chunk []byte, result *verdict) (any, error) {
	read, err := yaml.YAMLToJSON(chunk)
	if err != nil {
		return nil, err
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(read))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := yaml.YAMLToJSONStrict(chunk); err != nil {
		result.duplicates = true
		result.problem = err.Error()
	}
	// A second reading of the same document, to find keys that are equal as strings, and text after its
	// end that is dropped.
	var tree, rest any
	documents := yamlv2.NewDecoder(bytes.NewReader(chunk))
	if err := documents.Decode(&tree); err == nil {
		if entries(tree) != entries(value) {
			result.duplicates = true
		}
		if err := documents.Decode(&rest); !errors.Is(err, io.EOF) {
			result.dropped = true
		}
	}
	return value, nil
}

// entries counts the entries of all maps.
func entries(value any) int {
	count := 0
	switch value := value.(type) {
	case map[any]any:
		for _, it := range value {
			count += 1 + entries(it)
		}
	case map[string]any:
		for _, it := range value {
			count += 1 + entries(it)
		}
	case []any:
		for _, it := range value {
			count += entries(it)
		}
	}
	return count
}

func (v verdict) code() string {
	switch {
	case v.refused:
		return "-"
	case v.dropped:
		return "."
	}
	hash := fnv.New32a()
	hash.Write([]byte(canonicalAll(v.values)))
	sum := hash.Sum32()
	sum ^= sum >> 24
	code := []byte{'=', digits[sum>>18&63], digits[sum>>12&63], digits[sum>>6&63], digits[sum&63]}
	if v.duplicates {
		code[0] = '!'
	}
	return string(code)
}

func canonicalAll(values []any) string {
	var text strings.Builder
	for _, value := range values {
		canonical(&text, value)
	}
	return text.String()
}

// canonical writes a value in a form that does not depend on the order of keys or the notation of
// numbers.
func canonical(out *strings.Builder, value any) {
	switch value := value.(type) {
	case nil:
		out.WriteByte('n')
	case bool:
		out.WriteByte(map[bool]byte{true: 't', false: 'f'}[value])
	case string:
		fmt.Fprintf(out, "s%d:%s", len(value), value)
	case json.Number:
		out.WriteString(number(value.String()))
	case []any:
		out.WriteByte('[')
		for _, item := range value {
			canonical(out, item)
		}
		out.WriteByte(']')
	case map[string]any:
		out.WriteByte('{')
		keys := make([]string, 0, len(value))
		for key := range value {
			keys = append(keys, key)
		}
		sort.Strings(keys)
		for _, key := range keys {
			canonical(out, key)
			canonical(out, value[key])
		}
		out.WriteByte('}')
	}
}

func number(text string) string {
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return fmt.Sprintf("i%d", whole)
	}
	if whole, err := strconv.ParseUint(text, 10, 64); err == nil {
		return fmt.Sprintf("i%d", whole)
	}
	float, _ := strconv.ParseFloat(text, 64)
	return fmt.Sprintf("d%016x", math.Float64bits(float))
}

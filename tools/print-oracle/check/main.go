// Command check reads each case of a file with Kubernetes' reader (sigs.k8s.io/yaml) and says which ones
// it reads as another value. A case is a line of JSON: {"value": ..., "yaml": "..."}.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"os"
	"reflect"

	"sigs.k8s.io/yaml"
)

func decode(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return normal(value), err
}

// normal writes every number in one form: whole numbers of 64 bits exactly, all others as floats.
func normal(value any) any {
	switch value := value.(type) {
	case json.Number:
		if number, ok := new(big.Int).SetString(value.String(), 10); ok && number.BitLen() <= 64 {
			return number.String()
		}
		float, err := value.Float64()
		if err != nil {
			return value
		}
		if number, accuracy := big.NewFloat(float).Int(nil); accuracy == big.Exact && number.BitLen() <= 64 {
			return number.String()
		}
		return float
	case []any:
		for i := range value {
			value[i] = normal(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = normal(value[key])
		}
	}
	return value
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	cases, wrong := 0, 0
	for lines.Scan() {
		var one struct {
			Value json.RawMessage `json:"value"`
			YAML  string          `json:"yaml"`
		}
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			log.Fatal(err)
		}
		cases++
		expected, err := decode(one.Value)
		if err != nil {
			log.Fatal(err)
		}
		text, err := yaml.YAMLToJSONStrict([]byte(one.YAML))
		if err != nil {
			wrong++
			fmt.Printf("refused: %v\n%s\n", err, one.YAML)
			continue
		}
		if read, err := decode(text); err != nil || !reflect.DeepEqual(read, expected) {
			wrong++
			fmt.Printf("read as %v, not %v:\n%s\n", read, expected, one.YAML)
		}
	}
	fmt.Printf("%d cases, %d read differently\n", cases, wrong)
	if wrong > 0 || lines.Err() != nil {
		os.Exit(1)
	}
}

// Command mutate writes fixtures/conformance/mutated/<kind>.yaml: each document is a valid object with one change.
//
//	go run ./mutate ../../fixtures/conformance
//
// The valid objects are those of cases/<kind>/rich.yaml. A document's marker says what was changed. The changes are drawn
// by a fixed seed, so a run writes the same bytes until the objects change.
package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// perPlace is the average number of changes at each value of an object.
const perPlace = 1.2

// least and most limit the number of mutants of one object.
const least, most = 20, 260

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mutate <fixtures/conformance>")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	seeds, err := filepath.Glob(filepath.Join(root, "cases", "*", "rich.yaml"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(root, "mutated"), 0o755); err != nil {
		return err
	}
	for _, path := range seeds {
		kind := filepath.Base(filepath.Dir(path))
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var mutants []string
		for _, document := range strings.Split("\n"+string(text), "\n--- # ")[1:] {
			_, body, _ := strings.Cut(document, "\n")
			var object any
			if err := yaml.Unmarshal([]byte(body), &object); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			mutants = append(mutants, mutate(kind, fromJSON(object))...)
		}
		var stream strings.Builder
		for i, mutant := range mutants {
			fmt.Fprintf(&stream, "--- # %03d %s\n", i, mutant)
		}
		target := filepath.Join(root, "mutated", kind+".yaml")
		if err := os.WriteFile(target, []byte(stream.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// mutate lists "<description of the change>\n<the object as one line of JSON>", without duplicate objects.
func mutate(kind string, object *node) []string {
	hash := fnv.New64a()
	hash.Write([]byte(kind))
	random := rand.New(rand.NewPCG(hash.Sum64(), 1))
	places := object.places("")
	count := min(max(int(float64(len(places))*perPlace), least), most)
	seen := map[string]bool{object.String(): true}
	var mutants []string
	for tries := 0; len(mutants) < count && tries < 20*count; tries++ {
		changed := object.clone()
		places := changed.places("")
		place := places[random.IntN(len(places))]
		change := changes[random.IntN(len(changes))]
		what, ok := change(random, changed, place)
		if text := changed.String(); ok && !seen[text] {
			seen[text] = true
			mutants = append(mutants, what+" "+place.path+"\n"+text)
		}
	}
	return mutants
}

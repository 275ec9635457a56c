// Command mutate writes fixtures/conformance/mutated/objects.yaml: each document is a valid object with one change.
//
//	go run ./mutate ../../fixtures/conformance
//	go run ./mutate -updates ../../fixtures/conformance
//	go run ./mutate -net <folder> -count 400 -seed 1 [-more <folder>] ../../fixtures/conformance
//
// The valid objects are those of cases/rich.yaml. A document's marker says what was changed. The changes are drawn
// by a fixed seed, so a run writes the same bytes until the objects change.
//
// With -net, the valid objects are all documents that the newest version accepts and those in the files of another folder,
// and the changes go into <folder>/mutated: a set that is larger than the one in the repository, to find differences.
//
// With -updates, it writes changes of valid objects as operations of JSON patches instead, to updates/pairs.jsonl.
package main

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"sigs.k8s.io/yaml"
)

// perPlace is the average number of changes at each value of an object.
const perPlace = 1.2

// least and most limit the number of mutants of one object.
const least, most = 20, 260

// crossed is the number of changes of each object in view of the others.
const crossed = 12

func main() {
	var wide net
	flag.StringVar(&wide.folder, "net", "", "write a larger set of mutants into this folder")
	flag.StringVar(&wide.more, "more", "", "a folder of YAML files with more valid objects for that set")
	flag.IntVar(&wide.count, "count", 400, "the number of its mutants of each kind")
	flag.Uint64Var(&wide.seed, "seed", 1, "the seed of its changes")
	flag.BoolVar(&wide.sweeps, "sweep", false, "make every change of a field of a kind once, instead of a number by chance")
	updates := flag.Bool("updates", false, "write updates/pairs.jsonl: changes of valid objects")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: mutate [-net <folder>] <fixtures/conformance>")
		os.Exit(2)
	}
	run := run
	if wide.folder != "" {
		run = wide.run
	} else if *updates {
		run = writePairs
	}
	if err := run(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	documents, err := readDocuments(root, "cases/rich.yaml")
	if err != nil {
		return err
	}
	objects := map[string][]*node{}
	var kinds []string
	var all []*node
	for _, it := range documents {
		var value any
		if err := yaml.Unmarshal([]byte(it.body), &value); err != nil {
			return fmt.Errorf("%s: %w", it.id, err)
		}
		kind, object := it.kind(), fromJSON(value)
		if objects[kind] == nil {
			kinds = append(kinds, kind)
		}
		objects[kind] = append(objects[kind], object)
		all = append(all, object)
	}
	g := newGenerator(all)
	sort.Strings(kinds)
	var stream strings.Builder
	for _, kind := range kinds {
		var mutants []string
		for _, object := range objects[kind] {
			mutants = append(mutants, mutate(kind, object)...)
		}
		random := randomOf(kind, 2)
		for _, object := range objects[kind] {
			mutants = append(mutants, g.cross(random, object, crossed)...)
		}
		add(&stream, kind, mutants)
	}
	return write(root, &stream)
}

// add adds the mutants of a kind, which are the stream mutated/<kind>.
func add(stream *strings.Builder, kind string, mutants []string) {
	for i, mutant := range mutants {
		fmt.Fprintf(stream, "--- # mutated/%s#%03d %s\n", kind, i, mutant)
	}
}

func write(root string, stream *strings.Builder) error {
	folder := filepath.Join(root, "mutated")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "objects.yaml"), []byte(stream.String()), 0o644)
}

func randomOf(kind string, seed uint64) *rand.Rand {
	hash := fnv.New64a()
	hash.Write([]byte(kind))
	return rand.New(rand.NewPCG(hash.Sum64(), seed))
}

// mutate lists "<description of the change>\n<the object as one line of JSON>", without duplicate objects.
func mutate(kind string, object *node) []string {
	random := randomOf(kind, 1)
	places := object.places("")
	count := min(max(int(float64(len(places))*perPlace), least), most)
	seen := map[string]bool{object.String(): true}
	var mutants []string
	for tries := 0; len(mutants) < count && tries < 20*count; tries++ {
		changed := object.clone()
		what, ok := changeAlone(random, changed)
		if text := changed.String(); ok && !seen[text] {
			seen[text] = true
			mutants = append(mutants, what+"\n"+text)
		}
	}
	return mutants
}

// changeAlone makes one change that needs no other object.
func changeAlone(random *rand.Rand, object *node) (string, bool) {
	places := object.places("")
	place := places[random.IntN(len(places))]
	change := changes[random.IntN(len(changes))]
	what, ok := change(random, object, place)
	return what + " " + place.path, ok
}

// cross is mutate with the changes that need the other objects.
func (g *generator) cross(random *rand.Rand, object *node, count int) []string {
	seen := map[string]bool{object.String(): true}
	var mutants []string
	for tries := 0; len(mutants) < count && tries < 20*count; tries++ {
		changed := object.clone()
		what, ok := crossings[random.IntN(len(crossings))](g, random, changed)
		if text := changed.String(); ok && !seen[text] && len(text) < 20_000 {
			seen[text] = true
			mutants = append(mutants, what+"\n"+text)
		}
	}
	return mutants
}

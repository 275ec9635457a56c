package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"sigs.k8s.io/yaml"
)

// extension are the kinds of Kubernetes whose types are in modules of their own.
var extension = map[string]bool{"customresourcedefinition": true, "apiservice": true}

// net is a larger set of mutants.
type net struct {
	folder, more string
	count        int
	seed         uint64
	// sweeps makes each change of a field once, instead of some by chance.
	sweeps bool
}

// run writes the set: of each kind the same number, with one or two changes.
func (n *net) run(root string) error {
	kinds, err := n.objects(root)
	if err != nil {
		return err
	}
	var all []*node
	var names []string
	for kind := range kinds {
		names = append(names, kind)
	}
	sort.Strings(names)
	for _, kind := range names {
		all = append(all, kinds[kind]...)
	}
	g := newGenerator(all)
	var stream strings.Builder
	for _, kind := range names {
		random := randomOf(kind, n.seed)
		if n.sweeps {
			all := sweep{g: g, random: random, seen: map[string]bool{}}
			for _, object := range kinds[kind] {
				all.object(object)
			}
			add(&stream, kind, all.made)
			continue
		}
		seen := map[string]bool{}
		var mutants []string
		for tries := 0; len(mutants) < n.count && tries < 20*n.count; tries++ {
			object := kinds[kind][random.IntN(len(kinds[kind]))].clone()
			var said []string
			for range 1 + random.IntN(5)/4 {
				what, ok := g.change(random, object)
				if ok {
					said = append(said, what)
				}
			}
			if text := object.String(); len(said) > 0 && !seen[text] && len(text) < 20_000 {
				seen[text] = true
				mutants = append(mutants, strings.Join(said, "; ")+"\n"+text)
			}
		}
		add(&stream, kind, mutants)
	}
	return write(n.folder, &stream)
}

// change makes one change of any sort.
func (g *generator) change(random *rand.Rand, object *node) (string, bool) {
	if random.IntN(3) == 0 {
		return changeAlone(random, object)
	}
	return crossings[random.IntN(len(crossings))](g, random, object)
}

// acceptedByNewest reports for each recorded document whether the newest version accepts it. The first line of the
// recording lists the versions, and a line that applies to only some of them lists these.
func acceptedByNewest(path string) (map[string]bool, error) {
	recording, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	newest := ""
	accepted := map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(recording)); lines.Scan(); {
		var verdict struct {
			Versions  []string
			ID, Stage string
		}
		if err := json.Unmarshal(lines.Bytes(), &verdict); err != nil {
			return nil, err
		}
		if newest == "" {
			newest = verdict.Versions[len(verdict.Versions)-1]
		} else if verdict.Versions == nil || slices.Contains(verdict.Versions, newest) {
			accepted[verdict.ID] = verdict.Stage == "accepted"
		}
	}
	return accepted, nil
}

// objects are the valid objects by kind.
func (n *net) objects(root string) (map[string][]*node, error) {
	accepted, err := acceptedByNewest(filepath.Join(root, "recorded", "verdicts.jsonl"))
	if err != nil {
		return nil, err
	}
	kinds := map[string][]*node{}
	seen := map[string]bool{}
	add := func(body string) {
		var value any
		if err := yaml.Unmarshal([]byte(body), &value); err != nil {
			return
		}
		object := fromJSON(value)
		kind := strings.ToLower(object.text("kind"))
		text := object.String()
		if kind == "" || len(typesOf(object)) == 0 && !extension[kind] || len(text) > 20_000 || seen[text] {
			return
		}
		seen[text] = true
		kinds[kind] = append(kinds[kind], object)
	}
	documents, err := readDocuments(root, "cases/*/*.yaml", "cases/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, it := range documents {
		if accepted[it.id] && !strings.Contains(it.body, "«") {
			add(it.body)
		}
	}
	if n.more == "" {
		return kinds, nil
	}
	err = filepath.WalkDir(n.more, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 200_000 {
			return err
		}
		for _, document := range strings.Split("\n"+string(text), "\n---") {
			add(document)
		}
		return nil
	})
	return kinds, err
}

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// perKind and perStatus are the maximum numbers of updates of the objects of a kind, and of each with a status.
const perKind, perStatus = 110, 60

// named is an object with the name of its document.
type named struct {
	id     string
	object *node
}

// pairs makes updates: objects with one change. Each change of a field is made once for a kind.
type pairs struct {
	// values are those that the documents of the kind have in each field.
	values map[string][]*node
	seen   map[string]bool
	made   []string
}

// writePairs writes the updates of the valid objects of each kind.
func writePairs(root string) error {
	kinds, err := readObjects(root, "cases/*/*.yaml", "cases/*.yaml")
	if err != nil {
		return err
	}
	// These have a status, as objects of a cluster do.
	stored, err := readObjects(root, "updates/*.yaml")
	if err != nil {
		return err
	}
	var all, names []string
	for kind := range kinds {
		names = append(names, kind)
	}
	slices.Sort(names)
	for _, kind := range names {
		documents, old := kinds[kind], stored[kind]
		made := pairs{values: map[string][]*node{}}
		for _, it := range slices.Concat(documents, old) {
			made.collect("", it.object)
		}
		// An object with a status decides differently about the same change.
		for _, it := range old {
			all = append(all, made.of(perStatus, it)...)
		}
		var rich []named
		for _, it := range documents {
			if strings.Contains(it.id, "/rich#") || strings.HasPrefix(it.id, "cases/customresource/") {
				rich = append(rich, it)
			}
		}
		all = append(all, made.of(perKind, rich...)...)
	}
	return os.WriteFile(filepath.Join(root, "updates", "pairs.jsonl"), []byte(strings.Join(all, "")), 0o644)
}

// of are a number of updates of some objects.
func (p *pairs) of(count int, objects ...named) []string {
	p.seen, p.made = map[string]bool{}, nil
	for _, it := range objects {
		p.below(it, it.object, "", "")
	}
	return thinned(p.made, count)
}

// thinned keeps a number of lines, evenly.
func thinned(lines []string, count int) []string {
	if len(lines) <= count {
		return lines
	}
	var kept []string
	for i := range count {
		kept = append(kept, lines[i*len(lines)/count])
	}
	return kept
}

// readObjects reads the objects of each kind.
func readObjects(root string, patterns ...string) (map[string][]named, error) {
	documents, err := readDocuments(root, patterns...)
	if err != nil {
		return nil, err
	}
	kinds := map[string][]named{}
	for _, it := range documents {
		var value any
		isShort := len(it.body) < 20_000 && !strings.Contains(it.body, "«")
		if isShort && yaml.Unmarshal([]byte(it.body), &value) == nil && !strings.HasSuffix(it.id, "#definition") {
			kinds[it.kind()] = append(kinds[it.kind()], named{it.id, fromJSON(value)})
		}
	}
	return kinds, nil
}

// collect adds the values below a node to those of their fields.
func (p *pairs) collect(field string, value *node) {
	below := func(field string, value *node) {
		isKnown := func(it *node) bool { return it.String() == value.String() }
		if len(value.String()) < 2_000 && !slices.ContainsFunc(p.values[field], isKnown) {
			p.values[field] = append(p.values[field], value)
		}
		p.collect(field, value)
	}
	for _, it := range value.members {
		below(field+"/"+it.key, it.value)
	}
	for _, it := range value.items {
		below(field+"/-", it)
	}
}

// otherValues is the number of values of other documents that a field is set to.
const otherValues = 3

// fixed are the fields that make an object another one.
var fixed = regexp.MustCompile(`^/(apiVersion|kind|status.*|metadata|metadata/(name|namespace|generateName|creationTimestamp|managedFields.*|uid|resourceVersion))$`)

func (p *pairs) below(old named, value *node, path, field string) {
	if !strings.HasPrefix(field, "/metadata") && value.isMap {
		p.insert(old, value, path, field)
	}
	for _, it := range value.members {
		p.at(old, it.value, path+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(it.key), field+"/"+it.key)
	}
	if value.isList {
		p.list(old, value, path, field)
	}
	for i, it := range value.items {
		p.at(old, it, path+"/"+strconv.Itoa(i), field+"/-")
	}
}

func (p *pairs) at(old named, value *node, path, field string) {
	if !fixed.MatchString(field) {
		p.add(old, "remove", path, field, nil)
		if !value.isMap && !value.isList {
			for i, other := range changedScalars(value) {
				p.add(old, "replace", path, fmt.Sprint(field, i), other)
			}
		}
		others := 0
		for _, other := range p.values[field] {
			if others == otherValues {
				break
			}
			if other.String() != value.String() && p.add(old, "replace", path, field+other.String(), other) {
				others++
			}
		}
	}
	p.below(old, value, path, field)
}

// insert adds fields that other documents have there.
func (p *pairs) insert(old named, value *node, path, field string) {
	for _, key := range sorted(p.values) {
		name, ok := strings.CutPrefix(key, field+"/")
		if !ok || strings.Contains(name, "/") || name == "-" || fixed.MatchString(key) {
			continue
		}
		if !slices.ContainsFunc(value.members, func(it member) bool { return it.key == name }) {
			for _, other := range p.values[key][:min(2, len(p.values[key]))] {
				p.add(old, "add", path+"/"+name, key+other.String(), other)
			}
		}
	}
}

// list changes the order of a list, and adds an item like the last one.
func (p *pairs) list(old named, value *node, path, field string) {
	count := len(value.items)
	if count == 0 {
		return
	}
	if count > 1 {
		reversed := value.clone()
		slices.Reverse(reversed.items)
		p.add(old, "replace", path, field+" order", reversed)
	}
	added := value.items[count-1].clone()
	p.add(old, "add", path+"/-", field+" copy", added)
	renamed := added.clone()
	for i, it := range renamed.members {
		if others := changedScalars(it.value); len(others) > 0 && !it.value.isMap && !it.value.isList {
			renamed.members[i].value = others[0]
		}
	}
	if len(renamed.members) > 0 {
		p.add(old, "add", path+"/-", field+" new", renamed)
	} else if others := changedScalars(added); len(others) > 0 {
		p.add(old, "add", path+"/-", field+" new", others[0])
	}
}

var amount = regexp.MustCompile(`^([0-9]+)([a-zA-Z]*)$`)

// changedScalars are other values of the type of a scalar: of quantities and numbers, a smaller and a larger one.
func changedScalars(value *node) []*node {
	var decoded any
	if err := json.Unmarshal([]byte(value.scalar), &decoded); err != nil {
		return nil
	}
	switch decoded := decoded.(type) {
	case bool:
		return []*node{scalar(!decoded)}
	case float64:
		return []*node{scalar(decoded + 1), scalar(max(decoded-1, 0))}
	case string:
		if parts := amount.FindStringSubmatch(decoded); parts != nil {
			number, _ := strconv.Atoi(parts[1])
			return []*node{scalar(fmt.Sprint(number*2, parts[2])), scalar(fmt.Sprint((number+1)/2, parts[2]))}
		}
		return []*node{scalar(decoded + "x")}
	}
	return nil
}

// add adds an update unless the same change of the field was made.
func (p *pairs) add(old named, op, path, field string, value *node) bool {
	key := op + " " + field
	if p.seen[key] {
		return false
	}
	p.seen[key] = true
	id := fmt.Sprintf("%s@%d", old.id, len(p.made)+1)
	line := fmt.Sprintf(`{"id":%s,"op":"%s","path":%s`, scalar(id).scalar, op, scalar(path).scalar)
	if value != nil {
		line += `,"value":` + value.String()
	}
	p.made = append(p.made, line+"}\n")
	return true
}

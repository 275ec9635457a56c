package main

import (
	"math/rand/v2"
)

// generator makes changes that need other objects: it knows the values of fields of all of them.
type generator struct {
	// objects are the valid objects, of all kinds.
	objects []*node
	// values are the values of fields, by the name of the field and the shape of its type.
	values map[string][]*node
}

func newGenerator(objects []*node) *generator {
	g := &generator{objects: objects, values: map[string][]*node{}}
	seen := map[string]bool{}
	for _, object := range objects {
		for _, each := range typesOf(object) {
			fields := fieldsOf(each.of)
			for _, member := range each.node.members {
				field, ok := fields[member.key]
				if !ok {
					continue
				}
				for field.Kind().String() == "ptr" {
					field = field.Elem()
				}
				key := member.key + " " + shape(field)
				text := key + member.value.String()
				if len(text) < 1000 && !seen[text] && len(g.values[key]) < 60 {
					seen[text] = true
					g.values[key] = append(g.values[key], member.value)
				}
			}
		}
	}
	return g
}

// crossing makes a change to an object in view of the others.
type crossing func(g *generator, random *rand.Rand, object *node) (string, bool)

// crossings are chosen with equal probability; the most effective ones are listed twice.
var crossings = []crossing{
	(*generator).insert, (*generator).insert, (*generator).insert, (*generator).regenerate, (*generator).regenerate,
	(*generator).move, (*generator).borrow, (*generator).exchange,
}

// move puts a field on another level: into another map of the object.
func (g *generator) move(random *rand.Rand, object *node) (string, bool) {
	places := object.places("")
	at := places[random.IntN(len(places))]
	if !at.parent.isMap {
		return "", false
	}
	moved := at.parent.members[at.index]
	drop(nil, nil, at)
	var targets []*node
	for _, other := range object.places("") {
		if value := other.value(); value.isMap && value != at.parent {
			targets = append(targets, value)
		}
	}
	if len(targets) == 0 {
		return "", false
	}
	targets[random.IntN(len(targets))].add(moved.key, moved.value)
	return "move " + at.path, true
}

// borrow adds a field of an object of another kind.
func (g *generator) borrow(random *rand.Rand, object *node) (string, bool) {
	places := g.objects[random.IntN(len(g.objects))].places("")
	from := places[random.IntN(len(places))]
	if !from.parent.isMap {
		return "", false
	}
	var targets []*node
	for _, other := range object.places("") {
		if value := other.value(); value.isMap {
			targets = append(targets, value)
		}
	}
	if len(targets) == 0 {
		return "", false
	}
	borrowed := from.parent.members[from.index]
	target := targets[random.IntN(len(targets))]
	for _, member := range target.members {
		if member.key == borrowed.key {
			return "", false
		}
	}
	target.add(borrowed.key, borrowed.value.clone())
	return "borrow " + from.path, true
}

// exchange replaces a field by the field of the same name of another object.
func (g *generator) exchange(random *rand.Rand, object *node) (string, bool) {
	other := g.objects[random.IntN(len(g.objects))]
	byKey := map[string][]*node{}
	for _, each := range other.places("") {
		if each.parent.isMap {
			key := each.parent.members[each.index].key
			byKey[key] = append(byKey[key], each.value())
		}
	}
	var common []place
	for _, each := range object.places("") {
		if each.parent.isMap && len(byKey[each.parent.members[each.index].key]) > 0 {
			common = append(common, each)
		}
	}
	if len(common) == 0 {
		return "", false
	}
	at := common[random.IntN(len(common))]
	values := byKey[at.parent.members[at.index].key]
	at.set(values[random.IntN(len(values))].clone())
	return "exchange " + at.path, true
}

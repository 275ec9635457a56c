package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// sweep makes every change of some sorts once for each field of a kind: without the field, null, empty, each of the
// strings or numbers, and with each field that the API has there. An object is known by its fields without indexes.
type sweep struct {
	g      *generator
	random *rand.Rand
	seen   map[string]bool
	made   []string
}

var index = regexp.MustCompile(`\[\d+\]`)

// generated is the number of values of a field that no object has.
const generated = 4

func (s *sweep) object(object *node) {
	for i, at := range object.places("") {
		field := index.ReplaceAllString(at.path, "[]")
		s.change("drop", field, object, i, func(p place) { drop(nil, nil, p) })
		for _, value := range []*node{scalar(nil), scalar(""), {isMap: true}, {isList: true}} {
			s.change("set "+value.String(), field, object, i, func(p place) { p.set(value) })
		}
		old := at.value()
		switch {
		case old.isMap || old.isList:
		case strings.HasPrefix(old.scalar, `"`):
			for _, text := range texts {
				s.change("set "+text, field, object, i, func(p place) { p.set(scalar(text)) })
			}
		default:
			for _, number := range numbers {
				s.change("set "+number, field, object, i, func(p place) { p.set(&node{scalar: number}) })
			}
		}
	}
	for i, each := range typesOf(object) {
		fields := fieldsOf(each.of)
		for _, member := range each.node.members {
			delete(fields, member.key)
		}
		for _, name := range sorted(fields) {
			for n := range generated {
				key := fmt.Sprint("insert ", each.of.Name(), " ", name, " ", n)
				if s.seen[key] {
					continue
				}
				s.seen[key] = true
				changed := object.clone()
				typesOf(changed)[i].node.add(name, s.g.generate(s.random, name, fields[name], 0))
				s.add(key, changed)
			}
		}
	}
}

// change makes a change at the place with this number.
func (s *sweep) change(what, field string, object *node, number int, change func(place)) {
	key := what + " " + field
	if len(key) > 200 {
		key = key[:200]
	}
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	changed := object.clone()
	change(changed.places("")[number])
	s.add(key, changed)
}

func (s *sweep) add(key string, changed *node) {
	if text := changed.String(); !s.seen[text] {
		s.seen[text] = true
		s.made = append(s.made, strings.ReplaceAll(key, "\n", " ")+"\n"+text)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// node is a JSON value in which maps can have duplicate keys.
type node struct {
	// scalar is the JSON text of a value that is neither a map nor a list.
	scalar  string
	isMap   bool
	isList  bool
	members []member
	items   []*node
}

type member struct {
	key   string
	value *node
}

// place is a value within its parent.
type place struct {
	path   string
	parent *node
	index  int
}

func (p place) value() *node {
	if p.parent.isMap {
		return p.parent.members[p.index].value
	}
	return p.parent.items[p.index]
}

func (p place) set(value *node) {
	if p.parent.isMap {
		p.parent.members[p.index].value = value
	} else {
		p.parent.items[p.index] = value
	}
}

func fromJSON(value any) *node {
	switch value := value.(type) {
	case map[string]any:
		made := &node{isMap: true}
		for key, member := range value {
			made.add(key, fromJSON(member))
		}
		sort.Slice(made.members, func(i, j int) bool { return made.members[i].key < made.members[j].key })
		return made
	case []any:
		made := &node{isList: true}
		for _, item := range value {
			made.items = append(made.items, fromJSON(item))
		}
		return made
	default:
		return scalar(value)
	}
}

func scalar(value any) *node {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return &node{scalar: string(text)}
}

func (n *node) add(key string, value *node) {
	n.members = append(n.members, member{key, value})
}

func (n *node) clone() *node {
	made := *n
	made.members, made.items = nil, nil
	for _, member := range n.members {
		made.add(member.key, member.value.clone())
	}
	for _, item := range n.items {
		made.items = append(made.items, item.clone())
	}
	return &made
}

// places are all values below a value, in order.
func (n *node) places(path string) []place {
	var all []place
	for i, member := range n.members {
		below := strings.TrimPrefix(path+"."+member.key, ".")
		all = append(all, place{below, n, i})
		all = append(all, member.value.places(below)...)
	}
	for i, item := range n.items {
		below := fmt.Sprintf("%s[%d]", path, i)
		all = append(all, place{below, n, i})
		all = append(all, item.places(below)...)
	}
	return all
}

// String is the value as one line of JSON.
func (n *node) String() string {
	var parts []string
	switch {
	case n.isMap:
		for _, member := range n.members {
			parts = append(parts, scalar(member.key).scalar+": "+member.value.String())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case n.isList:
		for _, item := range n.items {
			parts = append(parts, item.String())
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		return n.scalar
	}
}

// text is the string of a member, or nothing.
func (n *node) text(key string) string {
	for _, member := range n.members {
		var text string
		if member.key == key && json.Unmarshal([]byte(member.value.scalar), &text) == nil {
			return text
		}
	}
	return ""
}

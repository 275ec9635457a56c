package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"unicode"
)

// change changes an object at a place and returns a description, or false if it does not apply there.
type change func(random *rand.Rand, object *node, at place) (string, bool)

// changes are chosen with equal probability; the most effective one is listed twice.
var changes = []change{drop, retype, rename, duplicate, exceed, exceed, contradict, contradict, empty, respell}

func drop(_ *rand.Rand, _ *node, at place) (string, bool) {
	if at.parent.isMap {
		at.parent.members = append(at.parent.members[:at.index:at.index], at.parent.members[at.index+1:]...)
	} else {
		at.parent.items = append(at.parent.items[:at.index:at.index], at.parent.items[at.index+1:]...)
	}
	return "drop", true
}

// retype sets a value of another type.
func retype(random *rand.Rand, _ *node, at place) (string, bool) {
	old := at.value()
	others := []*node{
		scalar("text"), scalar(7), scalar(true), scalar(1.5), {isList: true, items: []*node{old.clone()}},
		{isMap: true, members: []member{{"name", scalar("a")}}}, {scalar: `"` + strings.Trim(old.String(), `"`) + `"`},
	}
	chosen := others[random.IntN(len(others))]
	if (old.isMap || old.isList) && strings.HasPrefix(chosen.scalar, `"{`) || strings.HasPrefix(chosen.scalar, `"[`) {
		chosen = scalar("text")
	}
	at.set(chosen)
	return "retype", true
}

// rename misspells a key.
func rename(random *rand.Rand, _ *node, at place) (string, bool) {
	if !at.parent.isMap {
		return "", false
	}
	key := at.parent.members[at.index].key
	spellings := []string{key + "s", strings.ToLower(key), strings.ToUpper(key[:1]) + key[1:], key[:len(key)-1], "x" + key}
	at.parent.members[at.index].key = spellings[random.IntN(len(spellings))]
	return "rename", true
}

// duplicate duplicates a key or an item.
func duplicate(_ *rand.Rand, _ *node, at place) (string, bool) {
	if at.parent.isMap {
		same := at.parent.members[at.index]
		at.parent.members = append(at.parent.members, member{same.key, same.value.clone()})
	} else {
		at.parent.items = append(at.parent.items, at.value().clone())
	}
	return "duplicate", true
}

// exceed sets numbers and strings at and above their limits.
func exceed(random *rand.Rand, _ *node, at place) (string, bool) {
	old := at.value()
	switch {
	case old.isMap || old.isList:
		return "", false
	case strings.HasPrefix(old.scalar, `"`):
		var text string
		if err := json.Unmarshal([]byte(old.scalar), &text); err != nil || text == "" {
			return "", false
		}
		texts := []string{
			strings.Repeat(text[:1], 63), strings.Repeat(text[:1], 64), strings.Repeat(text[:1], 254), text + "-", "-" + text,
			text + " ", text + "/x", text + "_x", "../" + text, "/" + text, text + ".x", "0", "-1", "101%", "é" + text,
		}
		at.set(scalar(texts[random.IntN(len(texts))]))
	default:
		numbers := []string{"-1", "0", "1", "2", "65535", "65536", "2147483647", "2147483648", "9223372036854775808", "1e3", "3.0"}
		at.set(&node{scalar: numbers[random.IntN(len(numbers))]})
	}
	return "exceed", true
}

// contradict sets the value of another place, preferably one with the same key.
func contradict(random *rand.Rand, object *node, at place) (string, bool) {
	var same, others []*node
	for _, other := range object.places("") {
		value := other.value()
		if value.String() == at.value().String() || value.isMap != at.value().isMap || value.isList != at.value().isList {
			continue
		}
		if other.parent.isMap && at.parent.isMap && other.parent.members[other.index].key == at.parent.members[at.index].key {
			same = append(same, value)
		} else if len(value.String()) < 200 {
			others = append(others, value)
		}
	}
	if len(same) > 0 && random.IntN(3) > 0 {
		others = same
	}
	if len(others) == 0 {
		return "", false
	}
	at.set(others[random.IntN(len(others))].clone())
	return "contradict", true
}

// empty sets the empty value of a type.
func empty(random *rand.Rand, _ *node, at place) (string, bool) {
	empties := []*node{scalar(""), scalar(nil), {isMap: true}, {isList: true}, scalar(0)}
	old := at.value()
	switch choice := random.IntN(3); {
	case choice == 0:
		at.set(empties[random.IntN(len(empties))])
	case choice == 1:
		at.set(scalar(nil))
	case old.isMap:
		at.set(&node{isMap: true})
	case old.isList:
		at.set(&node{isList: true})
	default:
		at.set(scalar(""))
	}
	return "empty", true
}

// respell changes the case of the first letter of a string.
func respell(_ *rand.Rand, _ *node, at place) (string, bool) {
	var text string
	if err := json.Unmarshal([]byte(at.value().String()), &text); err != nil || text == "" {
		return "", false
	}
	letters := []rune(text)
	if unicode.IsUpper(letters[0]) {
		letters[0] = unicode.ToLower(letters[0])
	} else {
		letters[0] = unicode.ToUpper(letters[0])
	}
	at.set(scalar(string(letters)))
	return "respell", true
}

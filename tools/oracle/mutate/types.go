package main

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

// typed is a map of an object, with the Go type of the API that it is read into.
type typed struct {
	node *node
	of   reflect.Type
}

// typesOf lists the maps of an object that are structs of the API. A custom resource has none.
func typesOf(object *node) []typed {
	made, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(object.text("apiVersion"), object.text("kind")))
	if err != nil {
		return nil
	}
	return maps(object, reflect.TypeOf(made).Elem())
}

func maps(value *node, of reflect.Type) []typed {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if isScalar(of) {
		return nil
	}
	var all []typed
	switch {
	case of.Kind() == reflect.Struct && value.isMap:
		all = append(all, typed{value, of})
		fields := fieldsOf(of)
		for _, member := range value.members {
			if field, ok := fields[member.key]; ok {
				all = append(all, maps(member.value, field)...)
			}
		}
	case of.Kind() == reflect.Slice && value.isList:
		for _, item := range value.items {
			all = append(all, maps(item, of.Elem())...)
		}
	case of.Kind() == reflect.Map && value.isMap:
		for _, member := range value.members {
			all = append(all, maps(member.value, of.Elem())...)
		}
	}
	return all
}

// fieldsOf has the fields of a struct by their names in JSON.
func fieldsOf(of reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && field.Anonymous:
			for key, inner := range fieldsOf(field.Type) {
				fields[key] = inner
			}
		case name != "":
			fields[name] = field.Type
		}
	}
	return fields
}

var (
	quantityType    = reflect.TypeFor[resource.Quantity]()
	timeType        = reflect.TypeFor[metav1.Time]()
	microTimeType   = reflect.TypeFor[metav1.MicroTime]()
	durationType    = reflect.TypeFor[metav1.Duration]()
	intOrStringType = reflect.TypeFor[intstr.IntOrString]()
	rawType         = reflect.TypeFor[runtime.RawExtension]()
	bytesType       = reflect.TypeFor[[]byte]()
)

func isScalar(of reflect.Type) bool {
	switch of {
	case quantityType, timeType, microTimeType, durationType, intOrStringType, rawType, bytesType:
		return true
	}
	return false
}

// texts are strings for fields of which no object has a value: names, and what is nearly one.
var texts = []string{
	"", "a", "web", "web-1", "Web", "a.b", "example.com", "example.com/a", "example.com/a/b", "/a", "a/../b", "..", "10.0.0.1",
	"10.0.0.0/8", "fd00::1", "010.0.0.1", "80", "http", "HTTP", "TCP", "Always", "None", "Default", "v1", "apps/v1", "a=b", "a b",
	"_a", "a_b", "-a", "a-", "*", "*.example.com", "https://example.com/a", "true", "Localhost", "RuntimeDefault", "Exists", "In",
	"1", "1Gi", "ä", strings.Repeat("a", 64), strings.Repeat("a", 254),
}

var numbers = []string{"0", "1", "2", "-1", "3", "10", "80", "100", "420", "511", "512", "1000", "65535", "65536", "2147483647", "86400"}

// generate makes a value of a type. Most come from the pool of values that a field of this name has elsewhere.
func (g *generator) generate(random *rand.Rand, key string, of reflect.Type, depth int) *node {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if pooled := g.values[key+" "+shape(of)]; len(pooled) > 0 && random.IntN(3) > 0 {
		return pooled[random.IntN(len(pooled))].clone()
	}
	pick := func(all ...string) *node { return scalar(all[random.IntN(len(all))]) }
	switch of {
	case quantityType:
		return pick("1", "100m", "1Gi", "0", "-1", "1.5", "0.5", "1Mi", "3")
	case timeType, microTimeType:
		return pick("2024-01-01T00:00:00Z", "2024-01-01T00:00:00.000000Z", "2024-01-01", "2024-01-01T00:00:00+01:00")
	case durationType:
		return pick("1s", "-1s", "1h30m", "5", "0s")
	case intOrStringType:
		if random.IntN(2) == 0 {
			return pick("50%", "http", "101%", "-1%", "80", "0%")
		}
		return &node{scalar: numbers[random.IntN(len(numbers))]}
	case rawType:
		return &node{isMap: true, members: []member{{"a", scalar(1)}}}
	case bytesType:
		return scalar(base64.StdEncoding.EncodeToString([]byte("text")))
	}
	switch of.Kind() {
	case reflect.String:
		return pick(texts...)
	case reflect.Bool:
		return scalar(random.IntN(2) == 0)
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		return &node{scalar: numbers[random.IntN(len(numbers))]}
	case reflect.Slice:
		made := &node{isList: true}
		for range random.IntN(3) {
			made.items = append(made.items, g.generate(random, key, of.Elem(), depth+1))
		}
		return made
	case reflect.Map:
		made := &node{isMap: true}
		if random.IntN(4) > 0 {
			made.add(texts[1+random.IntN(6)], g.generate(random, key, of.Elem(), depth+1))
		}
		return made
	case reflect.Struct:
		made := &node{isMap: true}
		if depth > 4 {
			return made
		}
		fields := fieldsOf(of)
		chance := 2
		if len(fields) > 6 {
			chance = len(fields) / 2
		}
		for _, name := range sorted(fields) {
			if random.IntN(chance) == 0 || len(fields) <= 2 {
				made.add(name, g.generate(random, name, fields[name], depth+1))
			}
		}
		return made
	}
	return scalar(nil)
}

// insert adds a field of the API that the map does not have.
func (g *generator) insert(random *rand.Rand, object *node) (string, bool) {
	types := typesOf(object)
	if len(types) == 0 {
		return "", false
	}
	chosen := types[random.IntN(len(types))]
	fields := fieldsOf(chosen.of)
	for _, member := range chosen.node.members {
		delete(fields, member.key)
	}
	names := sorted(fields)
	if len(names) == 0 {
		return "", false
	}
	name := names[random.IntN(len(names))]
	chosen.node.add(name, g.generate(random, name, fields[name], 0))
	return fmt.Sprintf("insert %s %s", chosen.of.Name(), name), true
}

// regenerate sets another value of the type of a field.
func (g *generator) regenerate(random *rand.Rand, object *node) (string, bool) {
	types := typesOf(object)
	if len(types) == 0 {
		return "", false
	}
	chosen := types[random.IntN(len(types))]
	if len(chosen.node.members) == 0 {
		return "", false
	}
	at := random.IntN(len(chosen.node.members))
	field, ok := fieldsOf(chosen.of)[chosen.node.members[at].key]
	if !ok {
		return "", false
	}
	chosen.node.members[at].value = g.generate(random, chosen.node.members[at].key, field, 0)
	return fmt.Sprintf("regenerate %s %s", chosen.of.Name(), chosen.node.members[at].key), true
}

// shape distinguishes the values of fields of one name.
func shape(of reflect.Type) string {
	switch {
	case isScalar(of) || of.Kind() != reflect.Struct && of.Kind() != reflect.Slice && of.Kind() != reflect.Map:
		return of.Kind().String()
	case of.Kind() == reflect.Slice:
		return "[]" + of.Elem().Name()
	default:
		return of.Name()
	}
}

func sorted[V any](fields map[string]V) []string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

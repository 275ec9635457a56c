// The program prints the JSON fields of the types that the controllers decode and encode again, in the order in which Go
// writes them: `src/dialect/agent_sandbox/effective/fields.txt`.
package main

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	sandbox "sigs.k8s.io/agent-sandbox/api/v1beta1"
	extensions "sigs.k8s.io/agent-sandbox/extensions/api/v1beta1"
)

const head = `# Order of the JSON fields that Go writes, one type a line; written by tools/agent-sandbox-oracle/fields.
# ` + "`!` is always written, `*` is a pointer (written when set, even if zero), others are left out when zero." + `
# ` + "`[]` is a list, `{}` a map; `=Type` names the type of the value or of the items, `Q` is a quantity; `?` is `null` when unset."

// scalars are the structs that Go writes as a string or a number.
var scalars = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():  "Q",
	reflect.TypeFor[intstr.IntOrString](): "",
	reflect.TypeFor[metav1.Time]():        "",
	reflect.TypeFor[metav1.FieldsV1]():    "",
}

// table has the name and the fields of each struct.
type table struct {
	names map[reflect.Type]string
	lines map[string]string
}

func main() {
	all := table{names: map[reflect.Type]string{}, lines: map[string]string{}}
	all.add(reflect.TypeFor[sandbox.SandboxBlueprint]())
	all.add(reflect.TypeFor[extensions.NetworkPolicySpec]())
	fmt.Println(head)
	for _, name := range slices.Sorted(maps.Keys(all.lines)) {
		fmt.Printf("%s: %s\n", name, all.lines[name])
	}
}

// add adds a struct and all structs that it contains, and returns its name. The second of two structs with the same name gets
// that of its package, too.
func (t *table) add(it reflect.Type) string {
	if name, known := t.names[it]; known {
		return name
	}
	name := it.Name()
	if _, taken := t.lines[name]; taken {
		name = path.Base(it.PkgPath()) + "." + name
	}
	t.names[it], t.lines[name] = name, ""
	t.lines[name] = strings.Join(t.fields(it), " ")
	return name
}

func (t *table) fields(it reflect.Type) []string {
	var all []string
	for i := range it.NumField() {
		field := it.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag == "-" {
			continue
		}
		if tag == "" {
			// An embedded struct.
			all = append(all, t.fields(field.Type)...)
			continue
		}
		all = append(all, tag+mark(field.Type, options)+t.value(field.Type))
	}
	return all
}

// mark says when a field is written.
func mark(it reflect.Type, options string) string {
	canBeLeftOut := strings.Contains(options, "omitempty") && it.Kind() != reflect.Struct || strings.Contains(options, "omitzero")
	switch {
	case it.Kind() == reflect.Pointer && canBeLeftOut:
		return "*"
	case it.Kind() == reflect.Pointer:
		return "?"
	case canBeLeftOut:
		return ""
	default:
		return "!"
	}
}

func (t *table) value(it reflect.Type) string {
	shape := ""
	for {
		switch it.Kind() {
		case reflect.Pointer:
			it = it.Elem()
			continue
		case reflect.Slice:
			shape, it = "[]", it.Elem()
			continue
		case reflect.Map:
			shape, it = "{}", it.Elem()
			continue
		}
		break
	}
	name, isScalar := scalars[it]
	if !isScalar && it.Kind() == reflect.Struct {
		name = t.add(it)
	}
	if name != "" {
		name = "=" + name
	}
	return shape + name
}

// Prints how the Go types of built-in objects are encoded, as far as an empty value is concerned:
//
//	go run -mod=mod -modfile=modules/1.37/go.mod -tags emulation ./fields >../../crates/kubernetes/src/validate/policies/admitted/encoding.txt
//
// A line has the name of a definition and its fields with an exception to the rule that empty strings, numbers, lists and
// maps are left out and empty objects are not: "+field=value" is always written, with this value if it is absent, and
// "field" is written even if it is empty.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/controlplane"
)

func main() {
	seen := map[reflect.Type][]string{}
	for gvk, t := range legacyscheme.Scheme.AllKnownTypes() {
		if gvk.Version != "__internal" && !strings.HasSuffix(gvk.Kind, "List") && !strings.Contains(gvk.Version, "alpha") {
			walk(t, seen)
		}
	}
	var lines []string
	for t, fields := range seen {
		if len(fields) > 0 {
			sort.Strings(fields)
			lines = append(lines, name(t)+" "+strings.Join(fields, " "))
		}
	}
	sort.Strings(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
}

func name(t reflect.Type) string {
	domain, path, _ := strings.Cut(t.PkgPath(), "/")
	parts := strings.Split(domain, ".")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}

var scalars = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time](): "null", reflect.TypeFor[metav1.MicroTime](): "null", reflect.TypeFor[metav1.Duration](): `"0s"`,
	reflect.TypeFor[resource.Quantity](): `"0"`, reflect.TypeFor[intstr.IntOrString](): "0",
}

func walk(t reflect.Type, seen map[reflect.Type][]string) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
		walk(t.Elem(), seen)
	case reflect.Struct:
		_, isScalar := scalars[t]
		if _, ok := seen[t]; ok || isScalar || !strings.HasPrefix(t.PkgPath(), "k8s.io/") {
			return
		}
		seen[t] = []string{}
		seen[t] = fields(t, seen)
	}
}

func fields(t reflect.Type, seen map[reflect.Type][]string) []string {
	var all []string
	for i := range t.NumField() {
		field := t.Field(i)
		tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if tag == "-" || field.PkgPath != "" {
			continue
		}
		if strings.Contains(options, "inline") || tag == "" {
			all = append(all, fields(field.Type, seen)...)
			continue
		}
		walk(field.Type, seen)
		omits := strings.Contains(options, "omitempty")
		if zero := zero(field.Type); (!omits || field.Type.Kind() == reflect.Struct) && !strings.Contains(options, "omitzero") {
			all = append(all, "+"+tag+"="+zero)
		} else if field.Type.Kind() == reflect.Pointer && isScalar(field.Type.Elem()) {
			all = append(all, tag)
		}
	}
	return all
}

func isScalar(t reflect.Type) bool {
	_, ok := scalars[t]
	return ok || t.Kind() != reflect.Struct
}

func zero(t reflect.Type) string {
	if zero, ok := scalars[t]; ok {
		return zero
	}
	switch t.Kind() {
	case reflect.String:
		return `""`
	case reflect.Bool:
		return "false"
	case reflect.Struct:
		return "{}"
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return "null"
	default:
		return "0"
	}
}

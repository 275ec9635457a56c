// Command merge joins the dumps of several minor versions (files called 1.33.json, ..., oldest
// first) into one table on standard output, one definition and one kind per line, sorted.
//
// What is the same in all versions is said once. A definition's field, an enum's value and a kind
// say in which versions they exist ("1.35-1.37") unless they exist in all of them; a field whose
// type differs between versions is a list of variants, oldest first.
//
// Whether a field is required, and whether text is an enum, is a comment in the Go source that is
// put right now and then without any change to what the API server accepts. There the newest
// version speaks for all of them.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type field struct {
	Type       any             `json:"type"`
	Required   bool            `json:"required,omitempty"`
	Default    json.RawMessage `json:"default,omitempty"`
	Atomic     bool            `json:"atomic,omitempty"`
	RetainKeys bool            `json:"retainKeys,omitempty"`
	ZeroIsGood bool            `json:"zeroIsGood,omitempty"`
	Versions   string          `json:"versions,omitempty"`
}

type definition struct {
	Atomic bool             `json:"atomic,omitempty"`
	Fields map[string]field `json:"fields"`
}

type kind struct {
	Group       string `json:"group"`
	Version     string `json:"version"`
	Kind        string `json:"kind"`
	Definition  string `json:"definition,omitempty"`
	Namespaced  bool   `json:"namespaced,omitempty"`
	Versions    string `json:"versions,omitempty"`
	Deprecated  string `json:"deprecated,omitempty"`
	Removed     string `json:"removed,omitempty"`
	Replacement string `json:"replacement,omitempty"`
}

type dump struct {
	Definitions map[string]definition `json:"definitions"`
	Kinds       []kind                `json:"kinds"`
}

var versions []string
var dumps []dump

func main() {
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		var d dump
		if err := json.Unmarshal(text, &d); err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		versions = append(versions, strings.TrimSuffix(filepath.Base(name), ".json"))
		dumps = append(dumps, d)
	}
	fmt.Print("{\"definitions\":{\n")
	writeLines(mergeDefinitions())
	fmt.Print("},\"kinds\":[\n")
	writeLines(mergeKinds())
	fmt.Print("]}\n")
}

func writeLines(lines []string) {
	fmt.Println(strings.Join(lines, ",\n"))
}

// span writes a set of versions, given as indexes, as ranges; empty if it is all of them.
func span(present []int) string {
	if len(present) == len(versions) {
		return ""
	}
	var ranges []string
	for from := 0; from < len(present); {
		to := from
		for to+1 < len(present) && present[to+1] == present[to]+1 {
			to++
		}
		if from == to {
			ranges = append(ranges, versions[present[from]])
		} else {
			ranges = append(ranges, versions[present[from]]+"-"+versions[present[to]])
		}
		from = to + 1
	}
	return strings.Join(ranges, ",")
}

func mergeDefinitions() []string {
	var lines []string
	for _, name := range keys(func(d dump) map[string]definition { return d.Definitions }) {
		fields := map[string]any{}
		var existing []int
		atomic := false
		names := map[string]bool{}
		for i, d := range dumps {
			if it, ok := d.Definitions[name]; ok {
				existing = append(existing, i)
				atomic = atomic || it.Atomic
				for field := range it.Fields {
					names[field] = true
				}
			}
		}
		for fieldName := range names {
			fields[fieldName] = mergeField(name, fieldName, existing)
		}
		line := map[string]any{"fields": fields}
		if atomic {
			line["atomic"] = true
		}
		lines = append(lines, text(name)+":"+text(line))
	}
	return lines
}

// Fields that are marked required, which the API server accepts when they are missing: the zero
// value of their Go type is a good value. In custom resources they are required all the same.
var zeroIsGood = map[string]bool{
	"io.k8s.api.batch.v1.PodFailurePolicy.rules":                                                       true,
	"io.k8s.api.core.v1.EvictionResponder.priority":                                                    true,
	"io.k8s.api.core.v1.HTTPHeader.value":                                                              true,
	"io.k8s.api.core.v1.ISCSIPersistentVolumeSource.lun":                                               true,
	"io.k8s.api.core.v1.ISCSIVolumeSource.lun":                                                         true,
	"io.k8s.api.core.v1.LimitRangeSpec.limits":                                                         true,
	"io.k8s.api.core.v1.SleepAction.seconds":                                                           true,
	"io.k8s.api.core.v1.Sysctl.value":                                                                  true,
	"io.k8s.api.resource.v1.ResourcePool.generation":                                                   true,
	"io.k8s.api.resource.v1alpha3.ResourcePool.generation":                                             true,
	"io.k8s.api.resource.v1beta1.ResourcePool.generation":                                              true,
	"io.k8s.api.resource.v1beta2.ResourcePool.generation":                                              true,
	"io.k8s.api.storage.v1.CSIDriver.spec":                                                             true,
	"io.k8s.api.storage.v1.CSINodeSpec.drivers":                                                        true,
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion.served":  true,
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion.storage": true,
	"io.k8s.api.discovery.v1.ForZone.name":                                                             true,
	"io.k8s.api.storage.v1.TokenRequest.audience":                                                      true,
	"io.k8s.api.core.v1.PreferredSchedulingTerm.preference":                                            true,
	"io.k8s.api.core.v1.ConfigMapNodeConfigSource.kubeletConfigKey":                                    true,
	"io.k8s.api.core.v1.ConfigMapNodeConfigSource.name":                                                true,
	"io.k8s.api.core.v1.ConfigMapNodeConfigSource.namespace":                                           true,
	"io.k8s.api.core.v1.Event.involvedObject":                                                          true,
	"io.k8s.api.core.v1.Event.metadata":                                                                true,
	"io.k8s.api.resource.v1.Counter.value":                                                             true,
	"io.k8s.api.resource.v1.DeviceCapacity.value":                                                      true,
	"io.k8s.api.resource.v1alpha3.Counter.value":                                                       true,
	"io.k8s.api.resource.v1beta1.Counter.value":                                                        true,
	"io.k8s.api.resource.v1beta1.DeviceCapacity.value":                                                 true,
	"io.k8s.api.resource.v1beta2.Counter.value":                                                        true,
	"io.k8s.api.resource.v1beta2.DeviceCapacity.value":                                                 true,
	"io.k8s.api.storage.v1.CSINode.spec":                                                               true,
	"io.k8s.api.storagemigration.v1.StorageVersionMigrationSpec.resource":                              true,
	"io.k8s.apimachinery.pkg.apis.meta.v1.GroupResource.group":                                         true,
	"io.k8s.apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement.operator":                           true,
}

// mergeField gives one field, or its variants. A field that exists wherever its definition does
// says nothing about versions.
func mergeField(name, fieldName string, existing []int) any {
	var present []int
	for _, i := range existing {
		if _, ok := dumps[i].Definitions[name].Fields[fieldName]; ok {
			present = append(present, i)
		}
	}
	newest := dumps[present[len(present)-1]].Definitions[name].Fields[fieldName]
	if enum := newest.Type; enumOf(enum) != nil {
		for _, i := range present {
			if older := dumps[i].Definitions[name].Fields[fieldName]; older.Type == "string" {
				older.Type = enum
				dumps[i].Definitions[name].Fields[fieldName] = older
			}
		}
	}
	var shapes []string
	members := map[string][]int{}
	for _, i := range present {
		shape := dumps[i].Definitions[name].Fields[fieldName]
		shape.Type = withoutEnum(shape.Type)
		shape.Required = newest.Required
		key := text(shape)
		if members[key] == nil {
			shapes = append(shapes, key)
		}
		members[key] = append(members[key], i)
	}
	var variants []field
	for _, shape := range shapes {
		in := members[shape]
		variant := dumps[in[len(in)-1]].Definitions[name].Fields[fieldName]
		variant.Required = newest.Required
		variant.ZeroIsGood = newest.Required && zeroIsGood[name+"."+fieldName]
		variant.Type = withEnum(variant.Type, name, fieldName, in)
		if len(in) != len(existing) {
			variant.Versions = span(in)
		}
		variants = append(variants, variant)
	}
	if len(variants) == 1 {
		return variants[0]
	}
	return variants
}

// withoutEnum hides the values of an enum, so that enums with different values have one shape.
func withoutEnum(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	result := map[string]any{}
	for key, inner := range object {
		switch key {
		case "enum":
			result[key] = nil
		case "list", "map":
			result[key] = withoutEnum(inner)
		default:
			result[key] = inner
		}
	}
	return result
}

// withEnum gives the type with the values of its enum in any of the versions `in`.
func withEnum(value any, name, fieldName string, in []int) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	result := map[string]any{}
	for key, inner := range object {
		switch key {
		case "enum":
			result[key] = mergeEnum(name, fieldName, in)
		case "list", "map":
			result[key] = withEnum(inner, name, fieldName, in)
		default:
			result[key] = inner
		}
	}
	return result
}

func mergeEnum(name, fieldName string, in []int) []string {
	members := map[string][]int{}
	for _, i := range in {
		for _, value := range enumOf(dumps[i].Definitions[name].Fields[fieldName].Type) {
			plain := value.(string)
			members[plain] = append(members[plain], i)
		}
	}
	var values []string
	for value, present := range members {
		if len(present) != len(in) {
			value += "@" + span(present)
		}
		values = append(values, value)
	}
	sort.Strings(values)
	return values
}

func enumOf(value any) []any {
	object, _ := value.(map[string]any)
	for _, key := range []string{"list", "map"} {
		if inner, ok := object[key]; ok {
			return enumOf(inner)
		}
	}
	values, _ := object["enum"].([]any)
	return values
}

// Kinds whose Go types left the modules before the oldest version here.
var longGone = []kind{
	{Group: "extensions", Version: "v1beta1", Kind: "PodSecurityPolicy", Removed: "1.16"},
	{Group: "policy", Version: "v1beta1", Kind: "PodSecurityPolicy", Removed: "1.25"},
}

func mergeKinds() []string {
	merged := map[string]*kind{}
	members := map[string][]int{}
	var order []string
	add := func(it kind, at int) {
		key := it.Group + "\x00" + it.Kind + "\x00" + it.Version
		if merged[key] == nil {
			merged[key] = &kind{}
			order = append(order, key)
		}
		if it.Definition != "" {
			members[key] = append(members[key], at)
		} else {
			it.Definition = merged[key].Definition
		}
		*merged[key] = it
	}
	for i, d := range dumps {
		for _, it := range d.Kinds {
			add(it, i)
		}
	}
	for _, it := range longGone {
		add(it, -1)
	}
	sort.Strings(order)
	var lines []string
	for _, key := range order {
		it := merged[key]
		if it.Definition == "" {
			it.Versions = "none"
		} else {
			it.Versions = span(members[key])
		}
		lines = append(lines, text(it))
	}
	return lines
}

func keys(of func(dump) map[string]definition) []string {
	seen := map[string]bool{}
	var names []string
	for _, d := range dumps {
		for name := range of(d) {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	sort.Strings(names)
	return names
}

func text(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		log.Fatal(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// Command dump prints what one Kubernetes minor version's Go types say about its built-in kinds:
// definitions with field types, required fields, defaults, enums, list types and patch strategies,
// and the kinds with scope and lifecycle. Prose is left out.
//
// It is compiled by generate.sh in a folder of its own, beside the OpenAPI definitions that
// openapi-gen made of the pinned staging modules (generated/) and a list of those packages
// (packages.go, which also registers their types). Its argument is the version: 1.36.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"sandboxc.dev/tools/kubernetes-schemas/generated"
)

// Kind is one built-in kind of this version, or of an earlier one that its types still know.
type Kind struct {
	Group       string `json:"group"`
	Version     string `json:"version"`
	Kind        string `json:"kind"`
	Definition  string `json:"definition"`
	Namespaced  bool   `json:"namespaced"`
	Deprecated  string `json:"deprecated,omitempty"`
	Removed     string `json:"removed,omitempty"`
	Replacement string `json:"replacement,omitempty"`
}

// Field is one property of a definition.
type Field struct {
	Type       any             `json:"type"`
	Required   bool            `json:"required,omitempty"`
	Default    json.RawMessage `json:"default,omitempty"`
	Atomic     bool            `json:"atomic,omitempty"`
	RetainKeys bool            `json:"retainKeys,omitempty"`
}

// Definition is one object type.
type Definition struct {
	Atomic bool             `json:"atomic,omitempty"`
	Fields map[string]Field `json:"fields"`
}

type dumper struct {
	all  map[string]common.OpenAPIDefinition
	done map[string]*Definition
}

func main() {
	scheme := runtime.NewScheme()
	for _, add := range addToScheme {
		if err := add(scheme); err != nil {
			log.Fatal(err)
		}
	}
	ref := func(name string) spec.Ref { return spec.MustCreateRef(modelName(name)) }
	d := dumper{all: map[string]common.OpenAPIDefinition{}, done: map[string]*Definition{}}
	for name, definition := range generated.GetOpenAPIDefinitions(ref) {
		d.all[modelName(name)] = definition
	}
	kinds := findKinds(scheme)
	for i := range kinds {
		if kinds[i].isRemovedIn(os.Args[1]) {
			kinds[i].Definition = ""
		} else {
			d.visit(kinds[i].Definition)
		}
	}
	out, err := json.Marshal(map[string]any{"definitions": d.done, "kinds": kinds})
	if err != nil {
		log.Fatal(err)
	}
	os.Stdout.Write(append(out, '\n'))
}

// modelName turns a Go type's path into the name that OpenAPI uses for it:
// k8s.io/api/core/v1.Pod -> io.k8s.api.core.v1.Pod.
func modelName(name string) string {
	host, rest, found := strings.Cut(name, "/")
	if !found {
		return name
	}
	parts := strings.Split(host, ".")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(rest, "/", ".")
}

// Types with a custom Go decoder, whose accepted values cannot be read from the struct.
var scalars = map[string]string{
	"io.k8s.apimachinery.pkg.util.intstr.IntOrString":                                       "int-or-string",
	"io.k8s.apimachinery.pkg.api.resource.Quantity":                                         "quantity",
	"io.k8s.apimachinery.pkg.apis.meta.v1.Time":                                             "time",
	"io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime":                                        "microtime",
	"io.k8s.apimachinery.pkg.apis.meta.v1.Duration":                                         "duration",
	"io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1":                                         "any",
	"io.k8s.apimachinery.pkg.runtime.RawExtension":                                          "any",
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON":                         "any",
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray":       "any",
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool":        "any",
	"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": "any",
}

func (d *dumper) visit(name string) {
	if _, ok := d.done[name]; ok {
		return
	}
	definition, ok := d.all[name]
	if !ok {
		log.Fatalf("no definition %s", name)
	}
	s := definition.Schema
	if len(s.Properties) == 0 && !(len(s.Type) == 1 && s.Type[0] == "object") {
		log.Fatalf("%s is no object: %v", name, s.Type)
	}
	result := &Definition{Fields: map[string]Field{}, Atomic: s.Extensions["x-kubernetes-map-type"] == "atomic"}
	d.done[name] = result
	required := map[string]bool{}
	for _, field := range s.Required {
		required[field] = true
	}
	for field, schema := range s.Properties {
		where := name + "." + field
		strategy, _ := schema.Extensions["x-kubernetes-patch-strategy"].(string)
		value := Field{
			Type:     d.typeOf(where, schema),
			Required: required[field],
			Default:  notZero(where, schema.Default),
			Atomic:   schema.Extensions["x-kubernetes-map-type"] == "atomic",
		}
		if !schema.Type.Contains("array") {
			value.RetainKeys = strings.Contains(strategy, "retainKeys")
		}
		result.Fields[field] = value
	}
}

// notZero drops the defaults that openapi-gen writes for every Go value that is not a pointer.
func notZero(where string, value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		log.Fatalf("%s: %v", where, err)
	}
	switch string(text) {
	case "null", `""`, "0", "{}", "[]", "false":
		return nil
	}
	return text
}

func (d *dumper) typeOf(where string, s spec.Schema) any {
	target := s.Ref.String()
	if len(s.AllOf) == 1 {
		target = s.AllOf[0].Ref.String()
	}
	if target != "" {
		if scalar, ok := scalars[target]; ok {
			return scalar
		}
		d.visit(target)
		return target
	}
	if len(s.Type) != 1 {
		log.Fatalf("%s: type %v", where, s.Type)
	}
	switch s.Type[0] + "/" + s.Format {
	case "string/":
		if len(s.Enum) > 0 {
			values := make([]string, 0, len(s.Enum))
			for _, value := range s.Enum {
				values = append(values, fmt.Sprint(value))
			}
			sort.Strings(values)
			return map[string]any{"enum": values}
		}
		return "string"
	case "string/byte":
		return "base64"
	case "boolean/":
		return "bool"
	case "integer/int32", "integer/int64":
		return s.Format
	case "number/double":
		return "number"
	case "array/":
		return d.list(where, s)
	case "object/":
		if s.AdditionalProperties == nil || s.AdditionalProperties.Schema == nil {
			return "any"
		}
		return map[string]any{"map": d.typeOf(where, *s.AdditionalProperties.Schema)}
	}
	log.Fatalf("%s: type %v, format %q", where, s.Type, s.Format)
	return nil
}

func (d *dumper) list(where string, s spec.Schema) any {
	list := map[string]any{"list": d.typeOf(where, *s.Items.Schema)}
	switch listType := s.Extensions["x-kubernetes-list-type"]; listType {
	case nil, "atomic":
	case "set":
		list["identity"] = "set"
	case "map":
		list["identity"] = s.Extensions["x-kubernetes-list-map-keys"]
	default:
		log.Fatalf("%s: list type %v", where, listType)
	}
	strategy, _ := s.Extensions["x-kubernetes-patch-strategy"].(string)
	for _, part := range strings.Split(strategy, ",") {
		switch part {
		case "":
		case "merge", "retainKeys":
			list[part] = true
		case "replace":
		default:
			log.Fatalf("%s: patch strategy %q", where, strategy)
		}
	}
	if key, ok := s.Extensions["x-kubernetes-patch-merge-key"]; ok {
		list["key"] = key
	}
	return list
}

// Kinds with types that no API server of these versions lets a client create.
var notServed = map[string]bool{
	"imagepolicy.k8s.io/v1alpha1 ImageReview":               true, // the body of a webhook
	"node.k8s.io/v1alpha1 RuntimeClass":                     true,
	"rbac.authorization.k8s.io/v1alpha1 ClusterRole":        true,
	"rbac.authorization.k8s.io/v1alpha1 ClusterRoleBinding": true,
	"rbac.authorization.k8s.io/v1alpha1 Role":               true,
	"rbac.authorization.k8s.io/v1alpha1 RoleBinding":        true,
	"scheduling.k8s.io/v1alpha1 PriorityClass":              true,
	"v1 ComponentStatus":                                    true, // read-only
}

// findKinds takes the kinds that a client can create: those whose Go type is marked +genclient.
func findKinds(scheme *runtime.Scheme) []Kind {
	scopes := readScopes()
	var kinds []Kind
	for gvk, goType := range scheme.AllKnownTypes() {
		namespaced, isResource := scopes[goType.PkgPath()+"."+goType.Name()]
		if !isResource || notServed[gvk.GroupVersion().String()+" "+gvk.Kind] {
			continue
		}
		kind := Kind{
			Group: gvk.Group, Version: gvk.Version, Kind: gvk.Kind,
			Definition: modelName(goType.PkgPath() + "." + goType.Name()),
			Namespaced: namespaced,
		}
		object := reflect.New(goType).Interface()
		if it, ok := object.(interface{ APILifecycleDeprecated() (int, int) }); ok {
			kind.Deprecated = version(it.APILifecycleDeprecated())
		}
		if it, ok := object.(interface{ APILifecycleRemoved() (int, int) }); ok {
			kind.Removed = version(it.APILifecycleRemoved())
		}
		if it, ok := object.(interface {
			APILifecycleReplacement() schema.GroupVersionKind
		}); ok {
			to := it.APILifecycleReplacement()
			// The mark of IngressClass names its list.
			kind.Replacement = to.GroupVersion().String() + " " + strings.TrimSuffix(to.Kind, "List")
		}
		kinds = append(kinds, kind)
	}
	sort.Slice(kinds, func(i, j int) bool { return kinds[i].Definition < kinds[j].Definition })
	return kinds
}

func (k Kind) isRemovedIn(version string) bool {
	var removed, minor int
	if n, _ := fmt.Sscanf(k.Removed, "1.%d", &removed); n != 1 {
		return false
	}
	if n, _ := fmt.Sscanf(version, "1.%d", &minor); n != 1 {
		log.Fatalf("version %q", version)
	}
	return removed <= minor
}

func version(major, minor int) string {
	if major == 0 {
		return ""
	}
	return fmt.Sprintf("%d.%d", major, minor)
}

// readScopes reads the marker comments of each type: path.Name -> is namespaced.
func readScopes() map[string]bool {
	scopes := map[string]bool{}
	for path, dir := range packageDirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			log.Fatal(err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				log.Fatal(err)
			}
			for typeName, marks := range marksOf(file) {
				if strings.Contains(marks, "+genclient\n") {
					scopes[path+"."+typeName] = !strings.Contains(marks, "+genclient:nonNamespaced")
				}
			}
		}
	}
	// No client is generated for it.
	scopes["k8s.io/api/core/v1.Binding"] = true
	return scopes
}

// marksOf joins, for each type, its doc comment with the comment block above it: markers stand in
// either.
func marksOf(file *ast.File) map[string]string {
	marks := map[string]string{}
	end := file.Name.End()
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if ok && general.Tok == token.TYPE {
			var text strings.Builder
			for _, group := range file.Comments {
				if group.Pos() > end && group.End() < general.TokPos {
					for _, comment := range group.List {
						text.WriteString(strings.TrimSpace(strings.TrimPrefix(comment.Text, "//")) + "\n")
					}
				}
			}
			for _, item := range general.Specs {
				marks[item.(*ast.TypeSpec).Name.Name] = text.String()
			}
		}
		end = decl.End()
	}
	return marks
}

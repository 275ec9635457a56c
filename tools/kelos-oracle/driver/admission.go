package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	structuralpruning "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apiservervalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/yaml"

	kelos "github.com/kelos-dev/kelos/api/v1alpha2"
	"github.com/kelos-dev/kelos/internal/conversion"
)

// versionSchema is one version of a custom resource definition.
type versionSchema struct {
	structural *structuralschema.Structural
	strategy   interface {
		Validate(ctx context.Context, o runtime.Object) field.ErrorList
	}
}

var schemas = map[schema.GroupVersionKind]*versionSchema{}

// loadDefinitions renders the chart's definitions and prepares them as the API server does.
func loadDefinitions(folder string) {
	files, err := filepath.Glob(filepath.Join(folder, "*-crd.yaml"))
	must(err)
	if len(files) == 0 {
		panic("no custom resource definitions in " + folder)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		must(err)
		parsed, err := template.New(file).Parse(string(raw))
		must(err)
		var rendered bytes.Buffer
		must(parsed.Execute(&rendered, object{"Values": object{"keep": false}}))
		var definition apiextv1.CustomResourceDefinition
		must(yaml.UnmarshalStrict(rendered.Bytes(), &definition))
		apiextv1.SetDefaults_CustomResourceDefinition(&definition)
		apiextv1.SetDefaults_CustomResourceDefinitionSpec(&definition.Spec)
		for _, version := range definition.Spec.Versions {
			loadVersion(&definition, &version)
		}
	}
}

func loadVersion(definition *apiextv1.CustomResourceDefinition, version *apiextv1.CustomResourceDefinitionVersion) {
	kind := schema.GroupVersionKind{Group: definition.Spec.Group, Version: version.Name, Kind: definition.Spec.Names.Kind}
	internal := &apiextensions.CustomResourceValidation{}
	must(apiextv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(version.Schema, internal, nil))
	structural, err := structuralschema.NewStructural(internal.OpenAPIV3Schema)
	must(err)
	must(structuraldefaulting.PruneDefaults(structural))
	validator, _, err := apiservervalidation.NewSchemaValidator(internal.OpenAPIV3Schema)
	must(err)
	loaded := &versionSchema{structural: structural}
	loaded.strategy = customresource.NewStrategy(scheme, true, kind, validator, nil, structural, nil, nil, nil)
	schemas[kind] = loaded
}

// admit applies defaults, pruning and validation of one version in place, as the API server does on
// create with strict field validation, and returns the reason that it rejects the object.
func admit(u *unstructured.Unstructured) []string {
	kind := u.GroupVersionKind()
	version := schemas[kind]
	if version == nil {
		return []string{fmt.Sprintf("no matches for kind %q in version %q", kind.Kind, kind.GroupVersion())}
	}
	structuraldefaulting.Default(u.Object, version.structural)
	options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown := structuralpruning.PruneWithOptions(u.Object, version.structural, true, options)
	structuraldefaulting.PruneNonNullableNullsWithoutDefaults(u.Object, version.structural)
	coerce := schemaobjectmeta.CoerceOptions{ReturnUnknownFieldPaths: true}
	err, paths := schemaobjectmeta.CoerceWithOptions(nil, u.Object, version.structural, false, coerce)
	if err != nil {
		return []string{err.Error()}
	}
	delete(u.Object, "status")
	var reasons []string
	for _, path := range append(unknown, paths...) {
		reasons = append(reasons, fmt.Sprintf("unknown field %q", path))
	}
	for _, found := range version.strategy.Validate(context.Background(), u) {
		reasons = append(reasons, found.Error())
	}
	// The schema validator reports in map order.
	sort.Strings(reasons)
	return reasons
}

// toHub converts an admitted object to v1alpha2, which the controllers read.
func toHub(u *unstructured.Unstructured) (client.Object, error) {
	kind := u.GroupVersionKind()
	if kind.Version == "v1alpha1" {
		converted, err := convert(u)
		if err != nil {
			return nil, err
		}
		u = converted
	}
	made, err := scheme.New(u.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, made); err != nil {
		return nil, err
	}
	made.GetObjectKind().SetGroupVersionKind(u.GroupVersionKind())
	return made.(client.Object), nil
}

func convert(u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	hubs := map[string]client.Object{
		"Task": &kelos.Task{}, "Workspace": &kelos.Workspace{}, "AgentConfig": &kelos.AgentConfig{}, "TaskSpawner": &kelos.TaskSpawner{},
	}
	target, found := hubs[u.GetKind()]
	if !found {
		return nil, fmt.Errorf("no v1alpha1 of %s", u.GetKind())
	}
	hub := kelos.GroupVersion.WithKind(u.GetKind())
	target.GetObjectKind().SetGroupVersionKind(hub)
	from, err := scheme.New(u.GroupVersionKind())
	if err != nil {
		return nil, err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, from); err != nil {
		return nil, err
	}
	from.GetObjectKind().SetGroupVersionKind(u.GroupVersionKind())
	for _, registration := range conversion.WebhookRegistrations() {
		kind, err := apiutil.GVKForObject(registration.Object, scheme)
		must(err)
		if kind.Kind != u.GetKind() {
			continue
		}
		converter, err := registration.Converter(scheme)
		if err != nil {
			return nil, err
		}
		if err := converter.ConvertObject(context.Background(), from, target); err != nil {
			return nil, err
		}
	}
	root, err := runtime.DefaultUnstructuredConverter.ToUnstructured(target)
	if err != nil {
		return nil, err
	}
	stored := &unstructured.Unstructured{Object: root}
	stored.SetGroupVersionKind(hub)
	// The stored object gets the defaults of v1alpha2 when it is read.
	version := schemas[hub]
	structuraldefaulting.Default(stored.Object, version.structural)
	structuralpruning.PruneWithOptions(stored.Object, version.structural, true, structuralschema.UnknownFieldPathOptions{})
	return stored, nil
}

func joined(reasons []string) string { return strings.Join(reasons, "; ") }

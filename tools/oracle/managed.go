package main

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	namer "k8s.io/apiserver/pkg/endpoints/openapi"
	"k8s.io/kube-aggregator/pkg/apis/apiregistration"
	aggregator "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	aggregatortypes "k8s.io/kube-aggregator/pkg/generated/openapi"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/generated/openapi"
	"sigs.k8s.io/yaml"
)

// manager is the name of the field manager of all requests.
const manager = "oracle"

// appliers does server-side apply: the merge of a manifest into a stored object, with the field managers of the server.
type appliers struct {
	types map[*runtime.Scheme]managedfields.TypeConverter
	known map[schema.GroupVersionKind]*managedfields.FieldManager
}

func newAppliers() *appliers {
	return &appliers{
		types: map[*runtime.Scheme]managedfields.TypeConverter{},
		known: map[schema.GroupVersionKind]*managedfields.FieldManager{},
	}
}

// schemeOf is the scheme with the types of a kind.
func schemeOf(gvk schema.GroupVersionKind) *runtime.Scheme {
	switch gvk.Group {
	case apiregistration.GroupName:
		return aggregator.Scheme
	case customGroup:
		return definitionScheme
	}
	return legacyscheme.Scheme
}

// typesOf converts objects to typed values and back, with the list types and merge keys of the server's OpenAPI.
func (a *appliers) typesOf(scheme *runtime.Scheme) (managedfields.TypeConverter, error) {
	if known, ok := a.types[scheme]; ok {
		return known, nil
	}
	definitions := openapi.GetOpenAPIDefinitions
	if scheme == aggregator.Scheme {
		definitions = aggregatortypes.GetOpenAPIDefinitions
	}
	names := namer.NewDefinitionNamer(scheme)
	config := &common.OpenAPIV3Config{
		Info: &spec.Info{}, GetDefinitions: definitions, GetDefinitionName: names.GetDefinitionName,
	}
	var all []string
	for name := range definitions(func(string) spec.Ref { return spec.Ref{} }) {
		// Types of component configurations are no objects of the API, and some of apimachinery have no definition.
		if !strings.Contains(name, "config") && !strings.Contains(name, "apimachinery") {
			all = append(all, name)
		}
	}
	schemas, err := builder3.BuildOpenAPIDefinitionsForResources(config, all...)
	if err != nil {
		return nil, err
	}
	types, err := managedfields.NewTypeConverter(schemas, false)
	if err == nil {
		a.types[scheme] = types
	}
	return types, err
}

func (a *appliers) of(gvk schema.GroupVersionKind) (*managedfields.FieldManager, error) {
	if known, ok := a.known[gvk]; ok {
		return known, nil
	}
	scheme := schemeOf(gvk)
	types, err := a.typesOf(scheme)
	if err != nil {
		return nil, err
	}
	hub := schema.GroupVersion{Group: gvk.Group, Version: runtime.APIVersionInternal}
	made, err := managedfields.NewDefaultFieldManager(types, runtime.UnsafeObjectConvertor(scheme), scheme, scheme, gvk, hub, "", nil)
	if err == nil {
		a.known[gvk] = made
	}
	return made, err
}

// apply merges a manifest into an object of the internal type. Without one, it makes the object to create.
func (a *appliers) apply(document []byte, gvk schema.GroupVersionKind, live runtime.Object) (runtime.Object, error) {
	fields, err := a.of(gvk)
	if err != nil {
		return nil, err
	}
	if live == nil {
		if live, err = schemeOf(gvk).New(gvk); err != nil {
			return nil, err
		}
	} else {
		live = live.DeepCopyObject()
	}
	patch := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(document, &patch.Object); err != nil {
		return nil, err
	}
	return fields.Apply(live, patch, manager, true)
}

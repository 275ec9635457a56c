package main

import (
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apiserver/pkg/registry/rest"
)

const customGroup = "apiextensions.k8s.io"

var (
	definitionScheme = runtime.NewScheme()
	definitionCodecs = serializer.NewCodecFactory(definitionScheme)
	typer            = crdserverscheme.NewUnstructuredObjectTyper()
)

func init() { install.Install(definitionScheme) }

var definitionStrategy = customresourcedefinition.NewStrategy(definitionScheme)

// definition is a custom kind that was created: the data that its handler keeps for each version.
type definition struct {
	plural   string
	versions map[string]*version
}

type version struct {
	schema   *structural.Structural
	strategy rest.RESTCreateStrategy
}

// createDefinition returns the verdict on a CustomResourceDefinition. An accepted one defines its kind for later documents.
func (s *server) createDefinition(document []byte, gvk schema.GroupVersionKind) Verdict {
	obj, err := decode(definitionCodecs, document, gvk)
	if runtime.IsNotRegisteredError(err) {
		return refused(gvk.Kind, stageEnvelope, err)
	} else if err != nil {
		return refused(gvk.Kind, stageOf(err), err)
	}
	if err := beforeStorage(requestContext(gvk, "customresourcedefinitions", ""), definitionStrategy, obj, ""); err != nil {
		return refused(gvk.Kind, stageValidation, err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := definitionScheme.Convert(obj, crd, nil); err != nil {
		return refused(gvk.Kind, stageValidation, err)
	}
	known, err := serve(crd)
	if err != nil {
		return refused(gvk.Kind, stageValidation, fmt.Errorf("accepted, but not served: %w", err))
	}
	s.custom[schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind}] = known
	return Verdict{Kind: gvk.Kind, Stage: stageAccepted}
}

func serve(crd *apiextensionsv1.CustomResourceDefinition) (*definition, error) {
	known := &definition{plural: crd.Spec.Names.Plural, versions: map[string]*version{}}
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		if !v.Served {
			continue
		}
		served, err := serveVersion(crd, v)
		if err != nil {
			return nil, err
		}
		known.versions[v.Name] = served
	}
	return known, nil
}

func serveVersion(crd *apiextensionsv1.CustomResourceDefinition, v *apiextensionsv1.CustomResourceDefinitionVersion) (*version, error) {
	external, err := apihelpers.GetSchemaForVersion(crd, v.Name)
	if err != nil {
		return nil, err
	}
	internal := &apiextensions.CustomResourceValidation{}
	if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(external, internal, nil); err != nil {
		return nil, err
	}
	shape, err := structural.NewStructural(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	if err := defaulting.PruneDefaults(shape); err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(internal.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	var statusValidator validation.SchemaValidator
	if v.Subresources != nil && v.Subresources.Status != nil {
		status = &apiextensions.CustomResourceSubresourceStatus{}
		if properties, ok := internal.OpenAPIV3Schema.Properties["status"]; ok {
			if statusValidator, _, err = validation.NewSchemaValidator(&properties); err != nil {
				return nil, err
			}
		}
	}
	var scale *apiextensions.CustomResourceSubresourceScale
	if v.Subresources != nil && v.Subresources.Scale != nil {
		scale = &apiextensions.CustomResourceSubresourceScale{}
		if err := apiextensionsv1.Convert_v1_CustomResourceSubresourceScale_To_apiextensions_CustomResourceSubresourceScale(v.Subresources.Scale, scale, nil); err != nil {
			return nil, err
		}
	}
	gvk := schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}
	namespaced := crd.Spec.Scope == apiextensionsv1.NamespaceScoped
	strategy := customresource.NewStrategy(typer, namespaced, gvk, validator, statusValidator, shape, status, scale, v.SelectableFields)
	return &version{schema: shape, strategy: strategy}, nil
}

// create returns the verdict on an object of a custom kind, like the handler of custom resources.
func (d *definition) create(document []byte, gvk schema.GroupVersionKind, namespace string) Verdict {
	served, ok := d.versions[gvk.Version]
	if !ok {
		return refused(gvk.Kind, stageEnvelope, fmt.Errorf("%w: %v", errNotServed, gvk))
	}
	obj, err := served.decode(document, gvk)
	if err != nil {
		return refused(gvk.Kind, stageOf(err), err)
	}
	defaulting.Default(obj.UnstructuredContent(), served.schema)
	if err := beforeStorage(requestContext(gvk, d.plural, namespace), served.strategy, obj, namespace); err != nil {
		return refused(gvk.Kind, stageValidation, err)
	}
	return Verdict{Kind: gvk.Kind, Stage: stageAccepted}
}

// update returns the stage at which the update of an object of a custom kind ends.
func (d *definition) update(old, changed []byte, gvk schema.GroupVersionKind, namespace string) (string, error) {
	served, ok := d.versions[gvk.Version]
	if !ok {
		return "", errNotCreated
	}
	ctx := requestContext(gvk, d.plural, namespace)
	stored, err := served.decode(old, gvk)
	if err != nil {
		return "", errNotCreated
	}
	status, hasStatus := stored.Object["status"]
	defaulting.Default(stored.UnstructuredContent(), served.schema)
	if err := beforeStorage(ctx, served.strategy, stored, namespace); err != nil {
		return "", errNotCreated
	}
	if hasStatus {
		stored.Object["status"] = status
	}
	obj, err := served.decode(changed, gvk)
	if err != nil {
		return stageOf(err), err
	}
	defaulting.Default(obj.UnstructuredContent(), served.schema)
	stored.SetResourceVersion("1")
	obj.SetResourceVersion("1")
	if served.strategy.NamespaceScoped() {
		if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, obj); err != nil {
			return stageValidation, err
		}
	}
	if err := rest.BeforeUpdate(served.strategy.(rest.RESTUpdateStrategy), ctx, obj, stored); err != nil {
		return stageValidation, err
	}
	return stageAccepted, nil
}

// decode reads strictly and reports what the schema would prune. The order of the steps is the handler's
// (apiextensions-apiserver, pkg/apiserver/customresource_handler.go), whose coercing decoder is not exported.
func (v *version) decode(document []byte, gvk schema.GroupVersionKind) (*unstructured.Unstructured, error) {
	reader := json.NewSerializerWithOptions(json.DefaultMetaFactory, nil, typer, json.SerializerOptions{Yaml: true, Strict: true})
	obj := &unstructured.Unstructured{}
	var strict []error
	if _, _, err := reader.Decode(document, &gvk, obj); err != nil {
		findings, ok := runtime.AsStrictDecodingError(err)
		if !ok {
			return nil, err
		}
		strict = findings.Errors()
	}
	meta, found, unknown, err := objectmeta.GetObjectMetaWithOptions(obj.Object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, err
	}
	unknown = append(unknown, pruning.PruneWithOptions(obj.Object, v.schema, true, structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
	defaulting.PruneNonNullableNullsWithoutDefaults(obj.Object, v.schema)
	failure, paths := objectmeta.CoerceWithOptions(nil, obj.Object, v.schema, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if failure != nil {
		return nil, failure
	}
	for _, path := range append(unknown, paths...) {
		strict = append(strict, fmt.Errorf("unknown field %q", path))
	}
	if len(strict) > 0 {
		return nil, runtime.NewStrictDecodingError(strict)
	}
	obj.SetGroupVersionKind(gvk)
	if found {
		if err := objectmeta.SetObjectMeta(obj.Object, meta); err != nil {
			return nil, err
		}
	}
	return obj, nil
}

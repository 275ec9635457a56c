package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/capabilities"
	"sigs.k8s.io/yaml"
)

// The namespace of the client's context, for objects without a namespace.
const defaultNamespace = "default"

// server is an API server without storage. It knows the built-in kinds, and the custom kinds that were created.
type server struct {
	custom map[schema.GroupKind]*definition
}

func newServer() *server {
	// Every installer enables privileged containers; the default of the server's flag is off.
	capabilities.Initialize(capabilities.Capabilities{AllowPrivileged: true})
	return &server{custom: map[schema.GroupKind]*definition{}}
}

// served matches the versions that a server with default flags serves: the stable ones.
var served = regexp.MustCompile(`^v[0-9]+$`)

var errNotServed = errors.New("no such kind is served")

// create returns the verdict of a strict dry-run create of one document at the address that its envelope determines. A
// running server survives a panic of its own code too, and answers with an internal error.
func (s *server) create(document []byte) (verdict Verdict) {
	gvk, namespace, err := envelope(document)
	defer func() {
		if reason := recover(); reason != nil {
			verdict = Verdict{Kind: gvk.Kind, Stage: stagePanic, Errors: []Finding{
				{Type: "InternalError", Detail: shorten(fmt.Sprintf("the server panics: %v", reason))}}}
		}
	}()
	if err != nil {
		return refused(gvk.Kind, stageEnvelope, err)
	}
	if gvk.Group == customGroup && gvk.Kind == "CustomResourceDefinition" {
		return s.createDefinition(document, gvk)
	}
	if known, ok := s.custom[gvk.GroupKind()]; ok {
		return known.create(document, gvk, namespace)
	}
	if known, ok := reviews[gvk.GroupKind()]; ok && served.MatchString(gvk.Version) {
		return review(document, gvk, namespace, known)
	}
	known, ok := resources[gvk.GroupKind()]
	if !ok || !served.MatchString(gvk.Version) {
		return refused(gvk.Kind, stageEnvelope, fmt.Errorf("%w: %v", errNotServed, gvk))
	}
	return createBuiltIn(document, gvk, namespace, known)
}

// envelope reads the fields that determine the address of the request.
func envelope(document []byte) (schema.GroupVersionKind, string, error) {
	var head struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Metadata   struct {
			Namespace string `json:"namespace"`
		} `json:"metadata"`
	}
	converted, err := yaml.YAMLToJSON(document)
	if err != nil {
		return schema.GroupVersionKind{}, "", err
	}
	if err := json.Unmarshal(converted, &head); err != nil && head.Kind == "" {
		return schema.GroupVersionKind{}, "", err
	}
	if head.APIVersion == "" || head.Kind == "" {
		return schema.GroupVersionKind{Kind: head.Kind}, "", errors.New("apiVersion or kind not set")
	}
	gv, err := schema.ParseGroupVersion(head.APIVersion)
	if err != nil {
		return schema.GroupVersionKind{Kind: head.Kind}, "", err
	}
	if head.Metadata.Namespace == "" {
		head.Metadata.Namespace = defaultNamespace
	}
	return gv.WithKind(head.Kind), head.Metadata.Namespace, nil
}

// requestContext is the context of a create request, as the filters of the server leave it.
func requestContext(gvk schema.GroupVersionKind, resource, namespace string) context.Context {
	ctx := request.WithNamespace(context.Background(), namespace)
	ctx = request.WithUser(ctx, &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}})
	return request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true, Verb: "create", Namespace: namespace,
		APIGroup: gvk.Group, APIVersion: gvk.Version, Resource: resource,
	})
}

// beforeStorage does what the handler and the generic store do between decoding and storage.
func beforeStorage(ctx context.Context, strategy rest.RESTCreateStrategy, obj runtime.Object, namespace string) error {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return err
	}
	rest.WipeObjectMetaSystemFields(accessor)
	// The field manager of a running server replaces them by its own.
	accessor.SetManagedFields(nil)
	if !strategy.NamespaceScoped() {
		namespace = ""
	}
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, accessor); err != nil {
		return err
	}
	rest.FillObjectMetaSystemFields(accessor)
	if accessor.GetGenerateName() != "" && accessor.GetName() == "" {
		accessor.SetName(strategy.GenerateName(accessor.GetGenerateName()))
	}
	beginCreate(obj)
	return rest.BeforeCreate(strategy, request.WithNamespace(ctx, namespace), obj)
}

package main

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

var (
	namespaceKind = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}
	podKind       = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
)

// manifest is one printed object.
type manifest struct {
	text   string
	gvk    schema.GroupVersionKind
	object map[string]any
	// template is the part of the object that has the metadata and spec of its Pods, or nil.
	template map[string]any
}

func manifests(objects []output) ([]*manifest, error) {
	var all []*manifest
	for _, object := range objects {
		read := &manifest{text: object.Text}
		converted, err := yaml.YAMLToJSON([]byte(object.Text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", object.Object, err)
		}
		if err := json.Unmarshal(converted, &read.object); err != nil {
			return nil, fmt.Errorf("%s: %w", object.Object, err)
		}
		content := unstructured.Unstructured{Object: read.object}
		read.gvk = content.GroupVersionKind()
		read.template = podTemplate(read.object)
		all = append(all, read)
	}
	return all, nil
}

func (m *manifest) name() string { return (&unstructured.Unstructured{Object: m.object}).GetName() }

func (m *manifest) namespace() string {
	if namespace := (&unstructured.Unstructured{Object: m.object}).GetNamespace(); namespace != "" {
		return namespace
	}
	return defaultNamespace
}

// podTemplate finds the part of an object that has metadata and spec of Pods, at any depth: each controller has
// another name for it.
func podTemplate(value map[string]any) map[string]any {
	if spec, ok := value["spec"].(map[string]any); ok {
		if _, ok := spec["containers"].([]any); ok {
			return value
		}
	}
	for _, key := range []string{"spec", "template", "jobTemplate", "podTemplate", "workerPodTemplate"} {
		if inner, ok := value[key].(map[string]any); ok {
			if found := podTemplate(inner); found != nil {
				return found
			}
		}
	}
	return nil
}

// pod is a Pod as the controller of the object creates it.
func (m *manifest) pod() map[string]any {
	metadata := map[string]any{"name": "pod"}
	if given, ok := m.template["metadata"].(map[string]any); ok {
		for _, key := range []string{"labels", "annotations"} {
			if value, ok := given[key]; ok {
				metadata[key] = value
			}
		}
	}
	spec := map[string]any{}
	for key, value := range m.template["spec"].(map[string]any) {
		spec[key] = value
	}
	spec["volumes"] = append(list(spec["volumes"]), added(spec)...)
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
}

// added are volumes for the mounts without one, because controllers add those of volume claims.
func added(spec map[string]any) []any {
	known := map[any]bool{}
	for _, volume := range list(spec["volumes"]) {
		known[field(volume, "name")] = true
	}
	var volumes []any
	for _, containers := range []string{"initContainers", "containers"} {
		for _, container := range list(spec[containers]) {
			for _, mount := range list(field(container, "volumeMounts")) {
				if name := field(mount, "name"); !known[name] {
					known[name] = true
					volumes = append(volumes, map[string]any{"name": name, "emptyDir": map[string]any{}})
				}
			}
			for _, device := range list(field(container, "volumeDevices")) {
				if name := field(device, "name"); !known[name] {
					known[name] = true
					claim := map[string]any{"claimName": name}
					volumes = append(volumes, map[string]any{"name": name, "persistentVolumeClaim": claim})
				}
			}
		}
	}
	return volumes
}

func field(value any, key string) any {
	fields, _ := value.(map[string]any)
	return fields[key]
}

func list(value any) []any {
	items, _ := value.([]any)
	return items
}

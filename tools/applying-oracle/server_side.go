package main

import (
	"encoding/json"
	"fmt"
	"log"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/csaupgrade"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// A request before the one whose answer is asked for.
type step struct {
	Manager string `json:"manager"`
	// Whether the whole object is sent, and not applied.
	Update bool   `json:"update"`
	Force  bool   `json:"force"`
	Form   object `json:"form"`
}

// A case of server-side apply: the requests that made the live object, and the form that is applied then.
type serverSide struct {
	Name    string `json:"name"`
	Steps   []step `json:"steps,omitempty"`
	Manager string `json:"manager"`
	Force   bool   `json:"force"`
	Live    object `json:"live"`
	New     object `json:"new"`
	Answer  answer `json:"answer"`
}

// The schema of the custom resource of the cases: lists of each kind, and a field without a schema.
const thing = `{"type":"object","properties":{
  "apiVersion":{"type":"string"},"kind":{"type":"string"},
  "metadata":{"type":"object","properties":{
    "labels":{"type":"object","additionalProperties":{"type":"string"}},
    "annotations":{"type":"object","additionalProperties":{"type":"string"}},
    "finalizers":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
    "ownerReferences":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["uid"],"items":{
      "type":"object","x-kubernetes-map-type":"atomic","properties":{"uid":{"type":"string"}},"additionalProperties":true}}},
    "additionalProperties":true},
  "spec":{"type":"object","properties":{
    "list":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object",
      "properties":{"name":{"type":"string"},"v":{"type":"integer"}}}},
    "map":{"type":"object","additionalProperties":{"type":"string"}}}}},
  "x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Thing"}]}`

func typesOf(gvk schema.GroupVersionKind) managedfields.TypeConverter {
	if gvk.Group != "example.com" {
		return applyconfigurations.NewTypeConverter(scheme.Scheme)
	}
	var definition spec.Schema
	if err := json.Unmarshal([]byte(thing), &definition); err != nil {
		log.Fatal(err)
	}
	types, err := managedfields.NewTypeConverter(map[string]*spec.Schema{"thing": &definition}, true)
	if err != nil {
		log.Fatal(err)
	}
	return types
}

func wrapped(form object) *unstructured.Unstructured {
	return (&unstructured.Unstructured{Object: form}).DeepCopy()
}

// What kubectl does after an apply: it takes over the fields of client-side apply, and applies again.
func migrate(fields managedfieldstest.TestFieldManager, form object) error {
	annotation := fieldpath.NewSet(fieldpath.MakePathOrDie("metadata", "annotations", annotation))
	owners := csaupgrade.FindFieldsOwners(fields.ManagedFields(), metav1.ManagedFieldsOperationUpdate, annotation)
	names := sets.New[string]()
	for _, owner := range owners {
		names.Insert(owner.Manager)
	}
	live := fields.Live()
	if err := csaupgrade.UpgradeManagedFields(live, names, "kubectl"); err != nil {
		return err
	}
	accessor, err := meta.Accessor(live)
	if err != nil {
		return err
	}
	if len(names) == 0 || len(accessor.GetManagedFields()) == 0 {
		return nil
	}
	if err := fields.Update(live, "migration"); err != nil {
		return err
	}
	return fields.Apply(wrapped(form), "kubectl", false)
}

func withoutNulls(value any) any {
	switch value := value.(type) {
	case object:
		for key, inner := range value {
			if inner == nil {
				delete(value, key)
			} else {
				value[key] = withoutNulls(inner)
			}
		}
	case []any:
		for index, inner := range value {
			value[index] = withoutNulls(inner)
		}
	}
	return value
}

// Makes the live object of a case, and answers it. A case whose live object cannot be made has no answer.
func answerServerSide(line []byte) *serverSide {
	var in serverSide
	if err := json.Unmarshal(line, &in); err != nil {
		log.Fatal(err)
	}
	gvk := wrapped(in.New).GroupVersionKind()
	fields := managedfieldstest.NewTestFieldManager(typesOf(gvk), gvk)
	for _, step := range in.Steps {
		var err error
		if step.Update {
			err = fields.Update(wrapped(integers(step.Form)), step.Manager)
		} else {
			err = fields.Apply(wrapped(integers(step.Form)), step.Manager, step.Force)
		}
		if err != nil {
			return nil
		}
	}
	accessor, err := meta.Accessor(fields.Live())
	if err != nil {
		log.Fatal(err)
	}
	entries := accessor.GetManagedFields()
	for index := range entries {
		entries[index].Time = nil
	}
	live := fields.Live()
	meta, _ := meta.Accessor(live)
	meta.SetManagedFields(entries)
	in.Live = live.(*unstructured.Unstructured).Object
	in.Steps = nil
	form := integers(in.New)
	err = fields.Apply(wrapped(form), in.Manager, in.Force)
	if err == nil && in.Manager == "kubectl" {
		err = migrate(fields, form)
	}
	if err != nil {
		in.Answer.Error = err.Error()
		return &in
	}
	result := fields.Live().(*unstructured.Unstructured)
	result.SetManagedFields(nil)
	in.Answer.Result = withoutNulls(result.Object).(object)
	return &in
}

// A form whose numbers are integers, as in a request.
func integers(form object) object {
	text, err := json.Marshal(form)
	if err != nil {
		log.Fatal(err)
	}
	var read unstructured.Unstructured
	if err := read.UnmarshalJSON(text); err != nil {
		log.Fatal(fmt.Errorf("%s: %w", text, err))
	}
	return read.Object
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	api "k8s.io/kubernetes/pkg/apis/core"
	"sigs.k8s.io/yaml"
)

// pair is one update: the change of a document.
type pair struct {
	// ID is "<document>@<number>".
	ID string `json:"id"`
	// Op, Path and Value are an operation of a JSON patch: add, remove or replace.
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// updated is the answer to one update.
type updated struct {
	ID    string `json:"id"`
	Stage string `json:"stage"`
	// Create is the stage of the creation of the new object, if that is not accepted.
	Create string `json:"create,omitempty"`
	// Errors are those of an object that could be created.
	Errors []Finding `json:"errors,omitempty"`
}

// judgeUpdates prints the verdicts on the pairs of these files whose old documents the server accepts.
func judgeUpdates(root, paths string, patterns []string, to io.Writer) error {
	streams, err := readStreams(root, patterns)
	if err != nil {
		return err
	}
	documents, definitions := map[string]string{}, map[string]string{}
	for _, it := range streams {
		for _, document := range it.documents {
			id := it.name + "#" + document.name
			documents[id] = document.text
			if it.documents[0].name == "definition" {
				definitions[id] = it.documents[0].text
			}
		}
	}
	pairs, err := readPairs(filepath.Join(root, paths))
	if err != nil {
		return err
	}
	out := bufio.NewWriter(to)
	encoder := lines(out)
	updates := &updates{server: newServer(), appliers: newAppliers()}
	for _, it := range pairs {
		base, _, _ := strings.Cut(it.ID, "@")
		old, ok := documents[base]
		if !ok {
			return fmt.Errorf("%s: no such document", it.ID)
		}
		changed, err := patched(old, it)
		if err != nil {
			return fmt.Errorf("%s: %w", it.ID, err)
		}
		verdict, err := updates.judge([]byte(old), changed, definitions[base])
		if err != nil {
			// This version does not accept the old object.
			continue
		}
		verdict.ID = it.ID
		if err := encoder.Encode(verdict); err != nil {
			return err
		}
	}
	return out.Flush()
}

// readPairs reads the updates in the files that match a pattern.
func readPairs(pattern string) ([]pair, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var all []pair
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for decoder := json.NewDecoder(bytes.NewReader(text)); decoder.More(); {
			var it pair
			if err := decoder.Decode(&it); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			all = append(all, it)
		}
	}
	return all, nil
}

// patched is a document with one change.
func patched(document string, change pair) ([]byte, error) {
	var root any
	if err := yaml.Unmarshal([]byte(document), &root); err != nil {
		return nil, err
	}
	var steps []string
	for _, step := range strings.Split(change.Path, "/")[1:] {
		steps = append(steps, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	}
	root, err := changedAt(root, steps, change)
	if err != nil {
		return nil, err
	}
	return json.Marshal(root)
}

func changedAt(value any, steps []string, change pair) (any, error) {
	if len(steps) == 0 {
		return change.Value, nil
	}
	isLast := len(steps) == 1
	switch value := value.(type) {
	case map[string]any:
		if isLast && change.Op == "remove" {
			delete(value, steps[0])
			return value, nil
		}
		below, err := changedAt(value[steps[0]], steps[1:], change)
		value[steps[0]] = below
		return value, err
	case []any:
		if steps[0] == "-" {
			return append(value, change.Value), nil
		}
		var at int
		if _, err := fmt.Sscan(steps[0], &at); err != nil || at >= len(value) {
			return nil, fmt.Errorf("no item %s", change.Path)
		}
		if isLast && change.Op == "remove" {
			return append(value[:at:at], value[at+1:]...), nil
		}
		below, err := changedAt(value[at], steps[1:], change)
		value[at] = below
		return value, err
	}
	return nil, fmt.Errorf("no value at %s", change.Path)
}

// updates judges pairs of objects.
type updates struct {
	server   *server
	appliers *appliers
}

var errNotCreated = errors.New("the old object is not accepted")

// judge creates one document by apply and applies another over it. It fails if the first is not accepted.
func (u *updates) judge(old, changed []byte, definition string) (verdict updated, err error) {
	if definition != "" {
		u.server.create([]byte(definition))
	}
	if created := u.server.create(old); created.Stage != stageAccepted {
		return verdict, fmt.Errorf("%w: %v", errNotCreated, created.Errors)
	}
	defer func() {
		if reason := recover(); reason != nil {
			verdict.Stage = stagePanic
			verdict.Errors = []Finding{{Type: "InternalError", Detail: shorten(fmt.Sprintf("the server panics: %v", reason))}}
		}
	}()
	if created := u.server.create(changed); created.Stage != stageAccepted {
		verdict.Create = created.Stage
	}
	stage, failure := u.update(old, changed)
	if errors.Is(failure, errNotCreated) {
		return verdict, failure
	}
	verdict.Stage = stage
	if failure != nil && verdict.Create == "" {
		verdict.Errors = findings(failure)
	}
	for i := range verdict.Errors {
		verdict.Errors[i].Detail = allocated.ReplaceAllString(verdict.Errors[i].Detail, "<address>")
	}
	return verdict, nil
}

// allocated matches addresses from the upper part of a range, which are allocated by chance.
var allocated = regexp.MustCompile(`\b(10\.0\.[1-9][0-9]*\.[0-9]+|fd00::[0-9a-f:]+)`)

// kind is what the update of an object depends on.
type kind struct {
	gvk       schema.GroupVersionKind
	namespace string
	resource  string
	strategy  rest.RESTCreateStrategy
	services  *allocators
}

func (u *updates) kindOf(document []byte) (*kind, error) {
	gvk, namespace, err := envelope(document)
	if err != nil {
		return nil, err
	}
	if gvk.Group == customGroup && gvk.Kind == "CustomResourceDefinition" {
		return &kind{gvk: gvk, resource: "customresourcedefinitions", strategy: definitionStrategy}, nil
	}
	known, ok := resources[gvk.GroupKind()]
	if !ok {
		return nil, errNotServed
	}
	made := &kind{gvk: gvk, namespace: namespace, resource: known.name, strategy: known.strategy}
	if !known.strategy.NamespaceScoped() {
		made.namespace = ""
	}
	if gvk.Group == "" && gvk.Kind == "Service" {
		made.services, err = newAllocators()
	}
	return made, err
}

func (u *updates) update(old, changed []byte) (string, error) {
	of, err := u.kindOf(old)
	if err != nil {
		gvk, namespace, failure := envelope(old)
		if custom, ok := u.server.custom[gvk.GroupKind()]; failure == nil && ok {
			return custom.update(old, changed, gvk, namespace)
		}
		return "", errors.Join(errNotCreated, err)
	}
	gvk, namespace, err := envelope(changed)
	if err != nil {
		return stageEnvelope, err
	} else if gvk != of.gvk || of.namespace != "" && namespace != of.namespace {
		return stageEnvelope, errors.New("another object")
	}
	ctx := requestContext(of.gvk, of.resource, of.namespace)
	stored, err := u.stored(ctx, of, old)
	if err != nil {
		return "", errors.Join(errNotCreated, err)
	}
	// Strict decoding finds unknown and duplicate fields.
	if _, err := decode(codecsOf(of.gvk), changed, of.gvk); err != nil {
		return stageOf(err), err
	}
	obj, err := u.appliers.apply(changed, of.gvk, stored)
	if err != nil {
		return stageApply, err
	}
	return u.store(ctx, of, obj, stored)
}

// stored is the object as its creation by apply leaves it.
func (u *updates) stored(ctx context.Context, of *kind, document []byte) (runtime.Object, error) {
	obj, err := u.appliers.apply(document, of.gvk, nil)
	if err != nil {
		return nil, err
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	given := obj.DeepCopyObject()
	managed := accessor.GetManagedFields()
	if of.services != nil {
		rest.FillObjectMetaSystemFields(accessor)
		if err := of.services.create(ctx, obj); err != nil {
			return nil, err
		}
	}
	if err := beforeStorage(ctx, of.strategy, obj, of.namespace); err != nil {
		return nil, err
	}
	accessor.SetManagedFields(managed)
	accessor.SetResourceVersion("1")
	accessor.SetCreationTimestamp(metav1.NewTime(time.Unix(0, 0)))
	keepStatus(obj, given)
	return obj, nil
}

// keepStatus sets the status that the document has, as a controller would. Without one, the controllers have done their
// work: a claim is bound to a volume of the requested size, and the names of a definition are accepted.
func keepStatus(obj, given runtime.Object) {
	switch obj := obj.(type) {
	case *api.PersistentVolumeClaim:
		if given.(*api.PersistentVolumeClaim).Status.Phase == api.ClaimPending {
			obj.Status.Phase, obj.Status.Capacity = api.ClaimBound, obj.Spec.Resources.Requests
			return
		}
	case *api.Namespace, *api.PersistentVolume:
		// Documents without status have a default one.
		return
	case *apiextensions.CustomResourceDefinition:
		if len(given.(*apiextensions.CustomResourceDefinition).Status.Conditions) == 0 {
			obj.Status.Conditions = []apiextensions.CustomResourceDefinitionCondition{
				{Type: apiextensions.Established, Status: apiextensions.ConditionTrue},
			}
			return
		}
	}
	from := reflect.ValueOf(given).Elem().FieldByName("Status")
	if from.IsValid() && !from.IsZero() {
		reflect.ValueOf(obj).Elem().FieldByName("Status").Set(from)
	}
}

// store does what the generic store does with the object of an update.
func (u *updates) store(ctx context.Context, of *kind, obj, stored runtime.Object) (string, error) {
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return "", err
	}
	if of.strategy.NamespaceScoped() {
		if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(of.namespace, accessor); err != nil {
			return stageValidation, err
		}
	}
	updater, ok := of.strategy.(rest.RESTUpdateStrategy)
	if !ok {
		return stageEnvelope, errors.New("the kind has no updates")
	}
	old := stored.DeepCopyObject()
	if of.services != nil {
		if err := of.services.update(ctx, obj, old); err != nil {
			return stageAllocation, err
		}
	}
	accessor.SetManagedFields(nil)
	if err := rest.BeforeUpdate(updater, request.WithNamespace(ctx, of.namespace), obj, old); err != nil {
		return stageValidation, err
	}
	if problems := admit(obj); len(problems) > 0 {
		return stageAdmission, fmt.Errorf("%s: %s", problems[0].Field, problems[0].Detail)
	}
	return stageAccepted, nil
}

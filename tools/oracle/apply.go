package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// address returns the address of the collection of an object.
func (l *live) address(m *manifest) (string, error) {
	if l.kinds == nil {
		if err := l.discover(); err != nil {
			return "", err
		}
	}
	resource, ok := l.kinds[m.gvk]
	if !ok {
		return "", fmt.Errorf("%w: %v", errNotServed, m.gvk)
	}
	return l.path(m.gvk, resource, m.namespace()), nil
}

// send sends a request that is not a dry run, and also returns the stored object.
func (l *live) send(method, path string, m *manifest) (Verdict, []byte) {
	contentType := "application/yaml"
	if method == http.MethodPatch {
		contentType = "application/apply-patch+yaml"
	}
	code, body, err := l.requestAs(contentType, method, path, []byte(m.text))
	return answer(m.gvk, code, body, err), body
}

// content returns an object without the fields that the server can change at any time.
func content(body []byte) (map[string]any, error) {
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	delete(object, "status")
	if metadata, ok := object["metadata"].(map[string]any); ok {
		delete(metadata, "managedFields")
		delete(metadata, "resourceVersion")
	}
	return object, nil
}

// ensure creates an object for the current case, unless it exists.
func (j *outputJudge) ensure(collection, name string, object any) error {
	l := j.running
	if code, _, err := l.request(http.MethodGet, collection+"/"+name, nil); err != nil || code == http.StatusOK {
		return err
	}
	body, err := json.Marshal(object)
	if err != nil {
		return err
	}
	code, answer, err := l.request(http.MethodPost, collection, body)
	if err == nil && code != http.StatusCreated {
		err = fmt.Errorf("%s/%s: status %d: %s", collection, name, code, answer)
	}
	j.created = append(j.created, collection+"/"+name)
	return err
}

// afterCreate does the work of controllers that later objects require.
func (l *live) afterCreate(m *manifest, path string) error {
	switch m.gvk.Kind {
	case "CustomResourceDefinition":
		return l.untilServed(m)
	case "ResourceQuota":
		// Nothing can be created before the quota controller has counted the usage.
		hard, _ := m.object["spec"].(map[string]any)["hard"].(map[string]any)
		used := map[string]any{}
		for resource := range hard {
			used[resource] = "0"
		}
		status := map[string]any{"hard": hard, "used": used}
		body, err := json.Marshal(map[string]any{"status": status})
		if err != nil {
			return err
		}
		code, answer, err := l.requestAs("application/merge-patch+json", http.MethodPatch, path+"/status", body)
		if err == nil && code != http.StatusOK {
			err = fmt.Errorf("status %d: %s", code, answer)
		}
		return err
	}
	return nil
}

// ensureAccount creates the ServiceAccount of a Pod for the current case.
func (j *outputJudge) ensureAccount(namespace, name string) error {
	collection := "/api/v1/namespaces/" + namespace + "/serviceaccounts"
	return j.ensure(collection, name, map[string]any{
		"apiVersion": "v1", "kind": "ServiceAccount", "metadata": map[string]any{"name": name}})
}

// untilServed waits for the kinds of a definition.
func (l *live) untilServed(m *manifest) error {
	var definition struct {
		Spec struct {
			Group    string
			Names    struct{ Plural string }
			Versions []struct {
				Name   string
				Served bool
			}
		}
	}
	text, err := json.Marshal(m.object)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &definition); err != nil {
		return err
	}
	spec := definition.Spec
	for _, version := range spec.Versions {
		path := "/apis/" + spec.Group + "/" + version.Name + "/" + spec.Names.Plural
		code := 0
		for range 100 {
			if code, _, err = l.request(http.MethodGet, path, nil); code == http.StatusOK || !version.Served {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if version.Served && code != http.StatusOK {
			return fmt.Errorf("%s is not served: status %d: %w", path, code, err)
		}
	}
	l.kinds = nil
	return nil
}

// createSurroundings creates what the objects of a case refer to and the case does not have, as far as the API server
// checks it: namespaces, service accounts, runtime classes and priority classes.
func (j *outputJudge) createSurroundings(all []*manifest) error {
	own, created := map[string]bool{}, map[string]bool{}
	j.accounts = map[string][]string{}
	for _, m := range all {
		own[m.gvk.Kind+"/"+m.name()] = true
		own[m.gvk.Kind+"/"+m.namespace()+"/"+m.name()] = true
	}
	for _, m := range all {
		namespace := m.namespace()
		// Namespaces are not created implicitly.
		j.running.namespaces[namespace] = true
		wanted := []surrounding{{"Namespace", "/api/v1/namespaces", namespace, map[string]any{"apiVersion": "v1"}}}
		spec, _ := m.template["spec"].(map[string]any)
		if name, ok := spec["runtimeClassName"].(string); ok {
			body := map[string]any{"apiVersion": "node.k8s.io/v1", "handler": "handler"}
			wanted = append(wanted, surrounding{"RuntimeClass", "/apis/node.k8s.io/v1/runtimeclasses", name, body})
		}
		if name, ok := spec["priorityClassName"].(string); ok {
			body := map[string]any{"apiVersion": "scheduling.k8s.io/v1", "value": 1000}
			wanted = append(wanted, surrounding{"PriorityClass", "/apis/scheduling.k8s.io/v1/priorityclasses", name, body})
		}
		name, ok := spec["serviceAccountName"].(string)
		if own["ServiceAccount/"+namespace+"/"+name] {
			ok = false
		}
		if ok && own["Namespace/"+namespace] && !created[namespace] {
			// The namespace is created later.
			j.accounts[namespace] = append(j.accounts[namespace], name)
		} else if ok {
			path := "/api/v1/namespaces/" + namespace + "/serviceaccounts"
			wanted = append(wanted, surrounding{"ServiceAccount", path, name, map[string]any{"apiVersion": "v1"}})
		}
		for _, it := range wanted {
			if own[it.kind+"/"+it.name] {
				continue
			}
			own[it.kind+"/"+it.name] = true
			it.body["kind"], it.body["metadata"] = it.kind, map[string]any{"name": it.name}
			if err := j.ensure(it.collection, it.name, it.body); err != nil {
				return err
			}
			if it.kind == "Namespace" {
				created[it.name] = true
				if err := j.ensureAccount(it.name, "default"); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

type surrounding struct {
	kind, collection, name string
	body                   map[string]any
}

// lasting are the objects of the server itself.
var lasting = []string{"/api/v1/namespaces/default", "/api/v1/namespaces/kube-system", "/api/v1/namespaces/kube-public",
	"/api/v1/namespaces/kube-node-lease", "/apis/scheduling.k8s.io/v1/priorityclasses/system-cluster-critical",
	"/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical"}

// cleanUp removes the objects of a case, the last created first.
func (j *outputJudge) cleanUp() error {
	slices.Reverse(j.created)
	for _, path := range j.created {
		if slices.Contains(lasting, path) {
			continue
		}
		if err := j.running.remove(path); err != nil {
			return err
		}
		if strings.Contains(path, "/customresourcedefinitions/") {
			j.running.kinds = nil
		}
	}
	j.created = nil
	return nil
}

// remove deletes an object and its finalizers, as controllers would.
func (l *live) remove(path string) error {
	for attempt := range 100 {
		code, answer, err := l.request(http.MethodDelete, path+"?gracePeriodSeconds=0&propagationPolicy=Background", nil)
		var status struct{ Kind string }
		if err != nil || code == http.StatusNotFound || json.Unmarshal(answer, &status) == nil && status.Kind == "Status" && code == http.StatusOK {
			return err
		}
		if code >= http.StatusBadRequest && code != http.StatusConflict {
			return fmt.Errorf("%s: status %d: %s", path, code, answer)
		}
		if strings.HasPrefix(path, "/api/v1/namespaces/") && strings.Count(path, "/") == 4 {
			body := fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q},"spec":{"finalizers":[]}}`, path[len("/api/v1/namespaces/"):])
			_, _, err = l.request(http.MethodPut, path+"/finalize", []byte(body))
		} else if !strings.Contains(path, "/customresourcedefinitions/") {
			_, _, err = l.requestAs("application/merge-patch+json", http.MethodPatch, path, []byte(`{"metadata":{"finalizers":null}}`))
		}
		if err != nil {
			return err
		}
		if attempt > 0 {
			time.Sleep(20 * time.Millisecond)
		}
	}
	return errors.New(path + " cannot be deleted")
}

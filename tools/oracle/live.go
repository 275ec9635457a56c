package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// live is a running API server, to which each document is sent over HTTP as a dry-run create with strict field validation.
// Custom resource definitions named "definition" exist for the duration of their stream, and so do namespaces.
type live struct {
	url, token string
	client     *http.Client
	// kinds is the result of discovery, updated after a definition was created.
	kinds      map[schema.GroupVersionKind]metav1.APIResource
	namespaces map[string]bool
	created    []string
}

func newLive(url, token string) *live {
	// The server has a self-signed certificate and a loopback address.
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec
	return &live{url: strings.TrimSuffix(url, "/"), token: token,
		client: &http.Client{Transport: transport, Timeout: time.Minute}, namespaces: map[string]bool{defaultNamespace: true}}
}

func (l *live) create(document []byte, name string) Verdict {
	gvk, namespace, err := envelope(document)
	if err != nil {
		return refused(gvk.Kind, stageEnvelope, err)
	}
	if l.kinds == nil {
		if err := l.discover(); err != nil {
			return refused(gvk.Kind, stageEnvelope, err)
		}
	}
	resource, ok := l.kinds[gvk]
	if !ok {
		return refused(gvk.Kind, stageEnvelope, fmt.Errorf("%w: %v", errNotServed, gvk))
	}
	path := l.path(gvk, resource, namespace)
	verdict := l.post(path+"?dryRun=All&fieldValidation=Strict", document, gvk)
	if name == "definition" && verdict.Stage == stageAccepted {
		if err := l.define(path, document); err != nil {
			return refused(gvk.Kind, stageEnvelope, err)
		}
	}
	return verdict
}

// path is the address of a collection. A namespace that does not exist yet is created.
func (l *live) path(gvk schema.GroupVersionKind, resource metav1.APIResource, namespace string) string {
	root := "/apis/" + gvk.Group + "/" + gvk.Version
	if gvk.Group == "" {
		root = "/api/" + gvk.Version
	}
	if !resource.Namespaced {
		return root + "/" + resource.Name
	}
	if !l.namespaces[namespace] {
		body := fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, namespace)
		_, _, _ = l.request(http.MethodPost, "/api/v1/namespaces", []byte(body))
		l.namespaces[namespace] = true
	}
	return root + "/namespaces/" + namespace + "/" + resource.Name
}

func (l *live) post(path string, document []byte, gvk schema.GroupVersionKind) Verdict {
	code, body, err := l.request(http.MethodPost, path, document)
	// An object with this name exists, so it was valid: storage comes after validation.
	if code == http.StatusConflict {
		return Verdict{Kind: gvk.Kind, Stage: stageAccepted}
	}
	return answer(gvk, code, body, err)
}

// answer returns the verdict in the response to a request.
func answer(gvk schema.GroupVersionKind, code int, body []byte, err error) Verdict {
	if err != nil {
		return refused(gvk.Kind, stageEnvelope, err)
	}
	if code == http.StatusCreated || code == http.StatusOK {
		return Verdict{Kind: gvk.Kind, Stage: stageAccepted}
	}
	var status metav1.Status
	if err := json.Unmarshal(body, &status); err != nil {
		return refused(gvk.Kind, stageEnvelope, fmt.Errorf("status %d: %s", code, body))
	}
	failure := &apierrors.StatusError{ErrStatus: status}
	switch {
	case status.Reason == metav1.StatusReasonInvalid:
		return refused(gvk.Kind, stageValidation, failure)
	case strings.Contains(status.Message, "strict decoding error"):
		return refused(gvk.Kind, stageStrict, failure)
	case status.Reason == metav1.StatusReasonForbidden:
		return refused(gvk.Kind, stageAdmission, failure)
	default:
		return refused(gvk.Kind, stageDecode, failure)
	}
}

// define creates a custom kind and waits until it is served.
func (l *live) define(path string, document []byte) error {
	code, body, err := l.request(http.MethodPost, path, document)
	if err != nil {
		return err
	}
	var object struct {
		Metadata struct{ Name string }
		Spec     struct {
			Group    string
			Names    struct{ Kind, Plural string }
			Versions []struct{ Name string }
		}
	}
	if err := json.Unmarshal(body, &object); err != nil || code != http.StatusCreated {
		return fmt.Errorf("the definition is not created: status %d: %s", code, body)
	}
	l.created = append(l.created, path+"/"+object.Metadata.Name)
	for range 100 {
		time.Sleep(200 * time.Millisecond)
		if err := l.discover(); err != nil {
			return err
		}
		gvk := schema.GroupVersionKind{Group: object.Spec.Group, Version: object.Spec.Versions[0].Name, Kind: object.Spec.Names.Kind}
		if _, ok := l.kinds[gvk]; ok {
			// The kind is listed shortly before its handler responds.
			time.Sleep(2 * time.Second)
			return nil
		}
	}
	return fmt.Errorf("%s is not served", object.Metadata.Name)
}

// endStream removes the objects that a stream created, so that the next one can define the same kind.
func (l *live) endStream() {
	for _, path := range l.created {
		_, _, _ = l.request(http.MethodDelete, path, nil)
		for range 100 {
			if code, _, err := l.request(http.MethodGet, path, nil); err != nil || code == http.StatusNotFound {
				break
			}
			time.Sleep(200 * time.Millisecond)
		}
		l.kinds = nil
	}
	l.created = nil
}

func (l *live) discover() error {
	kinds := map[schema.GroupVersionKind]metav1.APIResource{}
	var groups metav1.APIGroupList
	if err := l.get("/apis", &groups); err != nil {
		return err
	}
	paths := map[string]schema.GroupVersion{"/api/v1": {Version: "v1"}}
	for _, group := range groups.Groups {
		for _, version := range group.Versions {
			paths["/apis/"+version.GroupVersion] = schema.GroupVersion{Group: group.Name, Version: version.Version}
		}
	}
	for path, gv := range paths {
		var list metav1.APIResourceList
		if err := l.get(path, &list); err != nil {
			// The group of a definition that is being deleted is still listed for a moment.
			if gv.Group != "" && errors.Is(err, errNotFound) {
				continue
			}
			return err
		}
		for _, resource := range list.APIResources {
			if !strings.Contains(resource.Name, "/") {
				kinds[gv.WithKind(resource.Kind)] = resource
			}
		}
	}
	l.kinds = kinds
	return nil
}

var errNotFound = errors.New("not found")

func (l *live) get(path string, into any) error {
	code, body, err := l.request(http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	if code == http.StatusNotFound {
		return fmt.Errorf("%s: %w", path, errNotFound)
	}
	if code != http.StatusOK {
		return fmt.Errorf("%s: status %d", path, code)
	}
	return json.Unmarshal(body, into)
}

func (l *live) request(method, path string, body []byte) (int, []byte, error) {
	return l.requestAs("application/yaml", method, path, body)
}

func (l *live) requestAs(contentType, method, path string, body []byte) (int, []byte, error) {
	request, err := http.NewRequest(method, l.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+l.token)
	request.Header.Set("Content-Type", contentType)
	request.Header.Set("Accept", "application/json")
	response, err := l.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

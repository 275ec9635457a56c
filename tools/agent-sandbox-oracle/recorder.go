package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes/scheme"
)

// recorder is a proxy between the controllers and the API server. It sees bodies before defaults and admission.
type recorder struct {
	address string
	mutex   sync.Mutex
	// requests by namespace, in the order of the answers.
	requests map[string][]request
	// last is the time of the last write of each namespace that the API server accepted.
	last map[string]time.Time
}

// request is a write of a controller.
type request struct {
	verb, resource, name, subresource string
	contentType                       string
	body                              object
	status                            int
	answer                            object
}

func newRecorder(server string, transport http.RoundTripper, token string) (*recorder, error) {
	target, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &recorder{
		address:  "http://" + listener.Addr().String(),
		requests: map[string][]request{},
		last:     map[string]time.Time{},
	}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Transport:     roundTrip(func(it *http.Request) (*http.Response, error) { return r.forward(transport, it) }),
		Rewrite: func(it *httputil.ProxyRequest) {
			it.SetURL(target)
			it.Out.Header.Set("Authorization", "Bearer "+token)
		},
	}
	go func() { _ = http.Serve(listener, proxy) }() //nolint:gosec
	return r, nil
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(it *http.Request) (*http.Response, error) { return f(it) }

func (r *recorder) forward(transport http.RoundTripper, it *http.Request) (*http.Response, error) {
	namespace, seen := describe(it)
	if seen == nil {
		return transport.RoundTrip(it)
	}
	body, err := io.ReadAll(it.Body)
	if err != nil {
		return nil, err
	}
	it.Body = io.NopCloser(bytes.NewReader(body))
	it.Header.Del("Accept-Encoding")
	response, err := transport.RoundTrip(it)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	seen.status = response.StatusCode
	if seen.body, err = decode(body); err == nil {
		seen.answer, err = decode(answer)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", it.Method, it.URL.Path, err)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.requests[namespace] = append(r.requests[namespace], *seen)
	if seen.status < http.StatusMultipleChoices {
		r.last[namespace] = time.Now()
	}
	return response, nil
}

// describe returns the namespace of a write; nil for other requests, and for events and leases.
func describe(it *http.Request) (string, *request) {
	verbs := map[string]string{
		http.MethodPost: "create", http.MethodPut: "update", http.MethodPatch: "patch", http.MethodDelete: "delete",
	}
	verb, ok := verbs[it.Method]
	_, rest, found := strings.Cut(it.URL.Path, "/namespaces/")
	if !ok || !found {
		return "", nil
	}
	steps := strings.Split(rest, "/")
	if len(steps) < 2 || steps[1] == "events" || steps[1] == "leases" {
		return "", nil
	}
	seen := &request{verb: verb, resource: steps[1], contentType: it.Header.Get("Content-Type")}
	if len(steps) > 2 {
		seen.name = steps[2]
	}
	if len(steps) > 3 {
		seen.subresource = steps[3]
	}
	return steps[0], seen
}

// decode reads JSON, and the protobuf messages in which the controllers send objects of built-in kinds.
func decode(body []byte) (object, error) {
	if len(body) == 0 {
		return nil, nil
	}
	if bytes.HasPrefix(body, []byte("k8s\x00")) {
		typed, kind, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
		if err != nil {
			return nil, err
		}
		if body, err = json.Marshal(typed); err != nil {
			return nil, err
		}
		var found object
		if err := json.Unmarshal(body, &found); err != nil {
			return nil, err
		}
		found["apiVersion"], found["kind"] = kind.GroupVersion().String(), kind.Kind
		return found, nil
	}
	var found object
	return found, json.Unmarshal(body, &found)
}

// quietSince returns the time of the last write in the namespaces.
func (r *recorder) quietSince(namespaces []string) time.Time {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	var last time.Time
	for _, namespace := range namespaces {
		if it := r.last[namespace]; it.After(last) {
			last = it
		}
	}
	return last
}

func (r *recorder) of(namespace string) []request {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return append([]request(nil), r.requests[namespace]...)
}

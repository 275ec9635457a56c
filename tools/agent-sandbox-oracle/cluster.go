package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"sigs.k8s.io/yaml"
)

// object is any Kubernetes object.
type object = map[string]any

// cluster is the API server, asked as an administrator: not through the recorder.
type cluster struct {
	url, token string
	transport  *http.Transport
	mutex      sync.Mutex
	// resources has the plural of each `apiVersion/kind`, and the empty string where the kind is not namespaced.
	resources map[string]resource
}

type resource struct {
	plural     string
	namespaced bool
}

func newCluster(url, token string) *cluster {
	// The certificate of the server is its own, and the address is on this machine.
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec
	return &cluster{url: url, token: token, transport: transport, resources: map[string]resource{}}
}

func (c *cluster) send(method, path, contentType string, body []byte) (int, []byte, error) {
	request, err := http.NewRequest(method, c.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Accept", "application/json")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := (&http.Client{Transport: c.transport, Timeout: time.Minute}).Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// get reads an object or a list; nil where it does not exist.
func (c *cluster) get(path string) (object, error) {
	status, body, err := c.send(http.MethodGet, path, "", nil)
	if err != nil || status == http.StatusNotFound {
		return nil, err
	}
	var found object
	return found, json.Unmarshal(body, &found)
}

// create posts an object, and returns the stored one.
func (c *cluster) create(it object) (object, error) {
	collection, err := c.collection(it)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(it)
	if err != nil {
		return nil, err
	}
	status, answer, err := c.send(http.MethodPost, collection, "application/json", body)
	if err != nil {
		return nil, err
	}
	if status != http.StatusCreated {
		return nil, fmt.Errorf("%s %s: %s", it["kind"], text(it, "metadata", "name"), answer)
	}
	var stored object
	return stored, json.Unmarshal(answer, &stored)
}

// collection is the address of the objects of a kind in the namespace of an object.
func (c *cluster) collection(it object) (string, error) {
	version, kind := text(it, "apiVersion"), text(it, "kind")
	root := "/apis/" + version
	if !strings.Contains(version, "/") {
		root = "/api/" + version
	}
	found, err := c.resource(root, version, kind)
	if err != nil {
		return "", err
	}
	if !found.namespaced {
		return root + "/" + found.plural, nil
	}
	return root + "/namespaces/" + text(it, "metadata", "namespace") + "/" + found.plural, nil
}

func (c *cluster) resource(root, version, kind string) (resource, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if found, ok := c.resources[version+"/"+kind]; ok {
		return found, nil
	}
	list, err := c.get(root)
	if err != nil {
		return resource{}, err
	}
	for _, item := range items(list, "resources") {
		if name := text(item, "name"); !strings.Contains(name, "/") {
			namespaced, _ := item["namespaced"].(bool)
			c.resources[version+"/"+text(item, "kind")] = resource{plural: name, namespaced: namespaced}
		}
	}
	found, ok := c.resources[version+"/"+kind]
	if !ok {
		return resource{}, fmt.Errorf("%s %s is not served", version, kind)
	}
	return found, nil
}

// define creates the custom resource definitions and waits until they are served. Conversions of line 0.5 go to the webhook of
// the controllers by its address, since the API server cannot reach the Service.
func (c *cluster) define(folder string, webhook *webhook) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var definition object
		if err := yaml.Unmarshal(content, &definition); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if conversion, ok := at(definition, "spec", "conversion", "webhook").(object); ok {
			webhook.isUsed = true
			conversion["clientConfig"] = object{"url": webhook.url + "/convert", "caBundle": webhook.certificate}
		}
		if _, err := c.create(definition); err != nil {
			return err
		}
		path := "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + text(definition, "metadata", "name")
		if err := c.waitFor(path, "Established"); err != nil {
			return err
		}
	}
	// Discovery follows within a few seconds.
	time.Sleep(5 * time.Second)
	return nil
}

func (c *cluster) waitFor(path, condition string) error {
	for range 100 {
		found, err := c.get(path)
		if err != nil {
			return err
		}
		for _, each := range items(found, "status", "conditions") {
			if each["type"] == condition && each["status"] == "True" {
				return nil
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("%s: not %s", path, condition)
}

// runPods stands in for the scheduler and the kubelets: every Pod runs and is ready.
func (c *cluster) runPods() {
	for number := 1; ; time.Sleep(100 * time.Millisecond) {
		pods, err := c.get("/api/v1/pods")
		if err != nil {
			continue
		}
		for _, pod := range items(pods, "items") {
			if text(pod, "status", "phase") != "Pending" {
				continue
			}
			ip := fmt.Sprintf("10.200.%d.%d", number/250, number%250+1)
			number++
			ready := func(kind string) object {
				return object{"type": kind, "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}
			}
			status, _ := json.Marshal(object{"status": object{
				"phase": "Running", "podIP": ip, "podIPs": []object{{"ip": ip}},
				"conditions": []object{ready("PodScheduled"), ready("Ready"), ready("ContainersReady"), ready("Initialized")},
			}})
			path := "/api/v1/namespaces/" + text(pod, "metadata", "namespace") + "/pods/" + text(pod, "metadata", "name") + "/status"
			_, _, _ = c.send(http.MethodPatch, path, "application/merge-patch+json", status)
		}
	}
}

// at is the value at the end of a chain of keys.
func at(value any, keys ...string) any {
	for _, key := range keys {
		fields, ok := value.(object)
		if !ok {
			return nil
		}
		value = fields[key]
	}
	return value
}

func text(it object, keys ...string) string {
	value, _ := at(it, keys...).(string)
	return value
}

func items(it object, keys ...string) []object {
	list, _ := at(it, keys...).([]any)
	var found []object
	for _, item := range list {
		if fields, ok := item.(object); ok {
			found = append(found, fields)
		}
	}
	return found
}

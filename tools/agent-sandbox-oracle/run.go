package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
)

// readInput returns the objects of a case: those of `input.yaml`, or what sandboxc builds from it if it contains
// definitions.
func (o *oracle) readInput(folder string) ([]object, error) {
	path := filepath.Join(folder, "input.yaml")
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(content, []byte("apiVersion: sandboxc.dev/")) {
		if content, err = exec.Command(o.sandboxc, "build", "--quiet", "--agent-sandbox", o.line, path).Output(); err != nil {
			return nil, fmt.Errorf("sandboxc build: %w", err)
		}
	}
	var objects []object
	for decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(content), 4096); ; {
		var it object
		if err := decoder.Decode(&it); errors.Is(err, io.EOF) {
			return objects, nil
		} else if err != nil {
			return nil, err
		}
		if it != nil {
			objects = append(objects, it)
		}
	}
}

// run is one case in the cluster, with namespaces of its own.
type run struct {
	cluster    *cluster
	recorder   *recorder
	prefix     string
	namespaces []string
	claims     []object
	// uids of the objects of the input.
	uids map[string]string
}

// settled is the time without a write after which the controllers are at rest.
const settled = 2 * time.Second

// apply creates the objects: first all that are not claims, and when the pools are full, one claim after the other.
func (r *run) apply(objects []object) error {
	isClaim := func(it object) bool { return it["kind"] == "SandboxClaim" }
	for _, it := range objects {
		if !isClaim(it) {
			if err := r.create(it); err != nil {
				return err
			}
		}
	}
	if err := r.settle(); err != nil {
		return err
	}
	for _, it := range objects {
		if isClaim(it) {
			r.claims = append(r.claims, it)
			if err := r.create(it); err != nil {
				return err
			}
			if err := r.settle(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) create(it object) error {
	if it["kind"] == "Namespace" {
		return nil
	}
	metadata, ok := it["metadata"].(object)
	if !ok {
		return fmt.Errorf("%v has no metadata", it["kind"])
	}
	namespace, _ := metadata["namespace"].(string)
	if namespace == "" {
		namespace = "default"
	}
	namespace = r.prefix + namespace
	metadata["namespace"] = namespace
	if !slices.Contains(r.namespaces, namespace) {
		r.namespaces = append(r.namespaces, namespace)
		// kube-controller-manager would create the ServiceAccount.
		for _, it := range []object{
			{"apiVersion": "v1", "kind": "Namespace", "metadata": object{"name": namespace}},
			{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": object{"name": "default", "namespace": namespace}},
		} {
			if _, err := r.cluster.create(it); err != nil {
				return err
			}
		}
	}
	stored, err := r.cluster.create(it)
	if err != nil {
		return err
	}
	r.uids[text(stored, "metadata", "uid")] = placeholder(text(stored, "kind"), text(stored, "metadata", "name"))
	return nil
}

func placeholder(kind, name string) string {
	return "placeholder-uid-of-" + strings.ToLower(kind) + "-" + name
}

func (r *run) settle() error {
	begin := time.Now()
	for time.Since(begin) < time.Minute {
		last := r.recorder.quietSince(r.namespaces)
		if time.Since(begin) > settled && time.Since(last) > settled {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("the controllers do not come to rest")
}

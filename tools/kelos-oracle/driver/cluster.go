package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	kelos "github.com/kelos-dev/kelos/api/v1alpha2"
)

// start is the creation time of the first object; each further one is a second younger.
var start = time.Date(2026, 3, 2, 8, 58, 0, 0, time.UTC)

// cluster is a fake API server that keeps the created objects.
type cluster struct {
	client  client.Client
	created []client.Object
	next    int
}

func newCluster(objects []client.Object) *cluster {
	c := &cluster{next: len(objects)}
	base := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
		WithStatusSubresource(&kelos.Task{}, &kelos.TaskSpawner{}, &kelos.Workspace{}, &batchv1.Job{}, &corev1.Pod{}).Build()
	c.client = interceptor.NewClient(base, interceptor.Funcs{Get: get, Create: c.create})
	return c
}

// get words a missing object as the manager's cache does: by its kind.
func get(ctx context.Context, base client.WithWatch, key client.ObjectKey, o client.Object, options ...client.GetOption) error {
	err := base.Get(ctx, key, o, options...)
	if apierrors.IsNotFound(err) {
		if kind, e := apiutil.GVKForObject(o, scheme); e == nil {
			return apierrors.NewNotFound(schema.GroupResource{Group: kind.Group, Resource: kind.Kind}, key.Name)
		}
	}
	return err
}

func (c *cluster) create(ctx context.Context, base client.WithWatch, o client.Object, options ...client.CreateOption) error {
	if task, ok := o.(*kelos.Task); ok {
		root, err := runtime.DefaultUnstructuredConverter.ToUnstructured(task)
		if err != nil {
			return err
		}
		u := &unstructured.Unstructured{Object: root}
		u.SetGroupVersionKind(kelos.GroupVersion.WithKind("Task"))
		unstructured.RemoveNestedField(u.Object, "metadata", "creationTimestamp")
		if reasons := admit(u); len(reasons) > 0 {
			return errors.New(joined(reasons))
		}
	}
	snapshot := o.DeepCopyObject().(client.Object)
	c.stamp(o)
	if err := base.Create(ctx, o, options...); err != nil {
		return err
	}
	c.created = append(c.created, snapshot)
	return nil
}

func (c *cluster) stamp(o client.Object) {
	o.SetUID(types.UID(fmt.Sprintf("00000000-0000-0000-0000-%012d", c.next)))
	o.SetCreationTimestamp(metav1.NewTime(start.Add(time.Duration(c.next) * time.Second)))
	c.next++
}

// sent is the body of a created object, without the fields that the cluster or this program set.
func sent(o client.Object, hasNamespace bool) json.RawMessage {
	kind, err := apiutil.GVKForObject(o, scheme)
	must(err)
	copied := o.DeepCopyObject().(client.Object)
	copied.GetObjectKind().SetGroupVersionKind(kind)
	raw, err := json.Marshal(copied)
	must(err)
	var root object
	must(utiljson.Unmarshal(raw, &root))
	delete(root, "status")
	if metadata, ok := root["metadata"].(object); ok {
		for _, key := range []string{"resourceVersion", "creationTimestamp", "uid", "ownerReferences"} {
			delete(metadata, key)
		}
		if !hasNamespace {
			delete(metadata, "namespace")
		}
	}
	dropTimestamps(root)
	raw, err = json.Marshal(root)
	must(err)
	return raw
}

// dropTimestamps removes the empty creation timestamps of templates.
func dropTimestamps(value interface{}) {
	switch value := value.(type) {
	case object:
		if stamp, found := value["creationTimestamp"]; found && stamp == nil {
			delete(value, "creationTimestamp")
		}
		for _, inner := range value {
			dropTimestamps(inner)
		}
	case []interface{}:
		for _, inner := range value {
			dropTimestamps(inner)
		}
	}
}

// serve responds to requests for the kubelet's logs and GitHub's tokens.
func (c *cluster) serve() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
		switch {
		case len(parts) == 7 && parts[4] == "pods" && parts[6] == "log":
			var task kelos.Task
			key := client.ObjectKey{Namespace: parts[3], Name: strings.TrimSuffix(parts[5], "-pod")}
			if err := c.client.Get(r.Context(), key, &task); err != nil {
				http.Error(w, err.Error(), http.StatusNotFound)
				return
			}
			io.WriteString(w, agentLog(&task))
		case len(parts) == 4 && parts[0] == "app" && parts[3] == "access_tokens":
			w.WriteHeader(http.StatusCreated)
			io.WriteString(w, `{"token":"token-of-the-oracle","expires_at":"2099-01-01T00:00:00Z"}`)
		default:
			http.NotFound(w, r)
		}
	}))
}

// agentLog is what the agent of a Task prints at its end.
func agentLog(task *kelos.Task) string {
	branch := task.Spec.Branch
	if branch == "" {
		branch = "kelos/" + task.Name
	}
	return fmt.Sprintf("---KELOS_OUTPUTS_START---\nbranch: %s\ncommit: %s\n---KELOS_OUTPUTS_END---\n", branch, strings.Repeat("c", 40))
}

// finish makes a running Job succeed.
func (c *cluster) finish(ctx context.Context, key types.NamespacedName) bool {
	var job batchv1.Job
	if c.client.Get(ctx, key, &job) != nil || job.Status.Succeeded > 0 {
		return false
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: key.Name + "-pod", Namespace: key.Namespace, Labels: map[string]string{"kelos.dev/task": key.Name}}}
	must(c.client.Create(ctx, pod))
	job.Status.Succeeded = 1
	must(c.client.Status().Update(ctx, &job))
	return true
}

// generatedKey is a private key for a GitHub App.
func generatedKey() []byte {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(err)
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
}

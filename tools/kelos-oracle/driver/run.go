package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	kelos "github.com/kelos-dev/kelos/api/v1alpha2"
	"github.com/kelos-dev/kelos/internal/controller"
	"github.com/kelos-dev/kelos/internal/githubapp"
	"github.com/kelos-dev/kelos/internal/source"
	"github.com/kelos-dev/kelos/internal/spawnercredentials"
	"github.com/kelos-dev/kelos/internal/spawnercycle"
)

// world is one input in a cluster.
type world struct {
	cluster      *cluster
	made         *recording
	tasks        []types.NamespacedName
	hasNamespace map[types.NamespacedName]bool
}

// run applies the documents and runs the controllers until nothing changes.
func run(documents []*unstructured.Unstructured, made *recording) {
	w := &world{made: made, hasNamespace: map[types.NamespacedName]bool{}}
	var objects []client.Object
	var spawners []types.NamespacedName
	for _, u := range documents {
		hasNamespace := u.GetNamespace() != ""
		if !hasNamespace {
			u.SetNamespace("default")
		}
		key := types.NamespacedName{Namespace: u.GetNamespace(), Name: u.GetName()}
		o := w.admitted(u)
		if o == nil {
			continue
		}
		for _, other := range objects {
			if client.ObjectKeyFromObject(other) == key && fmt.Sprintf("%T", other) == fmt.Sprintf("%T", o) {
				refuse(made, "%s %q already exists", u.GetKind(), key.Name)
				o = nil
				break
			}
		}
		if o == nil {
			continue
		}
		o.SetUID(types.UID(fmt.Sprintf("00000000-0000-0000-0001-%012d", len(objects))))
		o.SetCreationTimestamp(metav1.NewTime(start.Add(time.Duration(len(objects)) * time.Second)))
		objects = append(objects, o)
		w.hasNamespace[key] = hasNamespace
		switch o.(type) {
		case *kelos.Task:
			w.tasks = append(w.tasks, key)
		case *kelos.TaskSpawner:
			spawners = append(spawners, key)
		}
	}
	w.cluster = newCluster(objects)
	for _, key := range spawners {
		w.spawn(key)
	}
	w.reconcile()
}

// admitted is the object as the controllers read it, or nil if the API server rejects it.
func (w *world) admitted(u *unstructured.Unstructured) client.Object {
	kind := u.GroupVersionKind()
	if kind.Group == "kelos.dev" {
		if reasons := admit(u); len(reasons) > 0 {
			refuse(w.made, "%s %q: %s", kind.Kind, u.GetName(), joined(reasons))
			return nil
		}
		o, err := toHub(u)
		if err != nil {
			refuse(w.made, "%s %q: conversion: %v", kind.Kind, u.GetName(), err)
			return nil
		}
		return o
	}
	typed, err := scheme.New(kind)
	must(err)
	must(runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, typed))
	if secret, ok := typed.(*corev1.Secret); ok {
		if secret.Data == nil {
			secret.Data = map[string][]byte{}
		}
		for key, value := range secret.StringData {
			secret.Data[key] = []byte(value)
		}
		secret.StringData = nil
		if string(secret.Data["privateKey"]) == "GENERATED" {
			secret.Data["privateKey"] = generatedKey()
		}
	}
	return typed.(client.Object)
}

// spawn runs a TaskSpawner until it creates the Task of its first scheduled time or item.
func (w *world) spawn(key types.NamespacedName) {
	ctx := context.Background()
	reconciler := &controller.TaskSpawnerReconciler{
		Client: w.cluster.client, Scheme: scheme, DeploymentBuilder: controller.NewDeploymentBuilder(), Recorder: record.NewFakeRecorder(1000),
	}
	for round := 0; round < 4; round++ {
		if _, err := reconciler.Reconcile(ctx, ctrl.Request{NamespacedName: key}); err != nil {
			refuse(w.made, "TaskSpawner %q: %v", key.Name, err)
			return
		}
	}
	var spawner kelos.TaskSpawner
	must(w.cluster.client.Get(ctx, key, &spawner))
	spawnercredentials.SetRandomIndex(func(int) int { return 0 })
	w.cluster.created = nil
	items, err := firstItem(&spawner)
	if err == nil {
		err = spawnercycle.RunCycleWithSource(ctx, w.cluster.client, key, items)
	}
	if err != nil {
		refuse(w.made, "TaskSpawner %q: %v", key.Name, err)
		return
	}
	if len(w.cluster.created) == 0 {
		refuse(w.made, "TaskSpawner %q makes no Task", key.Name)
	}
	for _, o := range w.cluster.created {
		task := client.ObjectKeyFromObject(o)
		w.hasNamespace[task] = w.hasNamespace[key]
		w.tasks = append(w.tasks, task)
	}
}

// fixedItem is a source with one item.
type fixedItem struct {
	source source.Source
	item   *source.WorkItem
}

func (s *fixedItem) Discover(ctx context.Context) ([]source.WorkItem, error) {
	if s.item != nil {
		return []source.WorkItem{*s.item}, nil
	}
	items, err := s.source.Discover(ctx)
	if err != nil || len(items) == 0 {
		return items, err
	}
	return items[:1], nil
}

func firstItem(spawner *kelos.TaskSpawner) (source.Source, error) {
	built, err := spawnercycle.BuildSource(context.Background(), spawner, "acme", "shop", "", nil, "", "", "", nil)
	if err != nil {
		return nil, err
	}
	when := spawner.Spec.When
	switch {
	case when.GitHubIssues != nil:
		return &fixedItem{item: &source.WorkItem{ID: "42", Number: 42, Title: "Cart loses items", Kind: "Issue"}}, nil
	case when.GitHubPullRequests != nil:
		return &fixedItem{item: &source.WorkItem{ID: "7", Number: 7, Title: "Add cart", Kind: "PR", Branch: "feat/cart", HeadSHA: strings.Repeat("a", 40)}}, nil
	case when.Jira != nil:
		return &fixedItem{item: &source.WorkItem{ID: "SHOP-9", Number: 9, Title: "Cart", Kind: "Story"}}, nil
	}
	return &fixedItem{source: built}, nil
}

// reconcile runs the controller of Tasks until nothing changes; every Job succeeds.
func (w *world) reconcile() {
	ctx := context.Background()
	server := w.cluster.serve()
	defer server.Close()
	clientset, err := kubernetes.NewForConfig(&rest.Config{Host: server.URL})
	must(err)
	reconciler := &controller.TaskReconciler{
		Client: w.cluster.client, Scheme: scheme, JobBuilder: controller.NewJobBuilder(), Clientset: clientset,
		TokenClient: &githubapp.TokenClient{BaseURL: server.URL, Client: server.Client()},
		Recorder:    record.NewFakeRecorder(1000), BranchLocker: controller.NewBranchLocker(),
		NowFunc: func() time.Time { return start.Add(time.Hour) },
	}
	last := map[types.NamespacedName]string{}
	for round := 0; round < len(w.tasks)+6; round++ {
		for _, key := range w.tasks {
			w.cluster.created = nil
			_, err := reconciler.Reconcile(ctx, ctrl.Request{NamespacedName: key})
			last[key] = ""
			if err != nil {
				last[key] = err.Error()
			}
			w.take(key)
		}
		for _, key := range w.tasks {
			w.cluster.finish(ctx, key)
		}
	}
	for _, key := range w.tasks {
		w.judge(ctx, key, last[key])
	}
}

// take records the Jobs and ConfigMaps that the controller created for a Task.
func (w *world) take(key types.NamespacedName) {
	for _, o := range w.cluster.created {
		switch o.(type) {
		case *batchv1.Job, *corev1.ConfigMap:
			w.made.Objects = append(w.made.Objects, sent(o, w.hasNamespace[key]))
		}
	}
}

// judge reports a Task without a Job.
func (w *world) judge(ctx context.Context, key types.NamespacedName, failure string) {
	var task kelos.Task
	if w.cluster.client.Get(ctx, key, &task) != nil {
		return
	}
	var job batchv1.Job
	if w.cluster.client.Get(ctx, key, &job) == nil || task.Spec.WorkerPoolRef != nil {
		return
	}
	reason := strings.TrimSpace(string(task.Status.Phase) + " " + task.Status.Message + " " + failure)
	if reason == "" {
		reason = "waits without a message"
	}
	refuse(w.made, "Task %q: %s", key.Name, reason)
}

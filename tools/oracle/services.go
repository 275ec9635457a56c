package main

import (
	"context"
	"errors"
	"net"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apiserver/pkg/registry/generic"
	apistorage "k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/core/service/ipallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/portallocator"
	"k8s.io/kubernetes/pkg/registry/core/service/storage"
)

// errAllocation is the answer of an allocator, which depends on the ranges of a cluster.
var errAllocation = errors.New("allocation")

// allocators are those of a dual-stack cluster, in memory.
type allocators struct{ store *storage.REST }

func newAllocators() (*allocators, error) {
	addresses := map[api.IPFamily]ipallocator.Interface{}
	for family, written := range map[api.IPFamily]string{api.IPv4Protocol: "10.0.0.0/16", api.IPv6Protocol: "fd00::/108"} {
		_, block, err := net.ParseCIDR(written)
		if err != nil {
			return nil, err
		}
		if addresses[family], err = ipallocator.NewInMemory(block); err != nil {
			return nil, err
		}
	}
	ports, err := portallocator.NewInMemory(utilnet.PortRange{Base: firstNodePort, Size: 2768})
	if err != nil {
		return nil, err
	}
	store, _, _, err := storage.NewREST(noStorage{}, api.IPv4Protocol, addresses, ports, nil, nil, nil)
	return &allocators{store}, err
}

// create completes a new Service as its store does.
func (a *allocators) create(ctx context.Context, obj runtime.Object) error {
	finish, err := a.store.BeginCreate(ctx, obj, &metav1.CreateOptions{})
	return finished(ctx, finish, err)
}

// update completes a changed Service as its store does.
func (a *allocators) update(ctx context.Context, obj, old runtime.Object) error {
	finish, err := a.store.BeginUpdate(ctx, obj, old, &metav1.UpdateOptions{})
	return finished(ctx, finish, err)
}

// finished returns what was allocated: each pair has a cluster of its own.
func finished(ctx context.Context, finish func(context.Context, bool), err error) error {
	if err != nil {
		return errors.Join(errAllocation, err)
	}
	finish(ctx, true)
	return nil
}

// noStorage is the storage of a store that only allocates.
type noStorage struct{}

func (noStorage) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	return generic.RESTOptions{
		ResourcePrefix: "services",
		StorageConfig:  storagebackend.NewDefaultConfig("", nil).ForResource(resource),
		Decorator: func(*storagebackend.ConfigForResource, string, func(runtime.Object) (string, error), func() runtime.Object,
			func() runtime.Object, apistorage.AttrFunc, apistorage.IndexerFuncs, *cache.Indexers) (apistorage.Interface, factory.DestroyFunc, error) {
			return nil, func() {}, nil
		},
	}, nil
}

//go:build emulation

package main

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/registry/certificates/podcertificaterequest"
)

// The kinds that minor versions before 1.34 do not have.
func init() {
	resources[schema.GroupKind{Group: "certificates.k8s.io", Kind: "PodCertificateRequest"}] =
		resource{"podcertificaterequests", strategyOf(podcertificaterequest.NewStrategy)}
}

package main

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/pod-security-admission/admission"
	podsecurity "k8s.io/pod-security-admission/api"
)

var podSpecs = admission.DefaultPodSpecExtractor{}

// podSecurity returns the reasons that each Pod Security level, in the server's own version, rejects the Pods of an object.
func podSecurity(obj runtime.Object, gvk schema.GroupVersionKind, name string) (baseline, restricted []string) {
	if !podSpecs.HasPodSpec(schema.GroupResource{Group: gvk.Group, Resource: name}) {
		return nil, nil
	}
	versioned, err := legacyscheme.Scheme.ConvertToVersion(obj, gvk.GroupVersion())
	if err != nil {
		return nil, nil
	}
	metadata, spec, err := podSpecs.ExtractPodSpec(versioned)
	if err != nil || spec == nil {
		return nil, nil
	}
	reasons := func(level podsecurity.Level) (all []string) {
		at := podsecurity.LevelVersion{Level: level, Version: podsecurity.LatestVersion()}
		for _, result := range evaluator.EvaluatePod(at, metadata, spec) {
			if !result.Allowed {
				all = append(all, strings.TrimSpace(result.ForbiddenReason))
			}
		}
		return all
	}
	return reasons(podsecurity.LevelBaseline), reasons(podsecurity.LevelRestricted)
}

package main

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	podsecurity "k8s.io/pod-security-admission/api"
)

// decode reads a document as the create handler does: strict, with the defaults of the version, into the internal type.
func decode(codecs serializer.CodecFactory, document []byte, gvk schema.GroupVersionKind) (runtime.Object, error) {
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeYAML)
	internal := schema.GroupVersion{Group: gvk.Group, Version: runtime.APIVersionInternal}
	obj, _, err := codecs.DecoderToVersion(info.StrictSerializer, internal).Decode(document, &gvk, nil)
	return obj, err
}

func stageOf(err error) string {
	if runtime.IsStrictDecodingError(err) {
		return stageStrict
	}
	return stageDecode
}

func createBuiltIn(document []byte, gvk schema.GroupVersionKind, namespace string, known resource) Verdict {
	obj, err := decode(legacyscheme.Codecs, document, gvk)
	if runtime.IsNotRegisteredError(err) {
		return refused(gvk.Kind, stageEnvelope, err)
	} else if err != nil {
		return refused(gvk.Kind, stageOf(err), err)
	}
	if err := beforeStorage(requestContext(gvk, known.name, namespace), known.strategy, obj, namespace); err != nil {
		return refused(gvk.Kind, stageValidation, err)
	}
	if problems := admit(obj); len(problems) > 0 {
		return Verdict{Kind: gvk.Kind, Stage: stageAdmission, Errors: problems}
	}
	verdict := Verdict{Kind: gvk.Kind, Stage: stageAccepted}
	verdict.Baseline, verdict.Restricted = podSecurity(obj, gvk, known.name)
	return verdict
}

// beginCreate does what the store of a kind does before its strategy is asked. Without allocators, that is for a
// Service: the addresses in the plural follow the one in the singular.
func beginCreate(obj runtime.Object) {
	service, ok := obj.(*api.Service)
	if ok && service.Spec.ClusterIP != "" && len(service.Spec.ClusterIPs) == 0 {
		service.Spec.ClusterIPs = []string{service.Spec.ClusterIP}
	}
}

// admit does what the admission plugins that are on by default say of the object alone: the labels of a Namespace.
func admit(obj runtime.Object) []Finding {
	namespace, ok := obj.(*api.Namespace)
	if !ok {
		return nil
	}
	_, problems := podsecurity.PolicyToEvaluate(namespace.Labels, podsecurity.Policy{
		Enforce: podsecurity.LevelVersion{Level: podsecurity.LevelPrivileged, Version: podsecurity.LatestVersion()},
		Audit:   podsecurity.LevelVersion{Level: podsecurity.LevelPrivileged, Version: podsecurity.LatestVersion()},
		Warn:    podsecurity.LevelVersion{Level: podsecurity.LevelPrivileged, Version: podsecurity.LatestVersion()},
	})
	var all []Finding
	for _, problem := range problems {
		all = append(all, Finding{Field: problem.Field, Type: string(problem.Type), Detail: shorten(problem.ErrorBody())})
	}
	return all
}

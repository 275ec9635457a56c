package main

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kube-aggregator/pkg/apis/apiregistration"
	aggregator "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	apiservice "k8s.io/kubernetes/pkg/api/service"
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

// codecsOf are the codecs of the group of a kind.
func codecsOf(gvk schema.GroupVersionKind) serializer.CodecFactory {
	switch gvk.Group {
	case apiregistration.GroupName:
		return aggregator.Codecs
	case customGroup:
		return definitionCodecs
	}
	return legacyscheme.Codecs
}

func stageOf(err error) string {
	if runtime.IsStrictDecodingError(err) {
		return stageStrict
	}
	return stageDecode
}

func createBuiltIn(document []byte, gvk schema.GroupVersionKind, namespace string, known resource) Verdict {
	obj, err := decode(codecsOf(gvk), document, gvk)
	if runtime.IsNotRegisteredError(err) {
		return refused(gvk.Kind, stageEnvelope, err)
	} else if err != nil {
		return refused(gvk.Kind, stageOf(err), err)
	}
	said := &warnings{}
	ctx := warning.WithWarningRecorder(requestContext(gvk, known.name, namespace), said)
	if err := beforeStorage(ctx, known.strategy, obj, namespace); err != nil {
		return refused(gvk.Kind, stageValidation, err)
	}
	if problems := admit(obj); len(problems) > 0 {
		return Verdict{Kind: gvk.Kind, Stage: stageAdmission, Errors: problems}
	}
	verdict := Verdict{Kind: gvk.Kind, Stage: stageAccepted, Warnings: said.sorted()}
	verdict.Baseline, verdict.Restricted = podSecurity(obj, gvk, known.name)
	return verdict
}

// beginCreate does what stands between the handler and the strategy of a kind: mutating admission, and the begin of the
// kind's own store. There is no cluster here: a Pod gets the service account by the plugin's fixed name, the addresses of a
// Service in the plural follow the one in the singular, and a port for health checks is at hand.
func beginCreate(obj runtime.Object) {
	switch obj := obj.(type) {
	case *api.Pod:
		if _, isMirror := obj.Annotations[api.MirrorPodAnnotationKey]; !isMirror && obj.Spec.ServiceAccountName == "" {
			obj.Spec.ServiceAccountName = "default"
			// From 1.37 on the internal type has the deprecated alias too, and the plugin sets both.
			if alias := reflect.ValueOf(&obj.Spec).Elem().FieldByName("DeprecatedServiceAccount"); alias.IsValid() {
				alias.SetString(obj.Spec.ServiceAccountName)
			}
		}
	case *api.Service:
		if obj.Spec.ClusterIP != "" && len(obj.Spec.ClusterIPs) == 0 {
			obj.Spec.ClusterIPs = []string{obj.Spec.ClusterIP}
		}
		if obj.Spec.HealthCheckNodePort == 0 && apiservice.NeedsHealthCheck(obj) {
			obj.Spec.HealthCheckNodePort = firstNodePort
		}
	}
}

// firstNodePort is the begin of the range of node ports by default.
const firstNodePort = 30000

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

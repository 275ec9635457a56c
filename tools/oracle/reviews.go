package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	fields "k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	api "k8s.io/kubernetes/pkg/apis/core"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/registry/authentication/selfsubjectreview"
	"k8s.io/kubernetes/pkg/registry/authentication/tokenreview"
	"k8s.io/kubernetes/pkg/registry/authorization/localsubjectaccessreview"
	"k8s.io/kubernetes/pkg/registry/authorization/selfsubjectaccessreview"
	"k8s.io/kubernetes/pkg/registry/authorization/selfsubjectrulesreview"
	"k8s.io/kubernetes/pkg/registry/authorization/subjectaccessreview"

	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
)

// creator is the handler of a kind whose objects are answered and not stored.
type creator struct {
	namespaced bool
	create     func(ctx context.Context, obj runtime.Object) error
}

// reviews are the kinds that have no create strategy, because the server stores none of them.
var reviews = map[schema.GroupKind]creator{
	{Group: "authentication.k8s.io", Kind: "TokenReview"}:             handler(tokenreview.NewREST, false),
	{Group: "authentication.k8s.io", Kind: "SelfSubjectReview"}:       handler(selfsubjectreview.NewREST, false),
	{Group: "authorization.k8s.io", Kind: "SubjectAccessReview"}:      handler(subjectaccessreview.NewREST, false),
	{Group: "authorization.k8s.io", Kind: "SelfSubjectAccessReview"}:  handler(selfsubjectaccessreview.NewREST, false),
	{Group: "authorization.k8s.io", Kind: "SelfSubjectRulesReview"}:   handler(selfsubjectrulesreview.NewREST, false),
	{Group: "authorization.k8s.io", Kind: "LocalSubjectAccessReview"}: handler(localsubjectaccessreview.NewREST, true),
	// The rest of the handler assigns a Pod of the cluster to the node.
	{Group: "", Kind: "Binding"}: {namespaced: true, create: func(_ context.Context, obj runtime.Object) error {
		binding, ok := obj.(*api.Binding)
		if !ok {
			return errors.New("not a Binding")
		}
		if binding.Name == "" {
			return errors.New("no Pod has an empty name")
		}
		// The storage rejects it before it looks for the Pod.
		if failures := path.IsValidPathSegmentName(binding.Name); len(failures) > 0 {
			return fmt.Errorf("Name parameter invalid: %q: %v", binding.Name, failures)
		}
		// A running server rejects a namespace that does not exist.
		if failures := corevalidation.ValidateNamespaceName(binding.Namespace, false); len(failures) > 0 {
			return errors.New(failures[0])
		}
		return corevalidation.ValidatePodBinding(binding).ToAggregate()
	}},
}

// handler calls the constructor of a handler, whose parameters differ between minor versions, for an administrator.
func handler(constructor any, namespaced bool) creator {
	function := reflect.ValueOf(constructor)
	known := []reflect.Value{reflect.ValueOf(authorizerfactory.NewAlwaysAllowAuthorizer()), reflect.ValueOf(legacyscheme.Scheme)}
	var arguments []reflect.Value
	for i := range function.Type().NumIn() {
		argument := reflect.Zero(function.Type().In(i))
		for _, value := range known {
			if isParameter := value.Type().AssignableTo(function.Type().In(i)); isParameter && argument.Kind() != reflect.Slice {
				argument = value
			}
		}
		arguments = append(arguments, argument)
	}
	made, _ := function.Call(arguments)[0].Interface().(rest.Creater)
	return creator{namespaced, func(ctx context.Context, obj runtime.Object) error {
		_, err := made.Create(ctx, obj, rest.ValidateAllObjectFunc, &metav1.CreateOptions{})
		return err
	}}
}

// review returns the verdict of the handler of a kind that is not stored.
func review(document []byte, gvk schema.GroupVersionKind, namespace string, known creator) Verdict {
	obj, err := decode(legacyscheme.Codecs, document, gvk)
	if runtime.IsNotRegisteredError(err) {
		return refused(gvk.Kind, stageEnvelope, err)
	} else if err != nil {
		return refused(gvk.Kind, stageOf(err), err)
	}
	if !known.namespaced {
		namespace = ""
	}
	accessor, err := meta.Accessor(obj)
	if err != nil {
		return refused(gvk.Kind, stageValidation, err)
	}
	rest.WipeObjectMetaSystemFields(accessor)
	accessor.SetManagedFields(nil)
	if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, accessor); err != nil {
		return refused(gvk.Kind, stageValidation, err)
	}
	ctx := request.WithNamespace(requestContext(gvk, "", namespace), namespace)
	err = known.create(ctx, obj)
	var list utilerrors.Aggregate
	if errors.As(err, &list) {
		return Verdict{Kind: gvk.Kind, Stage: stageValidation, Errors: ofFields(list)}
	} else if err != nil {
		return refused(gvk.Kind, stageValidation, err)
	}
	return Verdict{Kind: gvk.Kind, Stage: stageAccepted}
}

// ofFields lists errors of fields that the server does not wrap in a status.
func ofFields(errs utilerrors.Aggregate) []Finding {
	var all []Finding
	for _, each := range errs.Errors() {
		var problem *fields.Error
		if errors.As(each, &problem) {
			all = append(all, Finding{Field: problem.Field, Type: string(problem.Type), Detail: shorten(problem.ErrorBody())})
		}
	}
	return all
}

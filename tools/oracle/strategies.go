package main

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	aggregator "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kube-aggregator/pkg/registry/apiservice"
	mutatingpolicy "k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	mutatingbinding "k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	mutatingwebhook "k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	validatingpolicy "k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	validatingbinding "k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	validatingwebhook "k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/certificates/clustertrustbundle"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/event"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
	"k8s.io/kubernetes/pkg/registry/storagemigration/storagemigration"

	// Each registers its types, defaults and conversions in the legacy scheme.
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
)

// resource has the data about a kind in addition to its types: the name in the path and the create strategy.
type resource struct {
	name     string
	strategy rest.RESTCreateStrategy
}

// resources are the built-in kinds that the oracle supports, each with the create strategy of the real server.
var resources = map[schema.GroupKind]resource{
	{Group: "", Kind: "Pod"}:                   {"pods", pod.Strategy},
	{Group: "", Kind: "PodTemplate"}:           {"podtemplates", podtemplate.Strategy},
	{Group: "", Kind: "ReplicationController"}: {"replicationcontrollers", replicationcontroller.Strategy},
	{Group: "", Kind: "Service"}:               {"services", service.Strategy},
	{Group: "", Kind: "ConfigMap"}:             {"configmaps", configmap.Strategy},
	{Group: "", Kind: "Secret"}:                {"secrets", secret.Strategy},
	{Group: "", Kind: "Namespace"}:             {"namespaces", namespace.Strategy},
	{Group: "", Kind: "ServiceAccount"}:        {"serviceaccounts", serviceaccount.Strategy},
	{Group: "", Kind: "PersistentVolumeClaim"}: {"persistentvolumeclaims", persistentvolumeclaim.Strategy},
	{Group: "", Kind: "PersistentVolume"}:      {"persistentvolumes", persistentvolume.Strategy},
	{Group: "", Kind: "LimitRange"}:            {"limitranges", limitrange.Strategy},
	{Group: "", Kind: "ResourceQuota"}:         {"resourcequotas", resourcequota.Strategy},
	{Group: "", Kind: "Endpoints"}:             {"endpoints", endpoint.Strategy},
	{Group: "", Kind: "Node"}:                  {"nodes", node.Strategy},

	{Group: "apps", Kind: "Deployment"}:         {"deployments", deployment.Strategy},
	{Group: "apps", Kind: "StatefulSet"}:        {"statefulsets", statefulset.Strategy},
	{Group: "apps", Kind: "DaemonSet"}:          {"daemonsets", daemonset.Strategy},
	{Group: "apps", Kind: "ReplicaSet"}:         {"replicasets", replicaset.Strategy},
	{Group: "apps", Kind: "ControllerRevision"}: {"controllerrevisions", controllerrevision.Strategy},

	{Group: "batch", Kind: "Job"}:     {"jobs", job.Strategy},
	{Group: "batch", Kind: "CronJob"}: {"cronjobs", cronjob.Strategy},

	{Group: "networking.k8s.io", Kind: "NetworkPolicy"}: {"networkpolicies", networkpolicy.Strategy},
	{Group: "networking.k8s.io", Kind: "Ingress"}:       {"ingresses", ingress.Strategy},
	{Group: "networking.k8s.io", Kind: "IngressClass"}:  {"ingressclasses", ingressclass.Strategy},
	{Group: "discovery.k8s.io", Kind: "EndpointSlice"}:  {"endpointslices", endpointslice.Strategy},
	{Group: "coordination.k8s.io", Kind: "Lease"}:       {"leases", lease.Strategy},

	{Group: "rbac.authorization.k8s.io", Kind: "Role"}:               {"roles", role.Strategy},
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}:        {"clusterroles", clusterrole.Strategy},
	{Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}:        {"rolebindings", rolebinding.Strategy},
	{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}: {"clusterrolebindings", clusterrolebinding.Strategy},

	{Group: "policy", Kind: "PodDisruptionBudget"}:          {"poddisruptionbudgets", poddisruptionbudget.Strategy},
	{Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}: {"horizontalpodautoscalers", horizontalpodautoscaler.Strategy},
	{Group: "node.k8s.io", Kind: "RuntimeClass"}:            {"runtimeclasses", runtimeclass.Strategy},
	{Group: "scheduling.k8s.io", Kind: "PriorityClass"}:     {"priorityclasses", priorityclass.Strategy},
	{Group: "storage.k8s.io", Kind: "StorageClass"}:         {"storageclasses", storageclass.Strategy},
	{Group: "storage.k8s.io", Kind: "CSIDriver"}:            {"csidrivers", csidriver.Strategy},

	{Group: "apiregistration.k8s.io", Kind: "APIService"}:                           {"apiservices", apiservice.NewStrategy(aggregator.Scheme)},
	{Group: "certificates.k8s.io", Kind: "CertificateSigningRequest"}:               {"certificatesigningrequests", certificates.Strategy},
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}: {"validatingwebhookconfigurations", validatingwebhook.Strategy},
	{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}:   {"mutatingwebhookconfigurations", mutatingwebhook.Strategy},
	{Group: "certificates.k8s.io", Kind: "ClusterTrustBundle"}:                      {"clustertrustbundles", clustertrustbundle.Strategy},
	{Group: "storagemigration.k8s.io", Kind: "StorageVersionMigration"}:             {"storageversionmigrations", storagemigration.Strategy},
	{Group: "flowcontrol.apiserver.k8s.io", Kind: "FlowSchema"}:                     {"flowschemas", flowschema.Strategy},
	{Group: "flowcontrol.apiserver.k8s.io", Kind: "PriorityLevelConfiguration"}:     {"prioritylevelconfigurations", prioritylevelconfiguration.Strategy},

	{Group: "", Kind: "Event"}:              {"events", event.Strategy},
	{Group: "events.k8s.io", Kind: "Event"}: {"events", event.Strategy},

	{Group: "networking.k8s.io", Kind: "IPAddress"}:          {"ipaddresses", ipaddress.Strategy},
	{Group: "networking.k8s.io", Kind: "ServiceCIDR"}:        {"servicecidrs", servicecidr.Strategy},
	{Group: "storage.k8s.io", Kind: "CSINode"}:               {"csinodes", csinode.Strategy},
	{Group: "storage.k8s.io", Kind: "CSIStorageCapacity"}:    {"csistoragecapacities", csistoragecapacity.Strategy},
	{Group: "storage.k8s.io", Kind: "VolumeAttachment"}:      {"volumeattachments", volumeattachment.Strategy},
	{Group: "storage.k8s.io", Kind: "VolumeAttributesClass"}: {"volumeattributesclasses", volumeattributesclass.Strategy},

	{Group: "resource.k8s.io", Kind: "DeviceClass"}:           {"deviceclasses", deviceclass.Strategy},
	{Group: "resource.k8s.io", Kind: "ResourceClaim"}:         {"resourceclaims", strategyOf(resourceclaim.NewStrategy)},
	{Group: "resource.k8s.io", Kind: "ResourceClaimTemplate"}: {"resourceclaimtemplates", resourceclaimtemplate.NewStrategy(nil)},
	{Group: "resource.k8s.io", Kind: "ResourceSlice"}:         {"resourceslices", resourceslice.Strategy},

	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicy"}: {
		"validatingadmissionpolicies", validatingpolicy.NewStrategy(nil, nil)},
	{Group: "admissionregistration.k8s.io", Kind: "ValidatingAdmissionPolicyBinding"}: {
		"validatingadmissionpolicybindings", validatingbinding.NewStrategy(nil, nil, noResolver{})},
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicy"}: {
		"mutatingadmissionpolicies", mutatingpolicy.NewStrategy(nil, nil)},
	{Group: "admissionregistration.k8s.io", Kind: "MutatingAdmissionPolicyBinding"}: {
		"mutatingadmissionpolicybindings", mutatingbinding.NewStrategy(nil, nil, noResolver{})},
}

// strategyOf calls a constructor. Its parameters, which differ between minor versions, are needed by updates alone.
func strategyOf(constructor any) rest.RESTCreateStrategy {
	function := reflect.ValueOf(constructor)
	var arguments []reflect.Value
	for i := range function.Type().NumIn() {
		arguments = append(arguments, reflect.Zero(function.Type().In(i)))
	}
	return function.Call(arguments)[0].Interface().(rest.RESTCreateStrategy)
}

// noResolver resolves the kinds of parameters for a check of permissions, which an administrator has.
type noResolver struct{}

func (noResolver) Resolve(schema.GroupVersionKind) (schema.GroupVersionResource, error) {
	return schema.GroupVersionResource{}, nil
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// judged is the response of the server to the creation of an object.
type judged struct {
	Object string `json:"object"`
	// Message is empty if the object is accepted.
	Message  string   `json:"message,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

const policyGroup = "admissionregistration.k8s.io"

// judgePolicies creates the objects of each case of the streams, and prints the responses.
func judgePolicies(root string, folders []string, running *live, to io.Writer) error {
	if err := running.keepParameters(); err != nil {
		return err
	}
	judge := &outputJudge{running: running}
	return judgeCases(root, folders, to, func(objects []string) ([]judged, error) {
		verdicts, err := judge.underPolicies(objects)
		if errors.Is(err, errNotServed) {
			// Mutating policies are disabled by default before 1.36.
			return nil, judge.cleanUp()
		}
		return verdicts, err
	})
}

// underPolicies creates objects in order. What precedes the last binding is created, the others are dry runs.
func (j *outputJudge) underPolicies(documents []string) ([]judged, error) {
	l := j.running
	if err := untilForgotten(func() error { return j.ensureAccount(defaultNamespace, "default") }); err != nil {
		return nil, err
	}
	j.created = nil
	all, last := []*manifest{}, -1
	for i, text := range documents {
		read, err := manifests([]output{{Text: text}})
		if err != nil {
			return nil, err
		}
		all = append(all, read[0])
		if strings.HasSuffix(read[0].gvk.Kind, "PolicyBinding") {
			last = i
		}
	}
	var results []judged
	for i, m := range all {
		if l.kinds == nil {
			if err := l.discover(); err != nil {
				return nil, err
			}
		}
		resource, ok := l.kinds[m.gvk]
		if !ok {
			return nil, fmt.Errorf("%w: %v", errNotServed, m.gvk)
		}
		own := m.namespace()
		known := l.namespaces[own]
		collection := l.path(m.gvk, resource, own)
		if resource.Namespaced && !known {
			if err := j.ensureAccount(own, "default"); err != nil {
				return nil, err
			}
			j.created = nil
		}
		query := "?fieldValidation=Strict"
		if i > last {
			query += "&dryRun=All"
		}
		result, err := l.judge(collection+query, m)
		for attempt := 0; isEarly(result.Message) && attempt < 60; attempt++ {
			// The server rarely looks for new kinds.
			time.Sleep(time.Second)
			result, err = l.judge(collection+query, m)
		}
		for attempt := 0; i <= last && strings.Contains(result.Message, "AdmissionPolicy '") && attempt < 10; attempt++ {
			time.Sleep(500 * time.Millisecond)
			result, err = l.judge(collection+query, m)
		}
		if err != nil {
			return nil, err
		}
		results = append(results, result)
		if result.Message != "" {
			continue
		}
		if i <= last {
			j.created = append(j.created, collection+"/"+m.name())
			if err := l.afterCreate(m, collection+"/"+m.name()); err != nil {
				return nil, err
			}
			if m.gvk.Kind == "Namespace" {
				l.namespaces[m.name()] = true
				j.created = j.created[:len(j.created)-1]
				if err := j.ensureAccount(m.name(), "default"); err != nil {
					return nil, err
				}
			}
		}
		if i == last {
			if err := j.untilActive(); err != nil {
				return nil, err
			}
		}
	}
	return results, j.cleanUp()
}

// untilActive waits until the server applies the policies and bindings that exist. It reads all of them together, once in a second at
// most, and in the order in which they were created; so the others are active when a probe is that is created last.
func (j *outputJudge) untilActive() error {
	j.probes++
	const group = "/apis/" + policyGroup + "/v1/"
	probes := [][3]string{
		{"mutatingadmissionpolicies", "MutatingAdmissionPolicy", `"failurePolicy": "Fail", "reinvocationPolicy": "Never", "mutations": [{"patchType": "ApplyConfiguration",
			"applyConfiguration": {"expression": "Object{metadata: Object.metadata{labels: Object.metadata.labels{probe: string(1 / 0)}}}"}}]`},
		{"validatingadmissionpolicies", "ValidatingAdmissionPolicy", `"validations": [{"expression": "false"}]`},
	}
	for _, probe := range probes {
		resource, kind := probe[0], probe[1]
		name := fmt.Sprintf("%s-probe-%d", strings.ToLower(kind), j.probes)
		spec := probe[2] + `, "matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"],
			"resources": ["configmaps"], "resourceNames": ["` + name + `"]}]}`
		actions := ""
		if kind == "ValidatingAdmissionPolicy" {
			actions = `, "validationActions": ["Deny"]`
		} else if _, ok := j.running.kinds[schema.GroupVersionKind{Group: policyGroup, Version: "v1", Kind: kind}]; !ok {
			continue
		}
		for _, it := range [][3]string{
			{resource, kind, spec},
			{strings.TrimSuffix(resource, "ies") + "ybindings", kind + "Binding", `"policyName": "` + name + `"` + actions},
		} {
			body := fmt.Sprintf(`{"apiVersion": "%s/v1", "kind": "%s", "metadata": {"name": "%s"}, "spec": {%s}}`, policyGroup, it[1], name, it[2])
			code, answer, err := j.running.request(http.MethodPost, group+it[0], []byte(body))
			if err != nil || code != http.StatusCreated {
				return fmt.Errorf("status %d: %s: %w", code, answer, err)
			}
			defer j.running.request(http.MethodDelete, group+it[0]+"/"+name, nil)
		}
		probed := []byte(`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "` + name + `"}}`)
		for attempt := 0; ; attempt++ {
			code, answer, err := j.running.request(http.MethodPost, "/api/v1/namespaces/default/configmaps?dryRun=All", probed)
			if err != nil {
				return err
			}
			// A mutating policy of the case can reject the object first.
			if strings.Contains(string(answer), "'"+name+"'") || code >= http.StatusBadRequest && attempt == 30 {
				break
			}
			if attempt == 600 {
				return fmt.Errorf("%s is not active: %s", name, answer)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	return nil
}

// keepParameters creates a policy and a binding that match nothing. Without them, the server would stop watching parameters
// at the end of each case, and not find those of the next one.
func (l *live) keepParameters() error {
	for path, body := range map[string]string{
		"validatingadmissionpolicies": `{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "keep-parameters"}, "spec": {
			"paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}, "matchConstraints": {"resourceRules": [{
			"apiGroups": ["none.example.com"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["none"]}]},
			"validations": [{"expression": "true"}]}}`,
		"validatingadmissionpolicybindings": `{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": {"name": "keep-parameters"},
			"spec": {"policyName": "keep-parameters", "validationActions": ["Audit"],
			"paramRef": {"name": "none", "namespace": "default", "parameterNotFoundAction": "Allow"}}}`,
	} {
		code, answer, err := l.request(http.MethodPost, "/apis/"+policyGroup+"/v1/"+path, []byte(body))
		if err != nil || code != http.StatusCreated && code != http.StatusConflict {
			return fmt.Errorf("status %d: %s: %w", code, answer, err)
		}
	}
	time.Sleep(2500 * time.Millisecond)
	return nil
}

// isEarly returns whether the server does not know a new kind yet.
func isEarly(message string) bool {
	return strings.Contains(message, "referenced by paramKind") || strings.Contains(message, "There can be a delay")
}

// untilForgotten repeats a request while a policy of the previous case denies it.
func untilForgotten(request func() error) error {
	err := request()
	for attempt := 0; err != nil && strings.Contains(err.Error(), "AdmissionPolicy '") && attempt < 10; attempt++ {
		time.Sleep(500 * time.Millisecond)
		err = request()
	}
	return err
}

// judge sends an object, and returns the response with the warnings.
func (l *live) judge(path string, m *manifest) (judged, error) {
	result := judged{Object: m.gvk.Kind + "/" + m.name()}
	request, err := http.NewRequest(http.MethodPost, l.url+path, strings.NewReader(m.text))
	if err != nil {
		return result, err
	}
	request.Header.Set("Authorization", "Bearer "+l.token)
	request.Header.Set("Content-Type", "application/yaml")
	request.Header.Set("Accept", "application/json")
	response, err := l.client.Do(request)
	if err != nil {
		return result, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return result, err
	}
	for _, warning := range response.Header.Values("Warning") {
		text := strings.TrimSuffix(strings.TrimPrefix(warning, `299 - "`), `"`)
		result.Warnings = append(result.Warnings, strings.ReplaceAll(text, `\"`, `"`))
	}
	if response.StatusCode < 300 || response.StatusCode == http.StatusConflict {
		return result, nil
	}
	var status metav1.Status
	if err := json.Unmarshal(body, &status); err != nil || status.Message == "" {
		return result, errors.New(string(body))
	}
	result.Message, result.Reason = status.Message, string(status.Reason)
	return result, nil
}

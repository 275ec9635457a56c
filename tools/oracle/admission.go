package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// admitted is the verdict on one object, and on the Pods that its controller creates.
type admitted struct {
	Object  string `json:"object"`
	Verdict string `json:"verdict"`
	Pods    string `json:"pods,omitempty"`
}

// judgeAdmission creates the objects of each case of the streams, and prints the verdicts.
func judgeAdmission(root string, folders []string, running *live, to io.Writer) error {
	count := 0
	return judgeCases(root, folders, to, func(objects []string) ([]admitted, error) {
		count++
		judge := &outputJudge{running: running}
		return judge.admit(fmt.Sprintf("case-%d", count), objects)
	})
}

// admit creates objects in a new namespace: what the server keeps in memory of a namespace is of this case alone.
func (j *outputJudge) admit(namespace string, documents []string) ([]admitted, error) {
	l := j.running
	if err := j.ensure("/api/v1/namespaces", namespace, map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace},
	}); err != nil {
		return nil, err
	}
	l.namespaces[namespace] = true
	if err := j.ensureAccount(namespace, "default"); err != nil {
		return nil, err
	}
	// They go with their namespace, which stays.
	j.created = nil
	var verdicts []admitted
	for _, text := range documents {
		read, err := manifests([]output{{Text: text}})
		if err != nil {
			return nil, err
		}
		m := read[0]
		if l.kinds == nil {
			if err := l.discover(); err != nil {
				return nil, err
			}
		}
		resource, ok := l.kinds[m.gvk]
		if !ok {
			return nil, fmt.Errorf("%w: %v", errNotServed, m.gvk)
		}
		collection := l.path(m.gvk, resource, namespace)
		verdict, _ := l.send(http.MethodPost, collection+"?fieldValidation=Strict", m)
		result := admitted{Object: m.gvk.Kind + "/" + m.name(), Verdict: verdictAccepted}
		if verdict.Stage != stageAccepted {
			result.Verdict = reason(verdict, namespace)
			verdicts = append(verdicts, result)
			continue
		}
		own := collection + "/" + m.name()
		if !resource.Namespaced {
			j.created = append(j.created, own)
		}
		if err := l.afterCreate(m, own); err != nil {
			return nil, err
		}
		if m.template == nil {
			// The plugins read from caches, which learn of the object a moment later.
			time.Sleep(500 * time.Millisecond)
		} else if m.gvk != podKind {
			result.Pods = l.createPods(m, namespace)
		}
		verdicts = append(verdicts, result)
	}
	return verdicts, j.cleanUp()
}

// createPods creates the Pods of an object as its controller does, and returns the first failure.
func (l *live) createPods(m *manifest, namespace string) string {
	spec, _ := m.object["spec"].(map[string]any)
	count := 1
	for _, field := range []string{"replicas", "parallelism"} {
		if number, ok := spec[field].(float64); ok {
			count = int(number)
		}
	}
	for i := range count {
		pod := m.pod()
		pod["metadata"].(map[string]any)["name"] = fmt.Sprintf("%s-%d", m.name(), i)
		body, err := json.Marshal(pod)
		if err != nil {
			return err.Error()
		}
		verdict := l.post("/api/v1/namespaces/"+namespace+"/pods?fieldValidation=Strict", body, podKind)
		if verdict.Stage != stageAccepted {
			return reason(verdict, namespace)
		}
	}
	return verdictAccepted
}

func reason(verdict Verdict, namespace string) string {
	text := strings.TrimPrefix(failure("", verdict), ": ")
	return strings.ReplaceAll(text, namespace, "<namespace>")
}

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
)

// outputCase is the output of sandboxc for one input: objects to apply in order.
type outputCase struct {
	Case    string   `json:"case"`
	Objects []output `json:"objects"`
}

// output is one printed object, and the verdict on it.
type output struct {
	// Object is the kind, namespace and name.
	Object string `json:"object"`
	// Hash identifies the content of the object.
	Hash string `json:"hash"`
	// Text is the printed YAML, which is not part of a recording.
	Text string `json:"text,omitempty"`
	// Verdict is "accepted" if the linked code and the running server accept the object in each step.
	Verdict string `json:"verdict"`
	// PodSecurity is the strictest level whose admission accepts the Pods of the object.
	PodSecurity string `json:"podSecurity,omitempty"`
}

const verdictAccepted = "accepted"

// judgeOutputs applies each case of a file to an otherwise empty cluster, and prints the verdicts.
// The first case has the definitions of the custom kinds, which are kept.
func judgeOutputs(path string, running *live, to io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(to)
	encoder := lines(out)
	judge := &outputJudge{linked: newServer(), running: running}
	if err := errors.Join(judge.createLevels(), judge.ensureAccount(defaultNamespace, "default")); err != nil {
		return err
	}
	isFirst := true
	for decoder := json.NewDecoder(file); decoder.More(); {
		var each outputCase
		if err := decoder.Decode(&each); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := judge.judge(&each); err != nil {
			return fmt.Errorf("%s: %w", each.Case, err)
		}
		if isFirst {
			judge.created = nil
		}
		isFirst = false
		if err := judge.cleanUp(); err != nil {
			return fmt.Errorf("%s: %w", each.Case, err)
		}
		if err := encoder.Encode(each); err != nil {
			return err
		}
	}
	return out.Flush()
}

// outputJudge sends the outputs of each case to the linked code and to a running API server.
type outputJudge struct {
	linked  *server
	running *live
	// created are the addresses of the objects that exist for the current case, in the order of their creation.
	created []string
	// accounts are the service accounts, by namespaces of the case, that Pods of the case name and the case does not have.
	accounts map[string][]string
	// probes counts the policies that show that others are active.
	probes int
}

// judge fills in the verdicts of a case.
func (j *outputJudge) judge(each *outputCase) error {
	manifests, err := manifests(each.Objects)
	if err != nil {
		return err
	}
	if err := j.createSurroundings(manifests); err != nil {
		return err
	}
	for i, manifest := range manifests {
		object := &each.Objects[i]
		object.Verdict = verdictAccepted
		if failure := j.apply(manifest); failure != "" {
			object.Verdict = failure
		} else if manifest.template != nil {
			if object.PodSecurity, failure = j.level(manifest); failure != "" {
				object.Verdict = failure
			}
		}
		object.Text = ""
	}
	return nil
}

// apply creates an object and applies it two more times. It returns the failure of the first step that fails.
func (j *outputJudge) apply(m *manifest) string {
	// The linked code only has the common kinds.
	if verdict := j.linked.create([]byte(m.text)); verdict.Stage != stageAccepted && !isNotServed(verdict) {
		return failure("linked code", verdict)
	}
	if verdict := j.running.create([]byte(m.text), ""); verdict.Stage != stageAccepted {
		return failure("dry run", verdict)
	}
	address, err := j.running.address(m)
	if err != nil {
		return "create: " + err.Error()
	}
	own := address + "/" + m.name()
	if verdict, _ := j.running.send("POST", address+"?fieldValidation=Strict", m); verdict.Stage != stageAccepted {
		return failure("create", verdict)
	}
	j.created = append(j.created, own)
	if err := j.running.afterCreate(m, own); err != nil {
		return "create: " + err.Error()
	}
	if m.gvk == namespaceKind {
		for _, account := range append(j.accounts[m.name()], "default") {
			if err := j.ensureAccount(m.name(), account); err != nil {
				return "create: " + err.Error()
			}
		}
	}
	applied := own + "?fieldManager=sandboxc&fieldValidation=Strict&force=true"
	var contents [2]map[string]any
	for i := range contents {
		verdict, body := j.running.send("PATCH", applied, m)
		if verdict.Stage != stageAccepted {
			return failure("server-side apply", verdict)
		}
		if contents[i], err = content(body); err != nil {
			return "server-side apply: " + err.Error()
		}
	}
	if !reflect.DeepEqual(contents[0], contents[1]) {
		return "server-side apply: the same object again is a change"
	}
	return ""
}

func isNotServed(verdict Verdict) bool {
	return verdict.Stage == stageEnvelope && strings.HasPrefix(verdict.Errors[0].Detail, errNotServed.Error())
}

func failure(step string, verdict Verdict) string {
	var all []string
	for _, finding := range verdict.Errors {
		all = append(all, strings.TrimSpace(finding.Field+" "+finding.Detail))
	}
	return step + ": " + verdict.Stage + ": " + strings.Join(all, "; ")
}

// levels are the Pod Security Standards, strictest first.
var levels = []string{"restricted", "baseline", "privileged"}

func levelNamespace(level string) string { return "pod-security-" + level }

// createLevels creates a namespace for each level that admission enforces there.
func (j *outputJudge) createLevels() error {
	for _, level := range levels {
		labels := map[string]string{"pod-security.kubernetes.io/enforce": level, "pod-security.kubernetes.io/enforce-version": "latest"}
		if err := j.ensure("/api/v1/namespaces", levelNamespace(level), map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": levelNamespace(level), "labels": labels},
		}); err != nil {
			return err
		}
		if err := j.ensureAccount(levelNamespace(level), "default"); err != nil {
			return err
		}
	}
	return nil
}

// level asks for a Pod of the template of an object in the namespace of each level.
func (j *outputJudge) level(m *manifest) (string, string) {
	body, err := json.Marshal(m.pod())
	if err != nil {
		return "", err.Error()
	}
	spec, _ := m.template["spec"].(map[string]any)
	account, _ := spec["serviceAccountName"].(string)
	for _, level := range levels {
		if account != "" {
			if err := j.ensureAccount(levelNamespace(level), account); err != nil {
				return "", err.Error()
			}
		}
		path := "/api/v1/namespaces/" + levelNamespace(level) + "/pods?dryRun=All&fieldValidation=Strict"
		verdict := j.running.post(path, body, podKind)
		if verdict.Stage == stageAccepted {
			return level, ""
		}
		if !violatesLevel(verdict) {
			return "", failure("its Pod", verdict)
		}
	}
	return "", "its Pod: no level accepts it"
}

func violatesLevel(verdict Verdict) bool {
	return verdict.Stage == stageAdmission && strings.Contains(verdict.Errors[0].Detail, "violates PodSecurity")
}

// Command pod-security-oracle records the results of Kubernetes' own Pod Security checks for the Pods in
// fixtures/security, for each level and each version of the standards.
//
// usage: pod-security-oracle FOLDER > verdicts.json
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

type testCase struct {
	Case        string            `json:"case"`
	Pod         corev1.PodSpec    `json:"pod"`
	Annotations map[string]string `json:"annotations"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pod-security-oracle FOLDER")
		os.Exit(2)
	}
	verdicts, err := record(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(verdicts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// record gives file -> case -> level -> versions -> reasons; versions with the same reasons share a key.
func record(folder string) (map[string]map[string]map[string]map[string][]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		return nil, err
	}
	verdicts := map[string]map[string]map[string]map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		cases := map[string]map[string]map[string][]string{}
		for _, document := range strings.Split(string(text), "\n---\n") {
			var one testCase
			if err := yaml.Unmarshal([]byte(document), &one); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			cases[one.Case] = levels(evaluator, one)
		}
		verdicts[filepath.Base(file)] = cases
	}
	return verdicts, nil
}

func levels(evaluator policy.Evaluator, one testCase) map[string]map[string][]string {
	// Admission checks Pods after defaulting: a volume without a source is an emptyDir.
	for i := range one.Pod.Volumes {
		if one.Pod.Volumes[i].VolumeSource == (corev1.VolumeSource{}) {
			one.Pod.Volumes[i].EmptyDir = &corev1.EmptyDirVolumeSource{}
		}
	}
	result := map[string]map[string][]string{}
	for _, level := range []api.Level{api.LevelBaseline, api.LevelRestricted} {
		byVersion := map[string][]string{}
		first, last := 0, 0
		current := reasonsOf(evaluator, one, level, 0)
		for minor := 1; minor <= 37; minor++ {
			reasons := reasonsOf(evaluator, one, level, minor)
			if !slices.Equal(reasons, current) {
				byVersion[fmt.Sprintf("1.%d-1.%d", first, last)] = current
				first, current = minor, reasons
			}
			last = minor
		}
		byVersion[fmt.Sprintf("1.%d-1.%d", first, last)] = current
		result[string(level)] = byVersion
	}
	return result
}

func reasonsOf(evaluator policy.Evaluator, one testCase, level api.Level, minor int) []string {
	reasons := []string{}
	version := api.LevelVersion{Level: level, Version: api.MajorMinorVersion(1, minor)}
	meta := metav1.ObjectMeta{Annotations: one.Annotations}
	for _, check := range evaluator.EvaluatePod(version, &meta, &one.Pod) {
		if !check.Allowed {
			reasons = append(reasons, check.ForbiddenReason)
		}
	}
	sort.Strings(reasons)
	return reasons
}

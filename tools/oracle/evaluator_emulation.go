//go:build emulation

package main

import "k8s.io/pod-security-admission/policy"

// evaluator holds the checks of the module's own minor, which emulates no older one.
var evaluator = must(policy.NewEvaluator(policy.DefaultChecks(), nil))

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

//go:build !emulation

package main

import "k8s.io/pod-security-admission/policy"

// evaluator holds the checks of the module's own minor.
var evaluator = must(policy.NewEvaluator(policy.DefaultChecks()))

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

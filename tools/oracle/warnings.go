package main

import "slices"

// warnings collects the warning headers of the server's response.
type warnings struct {
	texts []string
}

// AddWarning implements warning.Recorder.
func (w *warnings) AddWarning(_, text string) {
	w.texts = append(w.texts, text)
}

// sorted lists each warning once, in an order that does not depend on the iteration of maps.
func (w *warnings) sorted() []string {
	slices.Sort(w.texts)
	return slices.Compact(w.texts)
}

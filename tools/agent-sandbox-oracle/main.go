// The program runs the controllers of agent-sandbox against an API server and records, for each case, what they send.
//
//	agent-sandbox-oracle -line LINE -server URL -token TOKEN -controller PROGRAM -crds FOLDER -sandboxc PROGRAM CASE...
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

func main() {
	line := flag.String("line", "", "the release line of the controllers: `1.0`")
	server := flag.String("server", "", "address of the API server")
	token := flag.String("token", "", "token of an administrator")
	controller := flag.String("controller", "", "the program with the controllers")
	crds := flag.String("crds", "", "folder with the custom resource definitions")
	sandboxc := flag.String("sandboxc", "", "the program that builds cases that contain definitions")
	work := flag.String("work", "", "folder for certificates and logs")
	flag.Parse()
	o := oracle{line: *line, sandboxc: *sandboxc}
	if err := o.record(*server, *token, *controller, *crds, *work, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// concurrency is the number of cases that run at the same time, each in namespaces of its own.
const concurrency = 4

// oracle records the controllers of one release line.
type oracle struct {
	line     string
	sandboxc string
	cluster  *cluster
	recorder *recorder
}

func (o *oracle) record(server, token, controller, crds, work string, folders []string) error {
	cluster := newCluster(server, token)
	recorder, err := newRecorder(server, cluster.transport, token)
	if err != nil {
		return err
	}
	o.cluster, o.recorder = cluster, recorder
	webhook, err := newWebhook(work)
	if err != nil {
		return err
	}
	if err := cluster.define(crds, webhook); err != nil {
		return err
	}
	stop, err := startController(controller, recorder.address, webhook, work)
	if err != nil {
		return err
	}
	defer stop()
	go cluster.runPods()

	var wait sync.WaitGroup
	next := make(chan int)
	failures := make([]error, len(folders))
	for range concurrency {
		wait.Go(func() {
			for i := range next {
				failures[i] = o.recordCase(folders[i], i)
			}
		})
	}
	for i := range folders {
		next <- i
	}
	close(next)
	wait.Wait()
	failed := 0
	for i, failure := range failures {
		if failure != nil {
			failed++
			fmt.Fprintf(os.Stderr, "%s: %v\n", filepath.Base(folders[i]), failure)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d cases failed", failed, len(folders))
	}
	return nil
}

func (o *oracle) recordCase(folder string, number int) error {
	input, err := o.readInput(folder)
	if err != nil {
		return err
	}
	run := &run{cluster: o.cluster, recorder: o.recorder, prefix: fmt.Sprintf("c%03d-", number), uids: map[string]string{}}
	if err := run.apply(input); err != nil {
		return err
	}
	recording, err := run.recording()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "recorded-"+o.line+".json"), recording, 0o644)
}

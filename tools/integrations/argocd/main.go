// Command argocd runs the server of Argo CD's config management plugins, and asks it what the repo server asks.
//
//	argocd serve CONFIG_DIR              the server, on a socket in ARGOCD_PLUGINSOCKFILEPATH
//	argocd ask SOCKET ROOT APP [K=V...]  whether it supports the application, its parameters, its manifests
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/argoproj/argo-cd/v2/cmd/argocd-cmp-server/commands"
	"github.com/argoproj/argo-cd/v2/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v2/util/cmp"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "serve" {
		command := commands.NewCommand()
		command.SetArgs([]string{"--config-dir-path", os.Args[2], "--loglevel", "error"})
		exit(command.Execute())
	}
	if len(os.Args) < 5 || os.Args[1] != "ask" {
		exit(fmt.Errorf("usage: argocd serve CONFIG_DIR | argocd ask SOCKET ROOT APP [K=V...]"))
	}
	exit(ask(os.Args[2], os.Args[3], os.Args[4], os.Args[5:]))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func ask(socket, root, app string, env []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	connection, client, err := apiclient.NewConfigManagementPluginClientSet(socket).NewConfigManagementPluginClient()
	if err != nil {
		return err
	}
	defer connection.Close()

	match, err := client.MatchRepository(ctx)
	if err != nil {
		return err
	}
	if err := cmp.SendRepoStream(ctx, app, root, match, env, nil); err != nil {
		return err
	}
	supported, err := match.CloseAndRecv()
	if err != nil {
		return err
	}
	fmt.Printf("# supported: %v\n", supported.IsSupported)

	parameters, err := client.GetParametersAnnouncement(ctx)
	if err != nil {
		return err
	}
	if err := cmp.SendRepoStream(ctx, app, root, parameters, env, nil); err != nil {
		return err
	}
	announced, err := parameters.CloseAndRecv()
	if err != nil {
		return err
	}
	for _, it := range announced.ParameterAnnouncements {
		fmt.Printf("# parameter: %s\n", it.Name)
	}

	generate, err := client.GenerateManifest(ctx)
	if err != nil {
		return err
	}
	if err := cmp.SendRepoStream(ctx, app, root, generate, env, nil); err != nil {
		return err
	}
	response, err := generate.CloseAndRecv()
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(response.Manifests, "\n---\n"))
	return nil
}

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// webhook is the conversion webhook of the controllers, with a certificate for this machine.
type webhook struct {
	// isUsed is whether the definitions of the line refer to a webhook.
	isUsed      bool
	folder      string
	port        int
	url         string
	certificate string
}

func newWebhook(work string) (*webhook, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "127.0.0.1"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(work, "webhook")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	files := map[string][]byte{
		"tls.crt": certificate,
		"tls.key": pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}),
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	return &webhook{
		folder: folder, port: port, url: fmt.Sprintf("https://127.0.0.1:%d", port),
		certificate: base64.StdEncoding.EncodeToString(certificate),
	}, nil
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// startController starts the controllers with the settings of a default installation with extensions. Their API server is
// the recorder.
func startController(program, server string, webhook *webhook, work string) (func(), error) {
	config := filepath.Join(work, "kubeconfig")
	content := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: recorder, cluster: {server: %q}}]
users: [{name: controllers, user: {}}]
contexts: [{name: recorder, context: {cluster: recorder, user: controllers}}]
current-context: recorder
`, server)
	if err := os.WriteFile(config, []byte(content), 0o600); err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(work, "controller.log"))
	if err != nil {
		return nil, err
	}
	probe, err := freePort()
	if err != nil {
		return nil, err
	}
	arguments := []string{"--extensions", "--leader-elect=false", "--metrics-bind-address=0",
		fmt.Sprintf("--health-probe-bind-address=127.0.0.1:%d", probe)}
	if webhook.isUsed {
		arguments = append(arguments, "--manage-webhook-certs=false", "--webhook-cert-dir="+webhook.folder,
			fmt.Sprintf("--webhook-port=%d", webhook.port))
	}
	command := exec.Command(program, arguments...)
	command.Env = append(os.Environ(), "KUBECONFIG="+config)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	}
	for range 150 {
		response, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/readyz", probe)) //nolint:noctx
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return stop, nil
			}
		}
		time.Sleep(200 * time.Millisecond)
	}
	stop()
	return nil, fmt.Errorf("the controllers do not start; see %s", log.Name())
}

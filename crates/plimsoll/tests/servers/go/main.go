// A server of Go's own net/http, which end-to-end tests drive: HTTP/1.1, and HTTP/2 by ALPN. It writes a line for each
// request, so that a test knows what the server saw. Only the standard library, and nothing newer than Go 1.19.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
)

var (
	logPath        = flag.String("log", "served.log", "file that gets a line for each request")
	certificate    = flag.String("cert", "", "PEM file of the certificate; with it TLS is spoken")
	key            = flag.String("key", "", "PEM file of its key")
	clientCA       = flag.String("client-ca", "", "demand client certificates signed by the authority in this PEM file")
	version        = flag.String("tls", "", "speak only this version of TLS: 1.2 or 1.3")
	tickets        = flag.Bool("tickets", true, "let sessions be resumed")
	withHTTP2      = flag.Bool("http2", true, "offer HTTP/2")
	priorKnowledge = flag.Bool("prior-knowledge", false, "speak HTTP/2 without TLS too (Go 1.24 or later)")
)

func main() {
	flag.Parse()
	file, err := os.OpenFile(*logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(err)
	server := &http.Server{Handler: handler(file), ErrorLog: log.New(os.Stderr, "", 0)}
	if !*withHTTP2 {
		server.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){}
	}
	if *priorKnowledge {
		must(speakPlainHTTP2(server))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	fmt.Printf("listening on %s\n", listener.Addr())
	go endWithParent()
	if *certificate == "" {
		must(server.Serve(listener))
	}
	server.TLSConfig = configuration()
	must(server.ServeTLS(listener, *certificate, *key))
}

// The end of standard input is the end of whoever started this.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

func configuration() *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS12, SessionTicketsDisabled: !*tickets}
	switch *version {
	case "1.2":
		config.MaxVersion = tls.VersionTLS12
	case "1.3":
		config.MinVersion = tls.VersionTLS13
	}
	if *clientCA != "" {
		pem, err := os.ReadFile(*clientCA)
		must(err)
		config.ClientCAs = x509.NewCertPool()
		config.ClientCAs.AppendCertsFromPEM(pem)
		config.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return config
}

func handler(file *os.File) http.Handler {
	paths := http.NewServeMux()
	paths.HandleFunc("/", func(answer http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(answer, "hello\n")
	})
	paths.HandleFunc("/status", func(answer http.ResponseWriter, request *http.Request) {
		answer.WriteHeader(number(request, "code"))
	})
	paths.HandleFunc("/body", func(answer http.ResponseWriter, request *http.Request) {
		_, _ = io.CopyN(answer, letters{}, int64(number(request, "size")))
	})
	paths.HandleFunc("/trailer", func(answer http.ResponseWriter, _ *http.Request) {
		answer.Header().Set("Trailer", "X-Sum")
		_, _ = io.WriteString(answer, "hello\n")
		answer.Header().Set("X-Sum", "1")
	})
	paths.HandleFunc("/abort", func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	})
	return http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, _ := io.Copy(io.Discard, request.Body)
		// One write for each line, so that lines do not mix.
		fmt.Fprintln(file, strings.Join(seen(request, body), " "))
		paths.ServeHTTP(answer, request)
	})
}

// What nginx is told to log too, in the same words: protocol, TLS, resumed or not, client certificate, connection, body.
func seen(request *http.Request, body int64) []string {
	version, resumed, client := "-", "-", "-"
	if state := request.TLS; state != nil {
		version, resumed, client = "TLSv1.2", ".", "NONE"
		if state.Version == tls.VersionTLS13 {
			version = "TLSv1.3"
		}
		if state.DidResume {
			resumed = "r"
		}
		if len(state.VerifiedChains) > 0 {
			client = "SUCCESS"
		}
	}
	return []string{request.Proto, version, resumed, client, request.RemoteAddr, strconv.FormatInt(body, 10)}
}

type letters struct{}

func (letters) Read(buffer []byte) (int, error) {
	for i := range buffer {
		buffer[i] = 'x'
	}
	return len(buffer), nil
}

func number(request *http.Request, name string) int {
	value, err := strconv.Atoi(request.URL.Query().Get(name))
	must(err)
	return value
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

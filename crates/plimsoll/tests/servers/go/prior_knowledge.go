//go:build go1.24

package main

import "net/http"

func speakPlainHTTP2(server *http.Server) error {
	server.Protocols = new(http.Protocols)
	server.Protocols.SetHTTP1(true)
	server.Protocols.SetUnencryptedHTTP2(true)
	return nil
}

//go:build !go1.24

package main

import (
	"errors"
	"net/http"
)

func speakPlainHTTP2(*http.Server) error {
	return errors.New("no prior knowledge: net/http speaks HTTP/2 without TLS from Go 1.24 on")
}

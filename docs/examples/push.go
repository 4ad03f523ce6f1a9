package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// The key goes to the registry alone, so redirects are not followed.
var client = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
	return http.ErrUseLastResponse
}}

func ask(method, address string, body []byte) *http.Response {
	request, _ := http.NewRequest(method, address, bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	request.Header.Set("Accept", "application/fhir+json")
	request.Header.Set("Content-Type", "application/fhir+json")
	request.Header.Set("Idempotency-Key", os.Args[2])
	answer, err := client.Do(request)
	if err != nil {
		panic(err)
	}
	return answer
}

func main() {
	bundle, _ := os.ReadFile(os.Args[1])
	base := os.Getenv("REGISTRY") + "/api/registry/fhir"
	answer := ask("POST", base+"/Bundle", bundle)
	location := answer.Header.Get("Content-Location")
	id := location[strings.LastIndex(location, "/")+1:]
	for id != "" && answer.Header.Get("Retry-After") != "" {
		wait, _ := time.ParseDuration(answer.Header.Get("Retry-After") + "s")
		time.Sleep(min(max(wait, time.Second), time.Minute))
		answer = ask("GET", base+"/ingestions/"+url.PathEscape(id), nil)
	}
	receipt, _ := io.ReadAll(answer.Body)
	fmt.Println(string(receipt))
}

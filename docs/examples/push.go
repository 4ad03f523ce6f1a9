package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func ask(method, address string, body []byte) *http.Response {
	request, _ := http.NewRequest(method, address, bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	request.Header.Set("Accept", "application/fhir+json")
	request.Header.Set("Content-Type", "application/fhir+json")
	request.Header.Set("Idempotency-Key", os.Args[2])
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	return answer
}

func main() {
	bundle, _ := os.ReadFile(os.Args[1])
	answer := ask("POST", os.Getenv("REGISTRY")+"/api/registry/fhir/Bundle", bundle)
	address := answer.Header.Get("Content-Location")
	for address != "" && answer.Header.Get("Retry-After") != "" {
		wait, _ := time.ParseDuration(answer.Header.Get("Retry-After") + "s")
		time.Sleep(wait)
		answer = ask("GET", address, nil)
	}
	receipt, _ := io.ReadAll(answer.Body)
	fmt.Println(string(receipt))
}

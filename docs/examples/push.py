import os, sys, time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

file, message_id = sys.argv[1:]
headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Accept": "application/fhir+json",
           "Content-Type": "application/fhir+json", "Idempotency-Key": message_id}

def ask(address, body=None):
    try:
        return urlopen(Request(address, body, headers))
    except HTTPError as refusal:
        return refusal

answer = ask(os.environ["REGISTRY"] + "/api/registry/fhir/Bundle", open(file, "rb").read())
address = answer.headers["Content-Location"]
while address and "Retry-After" in answer.headers:
    time.sleep(int(answer.headers["Retry-After"]))
    answer = ask(address)
print(answer.read().decode())

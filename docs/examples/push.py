import os, sys, time
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener

file, message_id = sys.argv[1:]
headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Accept": "application/fhir+json",
           "Content-Type": "application/fhir+json", "Idempotency-Key": message_id}

class NoRedirect(HTTPRedirectHandler):  # the key goes to the registry alone
    def redirect_request(self, *_):
        return None

def ask(address, body=None):
    try:
        return build_opener(NoRedirect).open(Request(address, body, headers))
    except HTTPError as refusal:
        return refusal

base = os.environ["REGISTRY"] + "/api/registry/fhir"
answer = ask(base + "/Bundle", open(file, "rb").read())
receipt_id = (answer.headers["Content-Location"] or "").split("/")[-1]
while receipt_id and "Retry-After" in answer.headers:
    time.sleep(min(max(int(answer.headers["Retry-After"]), 1), 60))
    answer = ask(base + "/ingestions/" + quote(receipt_id, safe=""))
print(answer.read().decode())

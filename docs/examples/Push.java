import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

public class Push {
  static HttpResponse<String> ask(String address, HttpRequest.Builder request) throws Exception {
    request.uri(URI.create(address)).header("Authorization", "Bearer " + System.getenv("TOKEN"));
    request.header("Accept", "application/fhir+json").header("Content-Type", "application/fhir+json");
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  public static void main(String[] args) throws Exception {
    var bundle = HttpRequest.BodyPublishers.ofFile(Path.of(args[0]));
    var base = System.getenv("REGISTRY") + "/api/registry/fhir";
    var answer = ask(base + "/Bundle",
        HttpRequest.newBuilder().POST(bundle).header("Idempotency-Key", args[1]));
    // Only the id is taken from the answer, so that the key goes to the registry alone.
    var location = answer.headers().firstValue("Content-Location").orElse("");
    var id = URLEncoder.encode(location.substring(location.lastIndexOf('/') + 1), StandardCharsets.UTF_8);
    while (!id.isEmpty() && answer.headers().firstValue("Retry-After").isPresent()) {
      var wait = answer.headers().firstValueAsLong("Retry-After").getAsLong();
      Thread.sleep(1000 * Math.min(Math.max(wait, 1), 60));
      answer = ask(base + "/ingestions/" + id, HttpRequest.newBuilder());
    }
    System.out.println(answer.body());
  }
}

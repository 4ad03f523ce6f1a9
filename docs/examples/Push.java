import java.net.URI;
import java.net.http.*;
import java.nio.file.Path;

public class Push {
  static HttpResponse<String> ask(String address, HttpRequest.Builder request) throws Exception {
    request.uri(URI.create(address)).header("Authorization", "Bearer " + System.getenv("TOKEN"));
    request.header("Accept", "application/fhir+json").header("Content-Type", "application/fhir+json");
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  public static void main(String[] args) throws Exception {
    var bundle = HttpRequest.BodyPublishers.ofFile(Path.of(args[0]));
    var answer = ask(System.getenv("REGISTRY") + "/api/registry/fhir/Bundle",
        HttpRequest.newBuilder().POST(bundle).header("Idempotency-Key", args[1]));
    var address = answer.headers().firstValue("Content-Location");
    while (address.isPresent() && answer.headers().firstValue("Retry-After").isPresent()) {
      Thread.sleep(1000 * answer.headers().firstValueAsLong("Retry-After").getAsLong());
      answer = ask(address.get(), HttpRequest.newBuilder());
    }
    System.out.println(answer.body());
  }
}

// The key goes to the registry alone, so redirects are not followed.
using var client = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false });
client.DefaultRequestHeaders.Add("Authorization", "Bearer " + Environment.GetEnvironmentVariable("TOKEN"));
client.DefaultRequestHeaders.Add("Accept", "application/fhir+json");
client.DefaultRequestHeaders.Add("Idempotency-Key", args[1]);
var bundle = new ByteArrayContent(File.ReadAllBytes(args[0]));
bundle.Headers.Add("Content-Type", "application/fhir+json");
var start = Environment.GetEnvironmentVariable("REGISTRY") + "/api/registry/fhir";
var answer = await client.PostAsync(start + "/Bundle", bundle);
var id = answer.Content.Headers.ContentLocation?.OriginalString.Split('/').Last() ?? "";
while (id != "" && answer.Headers.RetryAfter?.Delta is TimeSpan wait)
{
    await Task.Delay(TimeSpan.FromSeconds(Math.Clamp(wait.TotalSeconds, 1, 60)));
    answer = await client.GetAsync(start + "/ingestions/" + Uri.EscapeDataString(id));
}
Console.WriteLine(await answer.Content.ReadAsStringAsync());

using var client = new HttpClient();
client.DefaultRequestHeaders.Add("Authorization", "Bearer " + Environment.GetEnvironmentVariable("TOKEN"));
client.DefaultRequestHeaders.Add("Accept", "application/fhir+json");
client.DefaultRequestHeaders.Add("Idempotency-Key", args[1]);
var bundle = new ByteArrayContent(File.ReadAllBytes(args[0]));
bundle.Headers.Add("Content-Type", "application/fhir+json");
var registry = Environment.GetEnvironmentVariable("REGISTRY");
var answer = await client.PostAsync(registry + "/api/registry/fhir/Bundle", bundle);
var address = answer.Content.Headers.ContentLocation;
while (address != null && answer.Headers.RetryAfter?.Delta is TimeSpan wait)
{
    await Task.Delay(wait);
    answer = await client.GetAsync(address);
}
Console.WriteLine(await answer.Content.ReadAsStringAsync());

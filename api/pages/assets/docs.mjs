/** Shows the API contract with Swagger UI, without its header: the page has its own. */
const place = document.getElementById('endpoints');
const withoutHead = () => ({ wrapComponents: { InfoContainer: () => () => null } });
// @ts-expect-error: Swagger UI's bundle, loaded before, has no types
window.SwaggerUIBundle({
  domNode: place,
  url: place?.dataset['contract'],
  plugins: [withoutHead],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});

/** Shows the contract with Swagger UI, without its head: the page has its own. */
export const DOCS_SCRIPT = `'use strict';
const place = document.getElementById('endpoints');
const withoutHead = () => ({ wrapComponents: { InfoContainer: () => () => null } });
window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.contract,
  plugins: [withoutHead],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

import { isObject, type JsonObject } from '../../domain/fhir/json.ts';

/** Narrative of a resource as servers generate it: what it states, as HTML. */
export const buildNarrative = (resource: JsonObject): JsonObject => {
  const { resourceType, id, meta: _, ...elements } = resource;
  return {
    status: 'generated',
    div:
      '<div xmlns="http://www.w3.org/1999/xhtml">' +
      `<p><b>Generated Narrative: ${resourceType}</b><a name="${id}"> </a></p>` +
      `<table class="grid">${listRows(elements, '').join('')}</table></div>`,
  };
};

const listRows = (value: unknown, path: string): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => listRows(one, path));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, part]) =>
      name === 'system' || name === 'url'
        ? []
        : listRows(part, path === '' || isObject(part) ? name : `${path} ${name}`),
    );
  return value === undefined
    ? []
    : [`<tr><td>${path}</td><td>${escapeText(String(value))}</td></tr>`];
};

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../api/openapi.ts';

interface Operation {
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
        readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
      }
    >
  >;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(openApiDocument('http://registry'), 'contract');

/**
 * Checks a response against the OpenAPI document: its status is listed, with the media type,
 * headers and body that stand there.
 * @returns the body
 */
export const checkContract = async (
  path: string,
  method: 'get' | 'post',
  response: Response,
): Promise<unknown> => {
  const { paths } = openApiDocument('http://registry') as unknown as {
    paths: Record<string, Record<string, Operation>>;
  };
  const listed = paths[path]?.[method]?.responses[response.status];
  if (listed === undefined) throw new Error(`${method} ${path} lists no ${response.status}`);
  for (const [name, { required }] of Object.entries(listed.headers ?? {}))
    if (required === true && !response.headers.has(name))
      throw new Error(`${response.status} came without the header ${name}`);
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
  const reference = listed.content?.[type]?.schema.$ref;
  if (reference === undefined) throw new Error(`${response.status} lists no ${type}`);
  const body: unknown = await response.json();
  if (!ajv.validate(`contract${reference}`, body))
    throw new Error(`${response.status} does not fit ${reference}: ${ajv.errorsText()}`);
  return body;
};

import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../api/openapi/document.ts';

/** A part of the document that may be a reference to another. */
type MaybeReference = { readonly $ref?: string };

interface ListedHeader extends MaybeReference {
  readonly required?: boolean;
  readonly schema?: { readonly type?: string };
}

interface ListedResponse extends MaybeReference {
  readonly headers?: Readonly<Record<string, ListedHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface ListedOperation {
  readonly responses: Readonly<Record<string, ListedResponse>>;
}

/** An OpenAPI document, as far as answers are checked against it. */
export interface CheckedContract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly headers: object;
    readonly responses: object;
  };
}

/** Checks answers against a document. */
export const contractChecksOf = (contract: CheckedContract) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(contract, 'contract');

  /** What a reference of the document stands for. @throws if it leads nowhere */
  const resolveReference = (reference: string): unknown => {
    const found = reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>(
        (part, name) => (part as Readonly<Record<string, unknown>> | undefined)?.[name],
        contract,
      );
    if (found === undefined) throw new Error(`${reference} leads nowhere`);
    return found;
  };

  const resolved = <Part extends MaybeReference>(part: Part): Part =>
    part.$ref === undefined ? part : (resolveReference(part.$ref) as Part);

  /** What a value has against a schema of the document; null when it fits. */
  const misfit = (schema: object, value: unknown): string | null => {
    const inContract = JSON.parse(
      JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"contract#'),
    ) as object;
    return ajv.validate(inContract, value) ? null : ajv.errorsText();
  };

  const checkHeaders = (listed: ListedResponse, { status, headers }: Response): void => {
    for (const [name, header] of Object.entries(listed.headers ?? {})) {
      const { required, schema = {} } = resolved(header);
      const value = headers.get(name);
      if (value === null) {
        if (required === true) throw new Error(`${status} came without the header ${name}`);
        continue;
      }
      const problem = misfit(schema, schema.type === 'integer' ? Number(value) : value);
      if (problem !== null) throw new Error(`${status} came with ${name}: ${value}: ${problem}`);
    }
  };

  /**
   * Checks a response against the document: its status is listed, with the media type, headers and
   * body that stand there.
   * @returns the body
   */
  const checkContract = async (
    path: string,
    method: 'get' | 'post',
    response: Response,
  ): Promise<unknown> => {
    const operation = contract.paths[path]?.[method] as ListedOperation | undefined;
    const reference = operation?.responses[response.status];
    if (reference === undefined) throw new Error(`${method} ${path} lists no ${response.status}`);
    const listed = resolved(reference);
    checkHeaders(listed, response);
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const content = listed.content?.[type];
    if (content === undefined) throw new Error(`${response.status} lists no ${type}`);
    const body: unknown = await (type.endsWith('json') ? response.json() : response.text());
    const problem = misfit(content.schema, body);
    if (problem !== null)
      throw new Error(`${response.status} does not fit the contract: ${problem}`);
    return body;
  };

  return { resolveReference, misfit, checkContract };
};

const contract = openApiDocument('http://registry');

/** Readers have to expect more in an answer than is listed; the service sends nothing that is not. */
const SENT_AS_LISTED = Object.entries(contract.components.schemas).map(([name, schema]) => [
  name,
  !('additionalProperties' in schema) || /^(Bundle|Contract)/.test(name)
    ? schema
    : { ...schema, additionalProperties: false },
]);

export const { resolveReference, misfit, checkContract } = contractChecksOf({
  ...contract,
  components: { ...contract.components, schemas: Object.fromEntries(SENT_AS_LISTED) },
});

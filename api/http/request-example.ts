export type Circumstance =
  | 'starting'
  | 'a store is away'
  | 'the queue is full'
  | 'the practice has filled its share'
  | 'other long bodies are read'
  | 'another sender submitted it'
  | 'others wait for a slow body'
  | 'reading takes too long'
  | 'a fault'
  | 'the connection breaks'
  | 'the connection is slow'
  | 'a header is endless'
  | 'a header expects something';

/** With `times`, the last of this many requests triggers the case. */
export interface RequestExample {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Made from the body of a birth, if `body` is only an excerpt. */
  readonly whole?: { readonly note: string | null; readonly body: (birth: string) => string };
  readonly times?: number;
  readonly while?: Circumstance;
}

/** Real keys never look like these. */
export const EXAMPLE_KEYS = {
  writeAndRead: 'rgk_example-write-and-read',
  writeOnly: 'rgk_example-write-only',
  readOnly: 'rgk_example-read-only',
  revoked: 'rgk_example-revoked',
  bound: 'rgk_example-bound',
  partner: 'rgk_example-partner',
} as const;

export const EXAMPLE_INGESTION = 'V1StGXR8_Z5jdHi6B-myT';

const BUNDLE = '/api/registry/fhir/Bundle';
const STATUS = `/api/registry/fhir/ingestions/${EXAMPLE_INGESTION}`;
const BODY_EXCERPT = '{"resourceType":"Bundle","type":"document","entry":[…]}';

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

export const buildSubmission = (
  changes: Partial<RequestExample> = {},
  headers: RequestExample['headers'] = {},
): RequestExample => ({
  method: 'POST',
  path: BUNDLE,
  headers: {
    ...bearer(EXAMPLE_KEYS.writeAndRead),
    'Content-Type': 'application/fhir+json',
    ...headers,
  },
  body: BODY_EXCERPT,
  ...(changes.body === undefined ? { whole: { note: null, body: (birth) => birth } } : {}),
  ...changes,
});

export const buildPoll = (
  token: string = EXAMPLE_KEYS.writeAndRead,
  path = STATUS,
): RequestExample => ({ method: 'GET', path, headers: bearer(token) });

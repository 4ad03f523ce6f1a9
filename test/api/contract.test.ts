import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openApiDocument } from '../../api/openapi/document.ts';
import type { App } from '../../api/ports/app-ports.ts';
import { metadataRouter } from '../../api/push/metadata-router.ts';
import { createFhirRouter } from '../../api/push/push-access.ts';
import { pushRouter } from '../../api/push/push-router.ts';
import { smartRouter } from '../../api/smart/smart-router.ts';
import { misfit, resolveReference } from '../support/contract.ts';

const contract = suite('the OpenAPI document');

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

const DOCUMENT = openApiDocument('http://registry');
const PUSH_LANE = '/api/registry/fhir';

contract('its version is the one of the package', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  assert.is(DOCUMENT.info.version, (JSON.parse(text) as { version: string }).version);
});

contract('it lists exactly the routes of the push lane that are mounted', () => {
  const nothing = () => {
    throw new Error('Nothing is called here');
  };
  const lane = createFhirRouter({ baseUrl: 'http://registry' } as App, {
    authenticate: nothing,
    onIpRefused: nothing,
    findPartnerGate: nothing,
    findOffsets: nothing,
    noteReceipt: nothing,
  });
  const router = pushRouter(lane);
  const { stack } = metadataRouter('http://registry', nothing);
  const mounted = ([...router.stack, ...stack] as unknown as readonly Layer[]).flatMap(
    ({ route }) =>
      Object.keys(route?.methods ?? {})
        // Every other method of a listed path is 405: no operation of its own.
        .filter((method) => method === 'get' || method === 'post')
        .map((method) => `${method} ${PUSH_LANE}${route?.path.replace(/:(\w+)/g, '{$1}')}`),
  );
  const listed = Object.entries(DOCUMENT.paths)
    .filter(([path]) => path.startsWith(PUSH_LANE))
    .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`));
  assert.equal(listed.sort(), [...new Set(mounted)].sort());
});

contract('it lists exactly the routes of the launch that are mounted', () => {
  const nothing = () => {
    throw new Error('Nothing is called here');
  };
  const router = smartRouter({} as App, {
    clientId: null,
    allowedIssuers: [],
    redirectUri: '',
    discover: nothing,
    pull: nothing,
    newSecrets: nothing,
    exchange: nothing,
  });
  const mounted = (router.stack as unknown as readonly Layer[])
    .flatMap(({ route }) => (route?.methods['get'] === true ? [route.path] : []))
    .sort();
  const listed = Object.keys(DOCUMENT.paths).filter((path) => path.startsWith('/smart/'));
  assert.equal(listed.sort(), mounted);
});

contract('every operation lists what comes before it is known what is asked for', () => {
  for (const [path, byMethod] of Object.entries(DOCUMENT.paths))
    for (const { responses } of Object.values(byMethod))
      for (const status of ['408', '417', '431'])
        assert.ok(Object.hasOwn(responses, status), `${path}: ${status}`);
});

contract('it lists itself, and fits what it says of itself', () => {
  const { schema } = DOCUMENT.paths['/openapi.json'].get.responses[200].content['application/json'];
  assert.is(misfit(schema, DOCUMENT), null);
});

contract('it is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  // The validator works in what it is given.
  const { valid, errors } = await validator.validate(structuredClone(DOCUMENT));
  assert.ok(valid, JSON.stringify(errors));
  assert.is(validator.version, '3.1');
});

/** Everything in the document that is an object, with the way to it. */
function* partsOf(part: unknown, way: readonly string[] = []): Generator<[string, object]> {
  if (typeof part !== 'object' || part === null) return;
  yield [way.join(' > '), part];
  // What stands in an example is data of the reader's, no part of the document.
  for (const [name, inner] of Object.entries(part))
    if (name !== 'value' && name !== 'example') yield* partsOf(inner, [...way, name]);
}

contract('every reference in it resolves', () => {
  let references = 0;
  for (const [, part] of partsOf(DOCUMENT)) {
    const { $ref } = part as { $ref?: unknown };
    if (typeof $ref !== 'string') continue;
    references += 1;
    resolveReference($ref);
  }
  assert.ok(references > 30, `${references} references were seen`);
});

contract('nothing is listed under components that nobody refers to', () => {
  const text = JSON.stringify(DOCUMENT);
  const { schemas, headers, responses } = DOCUMENT.components;
  for (const [kind, parts] of Object.entries({ schemas, headers, responses }))
    for (const name of Object.keys(parts))
      assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name}`);
});

interface WithExamples {
  readonly schema?: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly example?: unknown;
}

contract('every example fits its schema', () => {
  let examples = 0;
  for (const [way, part] of partsOf(DOCUMENT)) {
    const { schema, examples: named, example } = part as WithExamples;
    if (schema === undefined) continue;
    const values = Object.values(named ?? {}).map(({ value }) => value);
    for (const value of example === undefined ? values : [...values, example]) {
      examples += 1;
      assert.is(misfit(schema, value), null, way);
    }
  }
  assert.ok(examples > 40, `${examples} examples were seen`);
});

contract('every request and response has an example, and every response its headers', () => {
  const operations = Object.entries(DOCUMENT.paths).flatMap(([path, byMethod]) =>
    Object.values(byMethod).map((operation) => ({ path, ...operation })),
  );
  for (const { path, operationId, responses } of operations)
    for (const [status, listed] of Object.entries<{ $ref?: string }>(responses)) {
      const response = (listed.$ref === undefined ? listed : resolveReference(listed.$ref)) as {
        readonly headers?: object;
        readonly content?: Readonly<Record<string, WithExamples>>;
      };
      const said = `${operationId} ${status}`;
      const limited = path.startsWith(PUSH_LANE) || path === '/smart/callback';
      const counted = limited ? ['X-RateLimit-Limit', 'X-RateLimit-Remaining'] : [];
      for (const name of [...counted, 'X-Correlation-Id'])
        assert.ok(Object.hasOwn(response.headers ?? {}, name), `${said}: ${name}`);
      for (const media of Object.values(response.content ?? {}))
        assert.ok(Object.keys(media.examples ?? {}).length > 0, said);
    }
});

contract.run();

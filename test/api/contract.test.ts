import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openApiDocument } from '../../api/openapi.ts';
import { pushRouter } from '../../api/push/push-router.ts';

const contract = suite('the OpenAPI document');

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
}

contract('it lists exactly the routes of the push lane that are mounted', () => {
  const nothing = () => {
    throw new Error('Nothing is called here');
  };
  const router = pushRouter({
    ...{ authenticate: nothing, accept: nothing, mapSubmission: nothing, findReceipt: nothing },
    ...{ statusUrl: nothing, retryAfterSeconds: nothing },
  });
  const mounted = (router.stack as unknown as readonly Layer[]).flatMap(({ route }) =>
    Object.keys(route?.methods ?? {})
      // Every other method of a listed path is 405: no operation of its own.
      .filter((method) => method === 'get' || method === 'post')
      .map((method) => `${method} /api/registry/fhir${route?.path.replace(/:(\w+)/g, '{$1}')}`),
  );
  const listed = Object.entries(openApiDocument('http://registry').paths).flatMap(
    ([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`),
  );
  assert.equal(listed.sort(), [...new Set(mounted)].sort());
});

contract('every reference in it resolves', () => {
  const document = openApiDocument('http://registry');
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  for (const [, name = ''] of references)
    assert.ok(Object.hasOwn(document.components.schemas, name), name);
});

contract.run();

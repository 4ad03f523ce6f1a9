import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Receipt } from '../../domain/submission/receipt.ts';
import {
  newPractice,
  poll,
  post,
  receiptAddress,
  receiptAt,
  sharedTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { type CheckedContract, contractChecksOf } from '../support/contract.ts';

/** What was written by the contract of the last release is taken and answered as it says there. */
const before = suite('a client of the last release');

const BUNDLE = '/api/registry/fhir/Bundle';
const INGESTION = '/api/registry/fhir/ingestions/{ingestion}';

interface Released extends CheckedContract {
  readonly paths: CheckedContract['paths'] & {
    readonly [BUNDLE]: {
      readonly post: {
        readonly parameters: readonly { readonly name: string; readonly in: string }[];
        readonly requestBody: {
          readonly content: Readonly<
            Record<string, { readonly examples: Readonly<Record<string, { value: unknown }>> }>
          >;
        };
      };
    };
  };
}

const RELEASED = readFileSync(new URL('../../docs/contract/openapi.json', import.meta.url), 'utf8');
/** Readers leave what they do not know. @see docs/integrator.md "When the registry changes" */
const released = JSON.parse(
  RELEASED.replaceAll('"additionalProperties": false', '"additionalProperties": true'),
) as Released;
const { checkContract } = contractChecksOf(released);
const { parameters, requestBody } = released.paths[BUNDLE].post;
const [mediaType = '', media] = Object.entries(requestBody.content)[0] ?? [];
const examples = Object.entries(media?.examples ?? {});
const birth = media?.examples['birth']?.value;

let service: TestService;
let practice: TestPractice;

before.before(async () => {
  service = await sharedTestService();
  practice = await newPractice(service.commands);
});

before.after(() => service.stop());

const push = (body: unknown, key: string, token: string | null = practice.token) =>
  post(service.url, token, body, { 'Content-Type': mediaType, 'Idempotency-Key': key });

before('knows the header of a safe retry, and one media type', () => {
  assert.ok(
    parameters.some(({ name, in: where }) => name === 'Idempotency-Key' && where === 'header'),
  );
  assert.equal(Object.keys(requestBody.content), [mediaType]);
});

before('pushes and polls every example that stood there', async () => {
  assert.ok(examples.length > 4, `${examples.length} examples were seen`);
  for (const [name, { value }] of examples) {
    // Of its own: what is retracted has to be there, and what is amended must not be newer.
    const { token } = await newPractice(service.commands);
    await receiptAt(receiptAddress(await push(birth, 'birth', token)), token);
    const taken = await push(value, `${name} again`, token);
    assert.is(taken.status, 202, name);
    const address = receiptAddress(taken);
    await checkContract(BUNDLE, 'post', taken);
    const receipt: Receipt = await receiptAt(address, token, undefined, async (...asked) => {
      const answer = await poll(...asked);
      await checkContract(INGESTION, 'get', answer.clone());
      return answer;
    });
    assert.is(receipt.status, 'completed', name);
    if (receipt.status !== 'completed') continue;
    assert.is(receipt.rejected, 0, `${name}: ${JSON.stringify(receipt.outcome.rejected)}`);
    const again = await push(
      { ...(value as object), timestamp: 'another' },
      `${name} again`,
      token,
    );
    assert.is(receiptAddress(again), address, name);
    await checkContract(BUNDLE, 'post', again);
  }
});

before('is refused as it stood there', async () => {
  const { token, practiceId } = practice;
  const minted = (scopes: readonly ('ingest:read' | 'ingest:write')[]) =>
    service.commands.keys.mintNative({ practiceId, scopes, name: null });
  const [reader, writer] = [await minted(['ingest:read']), await minted(['ingest:write'])];
  const address = `${service.url}${INGESTION.replace('{ingestion}', 'V1StGXR8_Z5jdHi6B-myT')}`;
  for (const [status, answer] of [
    [400, push('{', 'k')],
    [401, push(birth, 'k', null)],
    [403, push(birth, 'k', reader.token)],
    [405, fetch(`${service.url}${BUNDLE}`, { headers: { Authorization: `Bearer ${token}` } })],
    [413, push(`{"resourceType":"Bundle","x":"${'x'.repeat(21 * 1024 * 1024)}"}`, 'k')],
  ] as const) {
    assert.is((await answer).status, status);
    await checkContract(BUNDLE, 'post', await answer);
  }
  for (const [status, answer] of [
    [401, fetch(address)],
    [403, poll(address, writer.token)],
    [404, poll(address, token)],
  ] as const) {
    assert.is((await answer).status, status);
    await checkContract(INGESTION, 'get', await answer);
  }
});

before.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openApiDocument } from '../../api/openapi/document.ts';
import { type Contract, contractChanges } from '../../scripts/contract/contract-changes.ts';

// biome-ignore lint/suspicious/noExplicitAny: any place of the document may be changed
type Changed = any;

const PUSH = '/api/registry/fhir/Bundle';
const RECEIPT = '/api/registry/fhir/ingestions/{ingestion}';
const LAUNCH = '/smart/launch';

const WHOLE = openApiDocument('https://registry.example');
/** Answers of an operation that the rows change. */
const ANSWERS = new Set(['200', '202', '403', '429']);

/** Two operations of the contract: comparing all of it takes many times as long. */
const contract = (paths: readonly string[]): Changed => {
  const whole: Changed = structuredClone(WHOLE);
  const kept = paths.map((path) => [path, whole.paths[path]] as const);
  for (const [, operations] of kept)
    for (const operation of Object.values<Changed>(operations))
      for (const status of Object.keys(operation.responses))
        if (!ANSWERS.has(status)) delete operation.responses[status];
  return { ...whole, paths: Object.fromEntries(kept) };
};

const changesBy = (change: (document: Changed) => void, paths = [PUSH, RECEIPT]) => {
  const after = contract(paths);
  change(after);
  return contractChanges(contract(paths), after as Contract);
};

const BREAKING: Readonly<Record<string, (document: Changed) => void>> = {
  'an operation is gone': ({ paths }) => delete paths[PUSH].post,
  'an answer is gone': ({ paths }) => delete paths[PUSH].post.responses['202'],
  'the headers of an answer are gone': ({ paths }) =>
    delete paths[PUSH].post.responses['202'].headers,
  'a header must be sent': ({ paths }) => {
    const header = { name: 'X-Must', in: 'header', required: true, schema: { type: 'string' } };
    paths[PUSH].post.parameters = [...(paths[PUSH].post.parameters ?? []), header];
  },
  'the body needs more': ({ components }) => components.schemas.Bundle.required.push('type'),
  'a field of an answer is gone': ({ components }) =>
    delete components.schemas.UnfinishedReceipt.properties.id,
  'a field of an answer may be missing': ({ components }) => {
    components.schemas.CompletedReceipt.required = ['id', 'status'];
  },
  'a field of an answer has another type': ({ components }) => {
    components.schemas.UnfinishedReceipt.properties.id = { type: 'integer' };
  },
  'a value of an answer is another one': ({ components }) => {
    components.schemas.CompletedReceipt.properties.status.const = 'done';
  },
  'a constant of an answer may be anything': ({ components }) =>
    delete components.schemas.CompletedReceipt.properties.status.const,
  'what tells the answers apart is gone': ({ components }) =>
    delete components.schemas.Receipt.discriminator,
  'a request takes nothing beside what is listed': ({ components }) => {
    components.schemas.BundleMeta.additionalProperties = false;
  },
  'a field of an answer that several share is gone': ({ components }) =>
    delete components.schemas.TooManyRequests.properties.message,
};

for (const [what, change] of Object.entries(BREAKING))
  test(`breaking: ${what}`, async () => {
    assert.ok((await changesBy(change)).some(({ isBreaking }) => isBreaking));
  });

const ADDITIVE: Readonly<Record<string, (document: Changed) => void>> = {
  'another operation': ({ paths }) => {
    paths['/api/registry/fhir/metadata'] = { get: { responses: { 200: { description: 'It.' } } } };
  },
  'another answer': ({ paths }) => {
    paths[PUSH].post.responses['418'] = { description: 'A teapot.' };
  },
  'another field of an answer': ({ components }) => {
    components.schemas.UnfinishedReceipt.properties.since = { type: 'string' };
  },
};

for (const [what, change] of Object.entries(ADDITIVE))
  test(`additive: ${what}`, async () => {
    const changes = await changesBy(change);
    assert.ok(changes.length > 0);
    assert.equal(
      changes.filter(({ isBreaking }) => isBreaking),
      [],
    );
  });

test('the types of constants, open answers, plain flags and what guides generators are additive', async () => {
  const before = contract([PUSH, RECEIPT]);
  const { schemas, headers } = before.components;
  delete headers.WwwAuthenticate.schema.type;
  delete schemas.Bundle.properties.resourceType.type;
  delete schemas.UnfinishedReceipt.properties.status.type;
  schemas.AcceptedEntry.properties.amended = { const: true };
  schemas.OperationOutcome.additionalProperties = false;
  delete schemas.Receipt.discriminator;
  delete before.paths[PUSH].post.responses['202'].links;
  const changes = await contractChanges(before, contract([PUSH, RECEIPT]));
  assert.ok(changes.length > 4);
  assert.equal(
    changes.filter(({ isBreaking }) => isBreaking),
    [],
  );
});

test('what only readers see is no change', async () => {
  assert.equal(
    await changesBy(
      (document) => {
        document.info.version = '9.9.9';
        document.paths[PUSH].post.description = 'In other words.';
        document.paths[PUSH].post.parameters[0].example = 'another-key';
        const [example] = Object.values<Changed>(
          document.paths[LAUNCH].get.responses['403'].content['application/fhir+json'].examples,
        );
        example.value.issue[0].diagnostics = 'Clearer than before.';
      },
      [PUSH, LAUNCH],
    ),
    [],
  );
});

test('a breaking change names its operation', async () => {
  const [change] = await changesBy(({ paths }) => delete paths[PUSH].post);
  assert.is(change?.operation, `POST ${PUSH}`);
});

test.run();

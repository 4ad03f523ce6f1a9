import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { queuedIssue, replayedIssue } from '../../api/push/queued-issues.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import {
  newPractice,
  poll,
  post,
  push,
  pushAddress,
  receiptAddress,
  receiptAt,
  startTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';
import { buildCompleteBundle } from '../support/complete-bundle.ts';
import { checkContract } from '../support/contract.ts';
import { readPublished, testPublished } from '../support/published-bundles.ts';

const BUNDLE = '/api/registry/fhir/Bundle';
const INGESTION = '/api/registry/fhir/ingestions/{ingestion}';

const pushLane = suite<{ service: TestService; practice: TestPractice }>('the push lane');

pushLane.before(async (context) => {
  context.service = await startTestService();
});
pushLane.after(async ({ service }) => {
  await service.stop();
});
pushLane.before.each(async (context) => {
  context.practice = await newPractice(context.service.commands);
});

type Outcome = { issue: { code: string; expression?: string[]; diagnostics: string }[] };
type Completed = Extract<Receipt, { status: 'completed' }>;

const completed = (receipt: Receipt): Completed => {
  if (receipt.status !== 'completed') throw new Error(`The receipt is ${receipt.status}`);
  return receipt;
};

pushLane('a Bundle with all elements is accepted, and its history shows it', async (context) => {
  const { service, practice } = context;
  const body = JSON.stringify(buildCompleteBundle());
  // What comes a second time is read as it was the first time.
  await push(service.url, practice.token, body);
  const response = await post(service.url, practice.token, body);
  assert.is(response.status, 202);
  await checkContract(BUNDLE, 'post', response);
  const address = receiptAddress(response);
  assert.match(address, `${service.url}/api/registry/fhir/ingestions/`);
  const receipt = completed(await receiptAt(address, practice.token));
  assert.is(receipt.accepted, 1);
  assert.is(receipt.outcome.accepted[0]?.reference, 'C-25-1');
  assert.match(receipt.completedAt, /\+00:00$/);

  const { state, events } = await service.commands.history(practice.practiceId, 'C-25-1', null);
  if (state === null) throw new Error('The chart number has no history');
  assert.is(state.status, 'live');
  const { mother, children, place_of_birth } = state.courseOfCare;
  assert.equal([mother.given_names, mother.family_name], [['Angelita', 'Princess'], 'Gamboa']);
  assert.is(children[0]?.birth_weight_grams, 2_900);
  assert.is(children[0]?.gestational_age_weeks, 38);
  assert.equal([children[0]?.apgar_one_minute, children[0]?.apgar_five_minute], [5, 5]);
  assert.is(place_of_birth, 'Hospital');
  assert.equal(
    events.map(({ type, version }) => [type, version]),
    [
      ['BirthRecorded', 1],
      ['BirthAmended', 2],
    ],
  );
});

pushLane('every receipt on the way fits the contract', async ({ service, practice }) => {
  const address = await pushAddress(service.url, practice.token, birthBundle());
  for (;;) {
    const polled = await poll(address, practice.token);
    const receipt = (await checkContract(INGESTION, 'get', polled)) as Receipt;
    if (receipt.status === 'completed') break;
    assert.ok(polled.headers.has('retry-after'), 'an unfinished receipt says when to ask again');
  }
});

for (const [name, body] of [
  ['no JSON', 'hello'],
  ['an empty body', ''],
  ['JSON that is no object', '[1]'],
  ['another resource', '{"resourceType":"Patient"}'],
  ['JSON that is cut off', '{"resourceType":"Bundle"'],
  [
    'nesting deeper than 64',
    `{"resourceType":"Bundle","entry":${'['.repeat(64)}${']'.repeat(64)}}`,
  ],
] as const)
  pushLane(`a body that is not a JSON FHIR Bundle is 400: ${name}`, async (context) => {
    const { service, practice } = context;
    const response = await post(service.url, practice.token, body);
    assert.is(response.status, 400);
    const outcome = (await checkContract(BUNDLE, 'post', response)) as Outcome;
    assert.is(outcome.issue[0]?.code, 'structure');
    assert.equal(outcome.issue[0]?.expression, ['Bundle.resourceType']);
  });

pushLane('nesting of 64 levels, a BOM, gzip and any content type are taken', async (context) => {
  const { service, practice } = context;
  const { url } = service;
  const bundle = JSON.stringify(birthBundle());
  const deep = `${bundle.slice(0, -1)},"x":${'['.repeat(63)}${']'.repeat(63)}}`;
  assert.is((await post(url, practice.token, deep)).status, 202);
  assert.is((await post(url, practice.token, `\ufeff${bundle}`)).status, 202);
  const plain = { 'Content-Type': 'text/plain' };
  assert.is((await post(url, practice.token, bundle, plain)).status, 202);
  const gzip = { 'Content-Encoding': 'gzip' };
  assert.is((await post(url, practice.token, gzipSync(bundle), gzip)).status, 202);
  assert.is((await post(url, practice.token, bundle, gzip)).status, 400);
  const brotli = { 'Content-Encoding': 'br' };
  assert.is((await post(url, practice.token, bundle, brotli)).status, 400);
});

pushLane('a body over 20 MiB is 413, also when gzip hides its size', async (context) => {
  const { service, practice } = context;
  const large = Buffer.alloc(20 * 1024 * 1024 + 1, ' ');
  const response = await post(service.url, practice.token, large);
  assert.is(response.status, 413);
  await checkContract(BUNDLE, 'post', response);
  const gzip = { 'Content-Encoding': 'gzip' };
  const zipped = await post(service.url, practice.token, gzipSync(large), gzip);
  assert.is(zipped.status, 413);
});

pushLane('a missing, invalid or revoked key is 401', async ({ service, practice }) => {
  for (const token of [null, 'nonsense', `rgk_${'A'.repeat(43)}`]) {
    const response = await post(service.url, token, birthBundle());
    assert.is(response.status, 401);
    await checkContract(BUNDLE, 'post', response);
  }
  assert.is((await post(service.url, practice.token, birthBundle())).status, 202);
  await service.commands.keys.revoke(practice.keyId);
  const response = await post(service.url, practice.token, birthBundle());
  assert.is(response.status, 401);
  const polled = await poll(`${service.url}/api/registry/fhir/ingestions/x`, practice.token);
  assert.is(polled.status, 401);
  await checkContract(INGESTION, 'get', polled);
});

pushLane('a key lacking the scope of the route is 403', async ({ service }) => {
  const reader = await newPractice(service.commands, ['ingest:read']);
  const response = await post(service.url, reader.token, birthBundle());
  assert.is(response.status, 403);
  await checkContract(BUNDLE, 'post', response);
  const scribe = await newPractice(service.commands, ['ingest:write']);
  const polled = await poll(`${service.url}/api/registry/fhir/ingestions/x`, scribe.token);
  assert.is(polled.status, 403);
  await checkContract(INGESTION, 'get', polled);
});

pushLane('an ingestion of another practice is 404', async ({ service, practice }) => {
  const address = await pushAddress(service.url, practice.token, birthBundle());
  await receiptAt(address, practice.token);
  const stranger = await newPractice(service.commands);
  const ids = [address, `${service.url}/api/registry/fhir/ingestions/%00`, `${address}x`];
  for (const id of ids) {
    const polled = await poll(id, stranger.token);
    assert.is(polled.status, 404);
    const outcome = (await checkContract(INGESTION, 'get', polled)) as Outcome;
    assert.is(outcome.issue[0]?.code, 'not-found');
  }
});

pushLane('other methods are 405 and other addresses 404, after authentication', async (context) => {
  const { service, practice } = context;
  const address = `${service.url}${BUNDLE}`;
  const headers = { Authorization: `Bearer ${practice.token}` };
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await fetch(address, { method, headers });
    assert.is(answer.status, 405, method);
    assert.is(answer.headers.get('allow'), 'POST', method);
    const { issue } = (await checkContract(BUNDLE, 'post', answer)) as Outcome;
    assert.is(issue[0]?.code, 'not-supported', method);
  }
  const head = await fetch(address, { method: 'HEAD', headers });
  assert.equal([head.status, head.headers.get('allow'), await head.text()], [405, 'POST', '']);
  assert.is(
    (await fetch(`${address}/00000000-0000-4000-8000-000000000000`, { headers })).status,
    404,
  );
  assert.is((await fetch(address)).status, 401);
  assert.is((await fetch(`${service.url}/api/registry/fhir/Patient`, { headers })).status, 404);
  assert.is((await fetch(`${service.url}/api/registry/fhir/Patient`)).status, 401);
  assert.is((await fetch(`${service.url}/nothing`)).status, 404);
});

const ANSWERS = {
  BasicBirthRecord: 1,
  BirthRecordR: 1,
  'Derived-BabyGQuinn-SnomedHospital': 1,
  'STU1-bundle-provider-live-birth-babyg-quinn': 1,
  BirthRecordFakeWithRace: ['required'],
  BasicFetalDeathRecord: ['required'],
  BirthRecordSubmissionMessage: ['required'],
  FetalDeathUpdateMessage: ['required'],
  BirthRecordIndustryAndOccupationCodedContent: ['structure', 'structure', 'required'],
  BirthRecordVoidMessage: ['structure', 'structure', 'required'],
};

testPublished(
  pushLane,
  'fixtures/bfdr',
  'each published Bundle gets the answer that is documented for it',
  async ({ service }) => {
    const answers: Record<string, unknown> = {};
    for (const name of Object.keys(ANSWERS)) {
      const { token } = await newPractice(service.commands);
      const body = JSON.stringify(readPublished('fixtures/bfdr', `${name}.json`));
      const { accepted, outcome } = completed(await push(service.url, token, body));
      answers[name] = outcome.rejected[0]?.outcome.issue.map(({ code }) => code) ?? accepted;
    }
    assert.equal(answers, ANSWERS);
  },
);

pushLane('in a batch good records land and bad ones are reported per record', async (context) => {
  const { service, practice } = context;
  const bundle = batchOf([
    birthBundle({ chartNumber: 'A-1', mother: { family: 'Okafor' } }),
    birthBundle({ chartNumber: null, mother: null }),
    birthBundle({ chartNumber: null, mother: { family: 'Novák' } }),
  ]);
  const receipt = completed(await push(service.url, practice.token, bundle));
  assert.equal([receipt.accepted, receipt.rejected], [2, 1]);
  assert.equal(
    receipt.outcome.accepted.map(({ reference }) => reference),
    ['A-1', 'record[2]'],
  );
  assert.is(receipt.outcome.rejected[0]?.reference, 'record[1]');
});

pushLane('a whole Bundle that fails is completed with one rejected entry', async (context) => {
  const { service, practice } = context;
  const receipt = completed(
    await push(service.url, practice.token, { resourceType: 'Bundle', entry: [] }),
  );
  assert.equal([receipt.accepted, receipt.rejected], [0, 1]);
  assert.is(receipt.outcome.rejected[0]?.reference, 'Bundle');
});

pushLane('hundreds of courses in one batch: every outcome is there, in order', async (context) => {
  const { service, practice } = context;
  const many = Array.from({ length: 300 }, (_, index) =>
    birthBundle({ chartNumber: `M-${index}`, mother: { family: `Family ${index}` } }),
  );
  const address = await pushAddress(service.url, practice.token, batchOf(many));
  const receipt = completed(await receiptAt(address, practice.token));
  assert.equal([receipt.accepted, receipt.rejected], [300, 0]);
  assert.equal(
    receipt.outcome.accepted.map(({ reference }) => reference),
    many.map((_, index) => `M-${index}`),
  );
  const tooMany = batchOf(Array.from({ length: 1_001 }, () => birthBundle()));
  const over = completed(await push(service.url, practice.token, tooMany));
  assert.is(over.outcome.rejected[0]?.outcome.issue[0]?.code, 'too-costly');
});

pushLane(
  'amend, retract, retract again, revive: one record, versions in a row',
  async (context) => {
    const { service, practice } = context;
    const at = (hour: number) => `2026-03-14T1${hour}:00:00Z`;
    const send = async (bundle: unknown) =>
      completed(await push(service.url, practice.token, bundle)).outcome;
    const retraction = { composition: { status: 'entered-in-error' } };

    const first = (await send(birthBundle({ lastUpdated: at(1) }))).accepted[0];
    const submission_uuid = first?.submission_uuid;
    assert.equal(first, { reference: 'MRN-1001', submission_uuid });
    const entry = { reference: 'MRN-1001', submission_uuid };
    assert.equal((await send(birthBundle({ lastUpdated: at(2) }))).accepted[0], {
      ...entry,
      amended: true,
      version: 2,
    });
    const stale = await send(birthBundle({ lastUpdated: at(1) }));
    assert.equal(stale.rejected[0]?.outcome.issue, [
      {
        severity: 'error',
        code: 'conflict',
        details: { coding: [{ system: 'urn:birth-registry:diagnostics', code: 'stale-update' }] },
        diagnostics: 'Stale update ignored',
      },
    ]);
    const voided = { ...entry, retracted: true, version: 3 };
    assert.equal(
      (await send(birthBundle({ lastUpdated: at(3), ...retraction }))).accepted[0],
      voided,
    );
    assert.equal(
      (await send(birthBundle({ lastUpdated: at(3), ...retraction }))).accepted[0],
      voided,
    );
    assert.equal((await send(birthBundle({ lastUpdated: at(4) }))).accepted[0], {
      ...entry,
      amended: true,
      version: 4,
    });
    const unknown = await send(birthBundle({ chartNumber: 'nobody', ...retraction }));
    assert.is(unknown.rejected[0]?.outcome.issue[0]?.code, 'not-found');
  },
);

pushLane(
  'a look-alike is stored and flagged; one without a name is not checked',
  async (context) => {
    const { service, practice } = context;
    const send = async (chartNumber: string, family: string | null) => {
      const mother = { family, given: family === null ? [] : ['Ana'] };
      const bundle = birthBundle({ chartNumber, mother });
      return completed(await push(service.url, practice.token, bundle)).outcome.accepted[0];
    };
    assert.is((await send('D-1', 'Pérez'))?.suspected_duplicate, undefined);
    assert.is((await send('D-2', ' PÉREZ '))?.suspected_duplicate, true);
    assert.is((await send('D-3', null))?.suspected_duplicate, undefined);
    assert.is((await send('D-4', null))?.suspected_duplicate, undefined);
  },
);

pushLane('one chart number repeatedly in one batch, and a duplicate inside it', async (context) => {
  const { service, practice } = context;
  const receipt = completed(
    await push(
      service.url,
      practice.token,
      batchOf([
        birthBundle({ chartNumber: 'S-1' }),
        birthBundle({ chartNumber: 'S-2' }),
        birthBundle({ chartNumber: 'S-1' }),
      ]),
    ),
  );
  const [first, second, third] = receipt.outcome.accepted;
  assert.is(second?.suspected_duplicate, true);
  assert.is(third?.submission_uuid, first?.submission_uuid);
  assert.equal([third?.amended, third?.version], [true, 2]);
});

pushLane('many pushes at once to one chart number give consecutive versions', async (context) => {
  const { service, practice } = context;
  const pushes = 16;
  const receipts = await Promise.all(
    Array.from({ length: pushes }, () => push(service.url, practice.token, birthBundle())),
  );
  const versions = receipts.map((receipt) => completed(receipt).outcome.accepted[0]?.version ?? 1);
  assert.equal(
    versions.sort((a, b) => a - b),
    Array.from({ length: pushes }, (_, index) => index + 1),
  );
});

pushLane('a used Idempotency-Key gives the first answer, whatever the body', async (context) => {
  const { service, practice } = context;
  const key = { 'Idempotency-Key': 'one birth' };
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      post(service.url, practice.token, birthBundle({ chartNumber: `I-${index}` }), key),
    ),
  );
  assert.equal([...new Set(answers.map(({ status }) => status))], [202]);
  const addresses = new Set(answers.map(({ headers }) => headers.get('content-location')));
  assert.is(addresses.size, 1);
  // All but the one that was queued say so, whoever came first.
  const replays = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
  assert.is(replays.length, answers.length - 1);
  for (const answer of answers) {
    const issueOf = replays.includes(answer) ? replayedIssue : queuedIssue;
    const { issue } = (await checkContract(BUNDLE, 'post', answer)) as {
      readonly issue: readonly { readonly severity: string; readonly diagnostics: string }[];
    };
    assert.equal(
      issue.map(({ severity, diagnostics }) => [severity, diagnostics]),
      [['information', issueOf(receiptAddress(answer)).diagnostics]],
    );
  }
  const receipt = completed(await receiptAt([...addresses][0] ?? '', practice.token));
  assert.is(receipt.accepted, 1);
  assert.is(
    receipt.outcome.accepted[0]?.reference,
    `I-${answers.findIndex((one) => !replays.includes(one))}`,
  );
  const refused = await post(service.url, practice.token, 'no Bundle', key);
  assert.is(refused.status, 400);
  // Counted where it lasts: the command asks the database beside the service.
  const [listed] = await service.commands.lists.keysOfPractice(practice.practiceId);
  assert.is(listed?.replays, replays.length);
  assert.ok(listed?.lastReplayAt instanceof Date);
  const stranger = await newPractice(service.commands);
  const other = await post(service.url, stranger.token, birthBundle(), key);
  assert.not([...addresses][0] === other.headers.get('content-location'));
});

pushLane('names, dates and chart numbers stand in no stream name', async ({ service }) => {
  const { streams, problems } = await service.commands.verify();
  assert.equal(problems, []);
  assert.ok(streams > 0);
});

pushLane('what is sent behind a large batch is decided behind all of it', async (context) => {
  const { service, practice } = context;
  const named = (chartNumber: string, family: string, lastUpdated: string) =>
    birthBundle({ chartNumber, lastUpdated, mother: { family } });
  const pairs = ['A', 'B', 'C', 'D', 'E'];
  const later: string[] = [];
  for (const pair of pairs) {
    const batch = Array.from({ length: 80 }, (_, n) =>
      named(`${pair}-${n}`, `First ${pair} ${n}`, '2026-03-14T10:00:00Z'),
    );
    await post(service.url, practice.token, batchOf(batch));
    // The last course of the batch is in its second chunk.
    const single = named(`${pair}-79`, `Second ${pair}`, '2026-03-15T10:00:00Z');
    later.push(await pushAddress(service.url, practice.token, single));
  }
  for (const [index, address] of later.entries()) {
    const { outcome } = completed(await receiptAt(address, practice.token));
    assert.is(outcome.accepted[0]?.version, 2);
    const chart = `${pairs[index]}-79`;
    const { state } = await service.commands.history(practice.practiceId, chart, null);
    assert.is(state?.courseOfCare.mother.family_name, `Second ${pairs[index]}`);
  }
});

pushLane.run();

import { generateSync } from 'otplib';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { checkEventProof } from '../../transparency-log/event-proof.ts';
import { parseKeyOfKind } from '../../transparency-log/signed-note.ts';
import { countTypes } from '../fixtures/0.2.0/check-complete.ts';
import type { Expected } from '../fixtures/0.2.0/expected.ts';
import { newPerson } from '../fixtures/0.2.0/person.ts';
import { signInByPasskey, signInTo } from '../fixtures/0.2.0/sign-in.ts';
import { eventually } from '../harness/eventually.ts';
import { poll, post, receiptAt, testSettings } from '../harness/service.ts';
import {
  onDatabaseIn,
  readCompressed,
  restoreStoredCopy,
  rowsOf,
  type StoredCopy,
} from '../harness/stored-copy.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

// What release 0.2.0 stored, and what it said about it: see `test/fixtures/0.2.0/make.ts`.
const FIXTURE = 'test/fixtures/0.2.0';
const expected = await readCompressed<Expected>(`${FIXTURE}/expected.json.br`);
const { unfinished, people } = expected;
const copy = await readCompressed<StoredCopy>(`${FIXTURE}/registry.json.br`);

const directory = temporaryDirectory('upgrade');
await restoreStoredCopy(copy, directory.path);
const settings = testSettings(directory.path, {
  LOG_PUBLIC: 'true',
  SMART_CLIENT_ID: 'birth-registry',
  SMART_ALLOWED_ISSUERS: expected.issuer,
});
const silent = openServiceLog('silent');
const service = await startService(settings, silent);
await service.started;
const commands = await openCommands(settings, silent);
const { url } = service;
test.after(async () => {
  await commands.close();
  await service.stop();
  directory.remove();
});

const getLast = (path: string): string => path.split('/').at(-1) ?? '';
const fourTimes = (type: string): readonly string[] => Array.from({ length: 4 }, () => type);

/** A later release may say more, but nothing else. */
const assertSaysStill = (now: unknown, before: unknown, where: string): void => {
  if (typeof before !== 'object' || before === null) assert.is(now, before, where);
  else
    for (const [name, value] of Object.entries(before))
      assertSaysStill((now as Record<string, unknown>)?.[name], value, `${where}.${name}`);
};

/** Types of the events of a copied stream. */
const typesIn = (stream: string): readonly string[] =>
  rowsOf<{ stream: string; type: string }>(copy, 'eventstore.event')
    .filter((event) => event.stream === stream)
    .map(({ type }) => type);

test('the release was stopped in the middle of its work', () => {
  const [begun = '', waiting = ''] = unfinished.submissions.map(({ path }) => getLast(path));
  assert.equal(typesIn(`ingestion-${begun}`), [
    'IngestionStarted',
    ...fourTimes('RecordsProcessed'),
  ]);
  assert.equal(typesIn(`ingestion-${waiting}`), []);
  assert.is(typesIn(`ingestion-${getLast(unfinished.undoneImport)}`).at(-1), 'ImportUndoBegun');
  const queued = rowsOf<{ ingestion_id: string }>(copy, 'app.submission');
  assert.equal(
    queued.map((row) => row.ingestion_id).sort(),
    [begun, waiting, getLast(unfinished.queuedImport)].sort(),
  );
  assert.ok(rowsOf(copy, 'app.noted_access').length > 0);
  const ofMerge = rowsOf<{ type: string; data: string }>(copy, 'eventstore.event').filter(
    ({ type, data }) =>
      ['ProvidersMerged', 'AttributionRepointed'].includes(type) &&
      Buffer.from(data.slice(2), 'hex').includes(unfinished.merge.practiceId),
  );
  assert.equal(
    ofMerge.map(({ type }) => type),
    ['ProvidersMerged'],
  );
});

test('every event is still in the log, byte for byte', async () => {
  assert.equal(countTypes(copy), expected.events);
  const lost = await onDatabaseIn(directory.path, async (client) => {
    const { rows } = await client.query(
      `select before.position, before.type
         from json_populate_recordset(null::eventstore.event, $1) before
         where not exists (select from eventstore.event now where now is not distinct from before)`,
      [copy.rows['eventstore.event']],
    );
    return rows;
  });
  assert.equal(lost, []);
});

/** Rows that the service deletes when it has done what they are for. */
const PASSING: ReadonlySet<string> = new Set([
  'app.lease',
  'app.noted_access',
  'app.rate_limit',
  'app.submission',
  'app.submission_chunk',
]);

test('no other row of `app` is lost', async () => {
  const tables = Object.keys(copy.rows).filter(
    (table) => table.startsWith('app.') && !PASSING.has(table),
  );
  assert.ok(tables.length > 0);
  await onDatabaseIn(directory.path, async (client) => {
    for (const table of tables) {
      const { rows: keys } = await client.query<{ key: string }>(
        `select string_agg(quote_ident(attname), ', ') as key
           from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
           where indrelid = $1::regclass and indisprimary`,
        [table],
      );
      const key = keys[0]?.key ?? '';
      const { rows: lost } = await client.query(
        `select ${key} from json_populate_recordset(null::${table}, $1)
           except select ${key} from ${table}`,
        [copy.rows[table]],
      );
      assert.equal(lost, [], table);
    }
  });
});

test('keys work, and those that were revoked or are limited to addresses are refused', async () => {
  const [{ token } = { token: '' }] = expected.receipts;
  const { bound, revoked } = expected.refusedTokens;
  const send = async (by: string) => (await post(url, by, { resourceType: 'Bundle' })).status;
  assert.equal([await send(token), await send(bound), await send(revoked)], [202, 403, 401]);
});

test('each receipt says at its address what it said', async () => {
  for (const { path, token, receipt } of expected.receipts)
    assertSaysStill(await (await poll(`${url}${path}`, token)).json(), receipt, path);
});

test('each proof proves the same event, and the earlier ones still hold', async () => {
  const keys = (await (await fetch(`${url}/log/keys`)).text())
    .split('\n')
    .flatMap((line) => parseKeyOfKind('note', line) ?? []);
  for (const { path, token, proof } of expected.proofs) {
    const now = await (await poll(`${url}${path}/proof`, token)).json();
    const [proved, earlier] = [now, proof].map((one) =>
      keys.map((key) => checkEventProof(one, key)).find(({ kind }) => kind === 'proved'),
    );
    assert.ok(proved?.kind === 'proved' && earlier?.kind === 'proved', path);
    assert.equal([proved.event, proved.index], [earlier.event, earlier.index]);
  }
});

test('each record has the history that it had', async () => {
  assert.ok(expected.histories.length > 0);
  for (const { id, practiceId, history } of expected.histories) {
    const now = await commands.historyOfRecord(practiceId, id, null);
    assertSaysStill(JSON.parse(JSON.stringify(now)), history, id);
  }
});

test('a password signs in, with a code or a recovery code as the second step', async () => {
  for (const email of [people.admin, people.provider, people.viewer, people.scribe])
    assert.match(await signInTo(url, email), /^\/registry/);
  const { app, recoveryCodes } = expected.factors;
  for (const code of [generateSync({ secret: app }), recoveryCodes[0] ?? '']) {
    const person = newPerson(url);
    assert.match(await signInTo(url, people.withApp, person), /^\/sign-in\/code/);
    assert.match(await person.submit('/sign-in/code', { typed: { code } }), /^\/registry/);
  }
});

test('a passkey signs in', () => signInByPasskey(url, expected.factors.passkey));

const lea = newPerson(url, unfinished.cookie);

test('who was signed in still is, and finds the draft and the pre-fill', async () => {
  await lea.open('/registry');
  assert.match(await lea.open(unfinished.draft), 'Typed L-draft');
  assert.match(await lea.open(unfinished.prefill), 'E-kept');
});

test('what was queued or half recorded reaches its end', async () => {
  const counts = [];
  for (const { path, token } of unfinished.submissions) {
    const receipt = await receiptAt(`${url}${path}`, token);
    if (receipt.status !== 'completed') throw new Error(receipt.status);
    const { accepted, rejected } = receipt.outcome;
    counts.push([accepted.length, rejected.length]);
  }
  assert.equal(counts, [
    [1, 220],
    [1, 0],
  ]);
});

/** Waits for the page of an import. */
const eventuallyShows = (check: string, heading: string) =>
  eventually(`${check} shows ${heading}`, async () =>
    (await lea.open(`${check}/progress`)).includes(heading),
  );

test('imports that were queued or being undone reach their ends, and a staged one can be confirmed', async () => {
  await eventuallyShows(unfinished.queuedImport, 'Import finished');
  await eventuallyShows(unfinished.undoneImport, 'Import undone');
  const { stagedImport } = unfinished;
  await lea.submit(stagedImport, { to: `${stagedImport}/confirm` });
  await eventuallyShows(stagedImport, 'Import finished');
});

test('a merge of providers that was begun can be finished', async () => {
  const { practiceId, absorbed, survivor } = unfinished.merge;
  await commands.providers.merge({ practiceId, absorbed, survivor });
  const { state } = await commands.history(practiceId, 'L-4', null);
  assert.is(state?.courseOfCare.attendant, survivor);
});

test('the log is sound but for the stream that was parked', async () => {
  const streams = (problems: readonly { readonly stream: string | null }[]) => [
    ...new Set(problems.map(({ stream }) => stream)),
  ];
  // An auditor has kept the checkpoint of the release.
  const { problems } = await commands.verify(undefined, expected.checkpoint);
  assert.equal(streams(problems), streams(expected.problems));
  assert.is(streams(expected.problems).length, 1);
});

test('the read tables are what a rebuild makes of the log', async () => {
  assert.equal((await commands.rebuild('compare')).differences, []);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createExportReads } from '../../adapters/postgres/read-model/exportable-records.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { asObject, asObjects, type JsonObject } from '../../domain/fhir/json.ts';
import { newPractice, push, sharedTestService, type TestService } from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';
import { chartOf, exportedBy } from '../support/exported-file.ts';
import { newPartnerFeed } from '../support/partners.ts';

const exporting = suite<{ service: TestService; stores: Stores }>('what the operator exports');
exporting.before(async (context) => {
  context.service = await sharedTestService();
  context.stores = await openStores(context.service.settings, 'command', openServiceLog('silent'));
});
exporting.after(async ({ service, stores }) => {
  await stores.close();
  await service.stop();
});

const compositionOf = (bundle: JsonObject | undefined): JsonObject =>
  asObject(asObjects(bundle?.['entry'])[0]?.['resource']);

/** The mother has no name unless one is given: no two births look alike. */
const birth = (chartNumber: string, parts: Parameters<typeof birthBundle>[0] = {}): JsonObject =>
  birthBundle({ chartNumber, mother: { family: null, given: [] }, ...parts });

const sent = async (service: TestService, token: string, bundle: unknown): Promise<string> => {
  const receipt = await push(service.url, token, bundle);
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  const [entry] = receipt.outcome.accepted;
  if (entry === undefined) throw new Error(JSON.stringify(receipt.outcome.rejected));
  return entry.submission_uuid;
};

exporting('a record is one document Bundle, with its chart number and stamp', async (context) => {
  const { service } = context;
  const { token, practiceId } = await newPractice(service.commands);
  await sent(service, token, birth('EXP-1', { lastUpdated: '2026-03-12T10:00:00Z' }));
  const [bundle, ...more] = await exportedBy(service, practiceId);
  assert.equal(more, []);
  assert.is(chartOf(bundle ?? {}), 'EXP-1');
  assert.is(asObject(bundle?.['meta'])['lastUpdated'], '2026-03-12T10:00:00Z');
  assert.is(compositionOf(bundle)['status'], 'final');
});

exporting('another practice’s records are not in the file', async ({ service }) => {
  const { token } = await newPractice(service.commands);
  await sent(service, token, birth('EXP-2'));
  const stranger = await newPractice(service.commands);
  assert.equal(await exportedBy(service, stranger.practiceId), []);
});

exporting('what was voided leaves as a Bundle that voids', async ({ service }) => {
  const { token, practiceId } = await newPractice(service.commands);
  await sent(service, token, birth('EXP-3'));
  await sent(service, token, birth('EXP-3', { composition: { status: 'entered-in-error' } }));
  const bundles = await exportedBy(service, practiceId);
  assert.equal(
    bundles.map((bundle) => compositionOf(bundle)['status']),
    ['entered-in-error'],
  );
});

exporting(
  'pages hold each record once, oldest change first, and follow what changes meanwhile',
  async ({ service, stores }) => {
    const { token, practiceId } = await newPractice(service.commands);
    const charts = Array.from({ length: 7 }, (_, index) => `PAGE-${index}`);
    for (const chart of charts) await sent(service, token, birth(chart));
    const pageAfter = (position: string | undefined) =>
      createExportReads(stores.db).readChangedRecords(practiceId, null, position ?? null, 3);
    const chartsOf = (page: Awaited<ReturnType<typeof pageAfter>>) =>
      page.map(({ course }) => course.chart_number);
    const first = await pageAfter(undefined);
    assert.equal(chartsOf(first), charts.slice(0, 3));
    // One that was on the page already, one that is still to come, and one that is new.
    for (const chart of ['PAGE-1', 'PAGE-5', 'PAGE-7'])
      await sent(service, token, birth(chart, { children: [{ weight: 3_111 }] }));
    const second = await pageAfter(first.at(-1)?.position);
    assert.equal(chartsOf(second), ['PAGE-3', 'PAGE-4', 'PAGE-6']);
    const third = await pageAfter(second.at(-1)?.position);
    assert.equal(chartsOf(third), ['PAGE-1', 'PAGE-5', 'PAGE-7']);
    assert.is(third[0]?.course.children[0]?.birth_weight_grams, 3_111, 'in its new version');
    assert.equal(await pageAfter(third.at(-1)?.position), []);
  },
);

exporting(
  'an export asks for changes since an instant, that instant included',
  async ({ service, stores }) => {
    const { token, practiceId } = await newPractice(service.commands);
    await sent(service, token, birth('SINCE-1'));
    const [first] = await createExportReads(stores.db).readChangedRecords(
      practiceId,
      null,
      null,
      1,
    );
    const since = first?.changedAt ?? new Date(Number.NaN);
    await sent(service, token, birth('SINCE-2'));
    const chartsSince = async (instant: Date) =>
      (await exportedBy(service, practiceId, instant)).map(chartOf);
    assert.equal(await chartsSince(since), ['SINCE-1', 'SINCE-2']);
    assert.equal(await chartsSince(new Date(since.getTime() + 1)), ['SINCE-2']);
    assert.equal(await chartsSince(new Date('2999-01-01T00:00:00Z')), []);
    await sent(service, token, birth('SINCE-1', { composition: { status: 'entered-in-error' } }));
    assert.equal(
      await chartsSince(new Date(since.getTime() + 1)),
      ['SINCE-2', 'SINCE-1'],
      'a void is a change',
    );
  },
);

exporting('the lines of a file can be pushed as a batch', async ({ service }) => {
  const { token, practiceId } = await newPractice(service.commands);
  await sent(service, token, birth('BACK-1'));
  await sent(service, token, birth('BACK-2', { children: [{ order: 1 }, { order: 2 }] }));
  const receipt = await push(service.url, token, batchOf(await exportedBy(service, practiceId)));
  assert.is(receipt.status, 'completed');
  if (receipt.status === 'completed') assert.equal([receipt.accepted, receipt.rejected], [2, 0]);
});

exporting(
  'without a chart number it comes back as another record, flagged',
  async ({ service }) => {
    const { token, practiceId } = await newPractice(service.commands);
    const id = await sent(service, token, birthBundle({ chartNumber: null }));
    const [bundle] = await exportedBy(service, practiceId);
    const receipt = await push(service.url, token, bundle);
    if (receipt.status !== 'completed') throw new Error(receipt.status);
    const [entry] = receipt.outcome.accepted;
    assert.is.not(entry?.submission_uuid, id);
    assert.is(entry?.suspected_duplicate, true);
  },
);

exporting('every record that leaves is in the access log, with its version', async (context) => {
  const { service } = context;
  const { token, practiceId } = await newPractice(service.commands);
  const id = await sent(service, token, birth('LOG-1'));
  await sent(service, token, birth('LOG-1', { children: [{ weight: 3_000 }] }));
  await exportedBy(service, practiceId);
  await exportedBy(service, practiceId, new Date('2020-01-01T00:00:00Z'));
  await exportedBy(service, practiceId, new Date('2999-01-01T00:00:00Z'));
  const query = { person: null, record: null, kind: 'exports' } as const;
  const { entries } = await service.commands.accessLog(practiceId, query);
  assert.equal(
    entries.map(({ type, actor, exported, filters }) => [type, actor.kind, exported, filters]),
    [
      ['DataExported', 'operator', 'records-command', ['since']],
      ['DataExported', 'operator', 'records-command', ['since']],
      ['DataExported', 'operator', 'records-command', []],
    ],
  );
  const ofRecord = await service.commands.accessLog(null, { ...query, record: id });
  assert.equal(
    ofRecord.entries.map(({ type, exported, purpose }) => [type, exported, purpose]),
    [
      ['RecordsExported', 'records-command', 'exporting'],
      ['RecordsExported', 'records-command', 'exporting'],
    ],
  );
  const row = await context.stores.db
    .selectFrom('read.record_export')
    .select('version')
    .where('record_id', '=', id)
    .executeTakeFirst();
  assert.is(row?.version, 2);
});

exporting(
  'a record of the practice that a partner has amended leaves with what both said',
  async ({ service }) => {
    const { token, practiceId } = await newPractice(service.commands);
    const feed = await newPartnerFeed(service.commands, practiceId);
    const mother = { family: 'Qzxvbhkwfamily', given: ['Qzxvbhkwgiven'] };
    await sent(service, token, birth('PART-1', { mother }));
    await sent(service, feed, birth('PART-1', { children: [{ weight: 3_210 }] }));
    const text = JSON.stringify(await exportedBy(service, practiceId));
    assert.ok(text.includes('Qzxvbhkwfamily'), 'what the practice knows');
    assert.ok(text.includes('3210'), 'what the partner sent');
  },
);

exporting.run();

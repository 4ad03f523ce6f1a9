import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import type { Example } from '../../adapters/postgres/rebuild/rehearsal-report.ts';
import { RULES, type Rules } from '../../adapters/postgres/rebuild/rehearsal-rules.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import { rehearse } from '../../api/operator/rehearse.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import {
  newPractice,
  openTestConnection,
  push,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';
import { newPartnerFeed } from '../support/partners.ts';

interface Context {
  service: TestService;
  db: Db;
  practice: { readonly token: string };
  /** Ids of the records, by their chart numbers. */
  records: Readonly<Record<string, string>>;
  stop: () => Promise<void>;
}

const rehearsal = suite<Context>('a rehearsal of rules on the past');
const silent = openServiceLog('silent');

const HOME = '408839006';

rehearsal.before(async (context) => {
  const service = await startTestService();
  const { commands, url } = service;
  const { practiceId, token } = await newPractice(commands);
  const records: Record<string, string> = {};
  const sent = async (chartNumber: string, family: string, given: string, place?: string) => {
    const bundle = birthBundle({
      chartNumber,
      mother: { family, given: [given] },
      ...(place === undefined ? {} : { place }),
    });
    const receipt = await push(url, token, bundle);
    if (receipt.status !== 'completed') throw new Error(receipt.status);
    records[chartNumber] = receipt.outcome.accepted[0]?.submission_uuid ?? '';
  };
  await sent('A', 'Marin', 'Rosa');
  await sent('B', 'Marin', 'Lia');
  await sent('C', 'Okoye', 'Ada', HOME);
  await sent('D', 'Okoye', 'Ada');
  await sent('E', 'Soto', 'Ines', HOME);
  // A partner's record is de-identified: it cannot be compared again.
  const feed = await newPartnerFeed(commands, practiceId);
  await push(url, feed, birthBundle({ chartNumber: 'P', place: HOME }));
  await push(url, token, birthBundle({ chartNumber: 'R', mother: null }));
  const db = openTestConnection(service);
  Object.assign(context, {
    service,
    practice: { token },
    db,
    records,
    stop: async () => {
      await db.destroy();
      await service.stop();
    },
  });
});
rehearsal.after(({ stop }) => stop());

const rehearsed = (service: TestService, rules: Partial<Rules> = {}) =>
  rehearse(service.settings, silent, NO_REPORTER, { ...RULES, ...rules });

const NOTHING = {
  mapping: { records: 0, refused: 0, fields: {} },
  flags: { found: 0, lost: 0 },
  figures: { records: 0 },
  tables: {},
};

rehearsal('by the rules that decided it, nothing would change', async ({ service }) => {
  const report = await rehearsed(service);
  assert.equal(report.changes, NOTHING);
  assert.equal(report.examples, []);
  assert.is(report.records, 6);
  assert.equal(report.notDecided, { refused: 1, notCompared: 1, tooCommon: 0 });
});

rehearsal('another place of birth: exactly the records that it is about', async (context) => {
  const { service, records } = context;
  const report = await rehearsed(service, {
    mapCourse: (...submitted) => {
      const mapped = RULES.mapCourse(...submitted);
      if (mapped.kind !== 'course' || mapped.course.place_of_birth !== 'Home') return mapped;
      return { ...mapped, course: { ...mapped.course, place_of_birth: 'Other' } };
    },
  });
  assert.equal(report.changes, {
    ...NOTHING,
    mapping: { records: 3, refused: 0, fields: { place_of_birth: 3 } },
  });
  const changed = report.examples.map((one) => (one.kind === 'mapping' ? one.record : one.kind));
  for (const chart of ['C', 'E']) assert.ok(changed.includes(records[chart] ?? ''), chart);
  for (const chart of ['A', 'B', 'D']) assert.not(changed.includes(records[chart] ?? ''), chart);
});

/** The two records of a pair, in whatever order. */
const pairOf = (example: Example | undefined): string =>
  example !== undefined && 'records' in example ? example.records.toSorted().join() : '';

rehearsal('another rule for duplicates: exactly the pairs that it finds', async (context) => {
  const { service, records } = context;
  const report = await rehearsed(service, {
    // By the family name alone.
    fingerprintTexts: (course, offsetAt) =>
      RULES.fingerprintTexts(
        { ...course, mother: { ...course.mother, given_names: [] } },
        offsetAt,
      ),
  });
  assert.equal(report.changes, { ...NOTHING, flags: { found: 1, lost: 0 } });
  const [found] = report.examples;
  assert.is(found?.kind, 'flag-found');
  assert.is(pairOf(found), [records['A'], records['B']].toSorted().join());

  const none = await rehearsed(service, { fingerprintTexts: () => [] });
  assert.equal(none.changes, { ...NOTHING, flags: { found: 0, lost: 1 } });
  assert.is(pairOf(none.examples[0]), [records['C'], records['D']].toSorted().join());
});

rehearsal('what a killed one has left is dropped by a rebuild', async ({ service, db }) => {
  await sql`create schema read_rehearsal`.execute(db);
  await service.commands.rebuild('compare');
  const { rows } = await sql`
    select nspname from pg_namespace where nspname = 'read_rehearsal'`.execute(db);
  assert.equal(rows, []);
});

rehearsal('one that is stopped leaves nothing', async ({ service, db }) => {
  const stopped = await rehearse(
    service.settings,
    silent,
    NO_REPORTER,
    RULES,
    AbortSignal.abort(new Error('stopped')),
  ).catch((error: Error) => error.message);
  assert.is(stopped, 'stopped');
  const { rows } = await sql`
    select nspname from pg_namespace where nspname = 'read_rehearsal'`.execute(db);
  assert.equal(rows, []);
});

rehearsal('a rule by which too many look alike is told, not its pairs', async (context) => {
  const { service, practice } = context;
  const births = Array.from({ length: 51 }, (_, n) =>
    birthBundle({ chartNumber: `M-${n}`, mother: { family: 'Berg', given: [`Ida ${n}`] } }),
  );
  await push(service.url, practice.token, batchOf(births));
  const report = await rehearsed(service, {
    fingerprintTexts: (course, offsetAt) =>
      RULES.fingerprintTexts(
        { ...course, mother: { ...course.mother, given_names: [] } },
        offsetAt,
      ),
  });
  assert.ok(report.notDecided.tooCommon > 0);
  assert.is(report.changes.flags.found, 1);
});

rehearsal('tables of another build are compared in what both have', async (context) => {
  const { service, db, records } = context;
  await sql`alter table read.birth_record drop column is_prefilled cascade`.execute(db);
  await sql`
    update read.statistics_fact set place = 'Home' where submission_uuid = ${records['A']}`.execute(
    db,
  );
  const report = await rehearsed(service);
  assert.equal(report.changes, {
    ...NOTHING,
    figures: { records: 1 },
    tables: { statistics_fact: 1 },
  });
  const [row] = report.examples;
  assert.equal(row, {
    kind: 'table',
    table: 'statistics_fact',
    row: { submission_uuid: records['A'], part: 0 },
    would: 'change',
    columns: ['place'],
  });
  const { rows } = await sql<{ schemas: string }>`
    select count(*) as schemas from pg_namespace where nspname = 'read_rehearsal'`.execute(db);
  assert.is(rows[0]?.schemas, '0', 'nothing of it is left');
});

rehearsal.run();

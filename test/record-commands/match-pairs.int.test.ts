import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPairReads } from '../../adapters/postgres/read-model/suspected-pairs.ts';
import { createWorkItems } from '../../adapters/postgres/read-model/work-items.ts';
import { buildFingerprints } from '../../api/admission/course-content.ts';
import type { CourseToSave } from '../../api/record-commands/save-course.ts';
import { isRuleV1 } from '../../domain/birth-record/duplicates/fingerprint.ts';
import { findFirstFingerprintKey } from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import { type KnownBirthRecord, recordFold } from '../../domain/birth-record/state.ts';
import { emptyCourseOfCare } from '../../domain/course/course.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { stateAfter } from '../../domain/fold.ts';
import { recordStream } from '../../domain/stream-names.ts';
import type { WorkFilter, WorkSeat } from '../../projections/lists/work-items.ts';
import {
  newPractice,
  push,
  startWritingService,
  type TestPractice,
  type WritingService,
} from '../harness/service.ts';
import { type BirthParts, birthBundle, courseOf, retractionBundle } from '../support/bundles.ts';
import { newPartnerFeed } from '../support/partners.ts';

/** Look-alikes on a running service: what catches them, which pairs are open, and who says so. */

const pairs = suite<{ service: WritingService; practice: TestPractice }>('pairs of look-alikes');

pairs.before(async (context) => {
  context.service = await startWritingService();
});
pairs.before.each(async (context) => {
  context.practice = await newPractice(context.service.commands);
});
pairs.after(({ service }) => service.stop());

type Context = Parameters<Parameters<typeof pairs>[1]>[0];

const ACTOR = { kind: 'member', id: 'midwife' } as const;
const ROSA = { family: 'Marin', given: ['Rosa'] };

const acceptedOf = async ({ service, practice }: Context, bundle: JsonObject, token?: string) => {
  const receipt = await push(service.url, token ?? practice.token, bundle);
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  const [accepted] = receipt.outcome.accepted;
  if (accepted === undefined) throw new Error(JSON.stringify(receipt.outcome.rejected));
  return accepted;
};

const pushed = async (context: Context, parts: BirthParts): Promise<string> =>
  (await acceptedOf(context, birthBundle(parts))).submission_uuid;

const stateOf = async ({ service }: Context, record: string): Promise<KnownBirthRecord> => {
  const { log, identity, db } = service.stores;
  const row = await db
    .selectFrom('read.birth_record')
    .select('stream')
    .where('submission_uuid', '=', record)
    .executeTakeFirst();
  const stream = row?.stream ?? recordStream(identity.submissionHash(record));
  const state = stateAfter(await log.readStream(stream), recordFold);
  if (state.status === 'none') throw new Error('There is no such record.');
  return state;
};

const SEAT = (practiceId: string): WorkSeat => ({
  practiceId,
  memberId: 'ana',
  today: '2026-05-20',
  now: new Date('2026-05-20T12:00:00.000Z'),
  neededItems: [],
  daysUntilDue: null,
  isAdmin: false,
});
const ONLY_PAIRS: WorkFilter = {
  kind: 'duplicate',
  isMine: false,
  isLate: false,
  isDismissed: false,
};

/** What a person sees of open pairs everywhere: the page, Home, and the history of each record. */
const openPairs = async ({ service, practice }: Context, records: readonly string[]) => {
  const { practiceId } = practice;
  const { db } = service.stores;
  const listed = await createPairReads(db).listSuspected(practiceId);
  const { items } = await createWorkItems(db).find(SEAT(practiceId), ONLY_PAIRS, {
    skip: 0,
    most: 50,
  });
  const { pairs: toDecide } = await createWorkItems(db).details(practiceId, items);
  const suspected = await Promise.all(
    records.map(async (record) => {
      const { state } = await service.commands.historyOfRecord(practiceId, record, null);
      return state?.suspectedDuplicate;
    }),
  );
  const name = (record: string) => 'ABCDE'[records.indexOf(record)];
  return {
    pairs: listed.map(({ newer, older }) => `${name(newer)}-${name(older)}`).sort(),
    home: [...toDecide.values()].flat().length,
    suspected: records.filter((_, index) => suspected[index]).map(name),
  };
};

const toChange = ({ practice }: Context, submissionUuid: string) => ({
  practiceId: practice.practiceId,
  submissionUuid,
  actor: ACTOR,
  correlationId: 'test',
});

const voided = async (context: Context, record: string): Promise<void> => {
  const { version } = await stateOf(context, record);
  const command = { version, reason: 'Entered twice' };
  const changed = await context.service.writes.voidRecord(toChange(context, record), command);
  assert.is(changed.kind, 'done');
};

const save = (context: Context, changes: Partial<CourseToSave>) =>
  context.service.writes.saveCourse({
    practiceId: context.practice.practiceId,
    actor: ACTOR,
    correlationId: 'test',
    source: 'manual',
    submissionId: randomUUID(),
    target: { kind: 'new' },
    overrule: false,
    course: emptyCourseOfCare(),
    ...changes,
  });

const corrected = async (context: Context, record: string): Promise<void> => {
  const { version, course } = await stateOf(context, record);
  const saved = await save(context, {
    target: { kind: 'correct', submissionUuid: record, version },
    course: { ...course, place_of_birth: 'Home', stamp: null, ig_version: null },
  });
  assert.is(saved.kind, 'saved');
};

pairs(
  'a record of a partner that a person has corrected still catches look-alikes',
  async (context) => {
    const { practiceId } = context.practice;
    const token = await newPartnerFeed(context.service.commands, practiceId);
    const sent = (chartNumber: string) =>
      acceptedOf(context, birthBundle({ chartNumber, mother: ROSA }), token);
    const first = await sent('P-1');
    await corrected(context, first.submission_uuid);
    const { course } = await stateOf(context, first.submission_uuid);
    assert.equal([course.place_of_birth, course.mother.family_name], ['Home', null]);
    assert.is((await sent('P-2')).suspected_duplicate, true);
  },
);

pairs(
  'a voided record of a partner that is sent again without a name looks like what it did',
  async (context) => {
    const { commands } = context.service;
    const token = await newPartnerFeed(commands, context.practice.practiceId);
    const sent = (chartNumber: string, mother: NonNullable<BirthParts['mother']>) =>
      acceptedOf(context, birthBundle({ chartNumber, mother }), token);
    await sent('P-1', ROSA);
    const twin = await sent('P-2', ROSA);
    await voided(context, twin.submission_uuid);
    assert.is((await sent('P-2', { family: null, given: [] })).suspected_duplicate, true);
  },
);

pairs(
  'two of three look-alikes are a pair when the oldest is voided, until it comes back',
  async (context) => {
    const parts = (chartNumber: string | null): BirthParts => ({ chartNumber, mother: ROSA });
    const a = await pushed(context, parts('A-1'));
    const b = await pushed(context, parts(null));
    const c = await pushed(context, parts(null));
    const told = () => openPairs(context, [a, b, c]);
    assert.equal(await told(), { pairs: ['B-A', 'C-A'], home: 2, suspected: ['B', 'C'] });
    await voided(context, a);
    assert.equal(await told(), { pairs: ['C-B'], home: 1, suspected: ['C'] });

    const { dismissDuplicate, restoreDuplicateFlag } = context.service.writes;
    assert.is((await dismissDuplicate(toChange(context, c), b)).kind, 'done');
    assert.equal(await told(), { pairs: [], home: 0, suspected: [] });
    // Brought back, the first one makes two pairs again; the one that was decided on stays closed.
    assert.is(await pushed(context, parts('A-1')), a);
    assert.equal(await told(), { pairs: ['B-A', 'C-A'], home: 2, suspected: ['B', 'C'] });
    const listed = await createPairReads(context.service.stores.db).listDismissed(
      context.practice.practiceId,
      new Date(0),
      10,
    );
    assert.equal(
      listed.map(({ newer, older }) => [newer.submissionUuid, older.submissionUuid]),
      [[c, b]],
    );
    await voided(context, a);
    assert.is((await restoreDuplicateFlag(toChange(context, c), b)).kind, 'done');
    assert.equal(await told(), { pairs: ['C-B'], home: 1, suspected: ['C'] });

    const verified = await context.service.commands.verify();
    assert.equal(verified.problems, []);
    const compared = await context.service.commands.rebuild('compare');
    assert.equal(compared.differences, []);
  },
);

pairs('the history of a moment tells the pairs of that moment', async (context) => {
  const a = await pushed(context, { chartNumber: 'A-1', mother: ROSA });
  const b = await pushed(context, { chartNumber: 'B-1', mother: ROSA });
  const then = new Date();
  await voided(context, a);
  const { practiceId } = context.practice;
  const at = async (asOf: Date | null) =>
    (await context.service.commands.historyOfRecord(practiceId, b, asOf)).state?.suspectedDuplicate;
  assert.equal([await at(then), await at(null)], [true, false]);
});

pairs(
  'a birth typed without seconds, pushed in local time and in UTC is one birth',
  async (context) => {
    const { practiceId } = context.practice;
    await context.service.commands.practices.set(practiceId, {
      sandbox: null,
      beta: null,
      timeZone: 'America/Chicago',
    });
    const bornAt = (birthTime: string) =>
      birthBundle({ chartNumber: null, mother: ROSA, children: [{ birthTime }] });
    const typed = await save(context, { course: courseOf(bornAt('2026-03-12T04:31')) });
    assert.is(typed.kind, 'saved');
    for (const birthTime of [
      '2026-03-12T04:31:27-05:00',
      '2026-03-12T09:31:05Z',
      '2026-03-12T04:31:59',
    ])
      assert.is(
        (await acceptedOf(context, bornAt(birthTime))).suspected_duplicate,
        true,
        birthTime,
      );
    assert.is(
      (await acceptedOf(context, bornAt('2026-03-12T10:31:00Z'))).suspected_duplicate,
      undefined,
    );
  },
);

/** Appends the first version of a record as version 0.1 wrote it. */
const recordedBefore = async (
  { service, practice }: Context,
  parts: BirthParts,
  changes: {
    readonly stamp?: string;
    readonly isHeld?: (fingerprint: string) => boolean;
  } = {},
): Promise<string> => {
  const { log, identity } = service.stores;
  const { practiceId } = practice;
  const { stamp = null, isHeld = isRuleV1 } = changes;
  const read = courseOf(birthBundle(parts));
  const course = { ...read, stamp };
  const submissionUuid = randomUUID();
  const keys = { current: [findFirstFingerprintKey(identity.fingerprint)], older: [] };
  const { fingerprints } = buildFingerprints(course, practiceId, keys, null);
  const hash = identity.recordHash(practiceId, course.chart_number ?? '');
  await log.append(
    recordStream(hash),
    'no-stream',
    [
      {
        id: randomUUID(),
        event: {
          type: 'BirthRecorded',
          data: {
            submissionUuid,
            practiceId,
            version: 1,
            source: 'fhir_push',
            keyKind: 'native',
            course,
            providers: [],
            stamp,
            mark: null,
            fingerprints: fingerprints.filter(isHeld),
          },
        },
      },
    ],
    { correlationId: 'test', causationId: null, actor: { kind: 'key', id: 'key' } },
  );
  return submissionUuid;
};

pairs('a record of version 0.1 is caught where it was caught before', async (context) => {
  const parts = (chartNumber: string, birthTime: string): BirthParts => ({
    chartNumber,
    mother: ROSA,
    children: [{ birthTime }],
  });
  const a = await recordedBefore(context, parts('A-1', '2026-03-12T04:31:27-05:00'));
  const same = await acceptedOf(context, birthBundle(parts('B-1', '2026-03-12T09:31:27Z')));
  assert.is(same.suspected_duplicate, true);
  assert.equal(await openPairs(context, [a, same.submission_uuid]), {
    pairs: ['B-A'],
    home: 1,
    suspected: ['B'],
  });
});

pairs(
  'a record of the second rule is found, however the apostrophe of a name is written now',
  async (context) => {
    const parts = (chartNumber: string, family: string): BirthParts => ({
      chartNumber,
      mother: { ...ROSA, family },
      children: [{ birthTime: '2026-03-12T04:31:00-05:00' }],
    });
    const isHeld = (fingerprint: string) => !fingerprint.startsWith('3');
    const a = await recordedBefore(context, parts('A-1', 'O’Neill'), { isHeld });
    const straight = await acceptedOf(context, birthBundle(parts('B-1', "O'Neill")));
    assert.is(straight.suspected_duplicate, true);
    const curly = await acceptedOf(context, birthBundle(parts('C-1', 'O’Neill')));
    assert.is(curly.suspected_duplicate, true);
    const ids = [a, straight.submission_uuid, curly.submission_uuid];
    assert.equal((await openPairs(context, ids)).pairs, ['B-A', 'C-A']);
  },
);

pairs('a chart number with a zero-width space is the one without', async (context) => {
  const parts = (chartNumber: string): BirthParts => ({ chartNumber, mother: ROSA });
  const clean = await acceptedOf(context, birthBundle(parts('A-1')));
  const same = await acceptedOf(context, birthBundle(parts('A\u200b-1')));
  assert.equal(
    [same.reference, same.submission_uuid, same.amended],
    ['A-1', clean.submission_uuid, true],
  );
  const retracted = await acceptedOf(context, retractionBundle('A\u200b-1'));
  assert.equal([retracted.submission_uuid, retracted.retracted], [clean.submission_uuid, true]);
});

const yearLater = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

pairs(
  'a stamp of the year 9999 keeps no later update out, not one of version 0.1 either',
  async (context) => {
    const parts = (chartNumber: string, lastUpdated: string, place: string): BirthParts => ({
      chartNumber,
      lastUpdated,
      place,
      mother: ROSA,
      children: [{ birthTime: null }],
    });
    const FAR = '9999-12-31T00:00:00Z';
    const record = await pushed(context, parts('A-1', FAR, '22232009'));
    const { stamp, course } = await stateOf(context, record);
    assert.ok(stamp !== null && stamp < yearLater(1));
    assert.equal(
      course.warnings.map(({ field, reason }) => [field, reason]),
      [['stamp', 'The time is more than 24 hours ahead of its receipt']],
    );
    await corrected(context, record);
    assert.ok(((await stateOf(context, record)).stamp ?? '') < yearLater(1));
    const amended = await acceptedOf(
      context,
      birthBundle(parts('A-1', new Date().toISOString(), '408839006')),
    );
    assert.is(amended.version, 3);

    const held = await recordedBefore(
      context,
      { ...parts('B-1', FAR, '22232009'), mother: { family: 'Berg', given: ['Ida'] } },
      { stamp: '9999-12-31T00:00:00.000000000Z' },
    );
    const later = await acceptedOf(
      context,
      birthBundle({
        ...parts('B-1', new Date().toISOString(), '408839006'),
        mother: { family: 'Berg', given: ['Ida'] },
      }),
    );
    assert.equal([later.submission_uuid, later.version], [held, 2]);
    assert.equal((await context.service.commands.verify()).problems, []);
  },
);

pairs('a correction keeps the declared version of the implementation guide', async (context) => {
  const bundle = birthBundle({ chartNumber: 'A-1', mother: ROSA });
  const profile = 'http://hl7.org/fhir/us/bfdr/StructureDefinition/Bundle-document-bfdr|2.0.0';
  const { submission_uuid: record } = await acceptedOf(context, {
    ...bundle,
    meta: { profile: [profile] },
  });
  await corrected(context, record);
  assert.is((await stateOf(context, record)).course.ig_version, '2.0.0');
});

pairs.run();

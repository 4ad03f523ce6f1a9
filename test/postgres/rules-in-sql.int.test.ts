import fc from 'fast-check';
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { createDecisionReads } from '../../adapters/postgres/read-model/load-records.ts';
import { selectOpenPairs } from '../../adapters/postgres/read-model/suspected-pairs.ts';
import { createWorkItems } from '../../adapters/postgres/read-model/work-items.ts';
import {
  dismissDuplicate,
  isCandidatePair,
  isDismissedPair,
  restoreDuplicateFlag,
} from '../../domain/birth-record/duplicate-decisions.ts';
import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import {
  explainMissingItems,
  giveReason,
  type ItemPlace,
  listItemReasons,
  takeBackReason,
} from '../../domain/birth-record/item-reasons.ts';
import { findPendingRevival, keepRevival } from '../../domain/birth-record/revival-review.ts';
import { type BirthRecord, evolve, noRecord } from '../../domain/birth-record/state.ts';
import { answerQuestions, listOpenQuestions } from '../../domain/birth-record/unusual-values.ts';
import { createWorkingSet, HoldersNotLoaded } from '../../domain/birth-record/working-set.ts';
import { emptyChild } from '../../domain/course/course.ts';
import { findMissingItems } from '../../domain/course/missing-items.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { uuid } from '../support/any-log.ts';
import { courseOfInes } from '../support/birth-records.ts';
import { entryAt } from '../support/in-memory.ts';
import { runs } from '../support/runs.ts';

/** Some rules are written twice: in TypeScript for commands, in SQL for lists. Both have to say the same. */
const rules = databaseSuite('rules that TypeScript and SQL both hold');

const PRACTICE = 'practice';
const RECORDS = [1, 2, 3];
const FINGERPRINTS = ['of-ines', 'of-june'];

const step = fc.record({
  of: fc.constantFrom(...RECORDS),
  other: fc.constantFrom(...RECORDS),
  what: fc.constantFrom(
    'send' as const,
    'send' as const,
    'void' as const,
    'keep' as const,
    'confirm' as const,
    'flag' as const,
    'dismiss' as const,
    'dismiss' as const,
    'flag' as const,
    'reopen' as const,
    'never' as const,
    'later' as const,
    'needed' as const,
  ),
  fingerprints: fc.uniqueArray(fc.constantFrom(...FINGERPRINTS), { minLength: 1, maxLength: 2 }),
  // The lightest and the heaviest are hard to believe.
  weights: fc.array(fc.constantFrom(310, 3_400, 7_900, null), { minLength: 1, maxLength: 2 }),
  place: fc.constantFrom<ItemPlace>(
    { item: 'birth-weight', child: 0 },
    { item: 'birth-weight', child: 0 },
    { item: 'birth-weight', child: 1 },
    { item: 'mother-name', child: null },
  ),
  source: fc.constantFrom('fhir_push' as const, 'manual' as const),
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

type RecordEvent = StoredEvent & { readonly event: BirthRecordEvent };

/** The records of a practice, by number: their events as they are stored. */
type Histories = ReadonlyMap<number, readonly RecordEvent[]>;

const stateOf = (history: readonly RecordEvent[]): BirthRecord =>
  history.reduce((state, { event }) => evolve(state, event), noRecord);

const versionOf = (of: number, version: number, { fingerprints, weights, source }: Step) =>
  ({
    submissionUuid: uuid(of),
    practiceId: PRACTICE,
    version,
    stamp: null,
    source,
    keyKind: 'native',
    fingerprints,
    providers: [],
    mark: null,
    course: {
      ...courseOfInes,
      chart_number: `C-${of}`,
      children: weights.map((birth_weight_grams) => ({
        ...emptyChild(),
        birth_date: '2026-02-12',
        gestational_age_weeks: 39,
        birth_weight_grams,
      })),
    },
  }) satisfies RecordVersion;

/** Events of one step, as the registry would append them; none where it would refuse. */
const eventsOf = (one: Step, histories: Histories): readonly BirthRecordEvent[] => {
  const { of, other: otherOf, what, source, place } = one;
  const history = histories.get(of) ?? [];
  const state = stateOf(history);
  const other = stateOf(histories.get(otherOf) ?? []);
  const events = history.map(({ event }) => event);
  const owner = { submissionUuid: uuid(of), practiceId: PRACTICE, mark: null };
  const pair = { duplicateOf: uuid(otherOf), other, mark: null };
  if (what === 'send')
    return state.status === 'none'
      ? [{ type: 'BirthRecorded', data: versionOf(of, 1, one) }]
      : [{ type: 'BirthAmended', data: versionOf(of, state.version + 1, one) }];
  if (state.status === 'none') return [];
  const decision = (() => {
    switch (what) {
      case 'void':
        return state.status === 'live'
          ? [
              {
                type: 'BirthRetracted' as const,
                data: { ...owner, version: state.version, source },
              },
            ]
          : [];
      case 'flag':
        return isCandidatePair(state, other) && !isDismissedPair(state, other)
          ? [{ type: 'DuplicateFlagged' as const, data: { ...owner, duplicateOf: uuid(otherOf) } }]
          : [];
      case 'keep':
        return keepRevival({ version: findPendingRevival(events)?.version ?? 0 }, events);
      case 'confirm':
        return answerQuestions(
          {
            questions: listOpenQuestions(history)
              .map(({ path }) => path)
              .slice(0, 1),
            answer: source === 'manual' ? 'confirmed' : 'unverified',
          },
          history,
        );
      case 'never':
        return giveReason(
          { items: [place], reason: { kind: 'unobtainable' }, today: TODAY },
          history,
        );
      case 'later':
        return giveReason(
          { items: [place], reason: { kind: 'awaited', until: TOMORROW }, today: TODAY },
          history,
        );
      case 'needed':
        return takeBackReason(place, history);
      case 'dismiss':
        return dismissDuplicate(pair, state);
      case 'reopen':
        return restoreDuplicateFlag(pair, state);
    }
  })();
  if ('kind' in decision) return decision.kind === 'accepted' ? decision.events : [];
  return decision;
};

/** Plays steps into histories, and into the tables. */
const play = async (db: Db, steps: readonly Step[]): Promise<Histories> => {
  const histories = new Map<number, readonly RecordEvent[]>();
  let position = 0n;
  for (const one of steps)
    for (const event of eventsOf(one, histories)) {
      const history = histories.get(one.of) ?? [];
      const entry = entryAt(position, `record-${one.of}`, BigInt(history.length), event);
      if (entry.kind !== 'event') throw new Error('It is an event.');
      await applyChanges(db, 'read', collectChanges(entry.stored));
      histories.set(one.of, [...history, { ...entry.stored, event }]);
      position += 1n;
    }
  return histories;
};

/** Candidate pairs are live, share a fingerprint or a flag, and are not dismissed. */
const compareCandidatePairs = async (db: Db, histories: Histories): Promise<number> => {
  const { rows } = await sql<{ one: string; other: string }>`
    select distinct submission_uuid as one, other_uuid as other from read.look_alike
    order by 1, 2`.execute(db);
  const expected = RECORDS.flatMap((of) =>
    RECORDS.filter((otherOf) => {
      const [one, other] = [of, otherOf].map((n) => stateOf(histories.get(n) ?? []));
      return (
        one !== undefined &&
        other !== undefined &&
        isCandidatePair(one, other) &&
        !isDismissedPair(one, other)
      );
    }).map((otherOf) => ({ one: uuid(of), other: uuid(otherOf) })),
  );
  assert.equal(rows, expected);
  return rows.length;
};

/**
 * The queue has one open pair for each newer record: with the oldest that it may be the same as, or an
 * older one that no flag led to.
 */
const compareOpenPairs = async (db: Db): Promise<number> => {
  const { rows: wrong } = await sql`
    with open as materialized (${selectOpenPairs(PRACTICE)}), alike as materialized (
      select found.submission_uuid as newer, found.other_uuid as older, other.recorded_position,
        one.was_flagged or other.was_flagged as is_flagged
      from read.look_alike found
      join read.birth_record one on one.submission_uuid = found.submission_uuid
      join read.birth_record other on other.submission_uuid = found.other_uuid
      where found.is_newer
    )
    select 'not a pair' as problem from open
    where (newer, older) not in (select newer, older from alike)
    union all
    select 'not the oldest' from alike where is_flagged and not exists (
      select from open join read.birth_record shown on shown.submission_uuid = open.older
      where open.newer = alike.newer and shown.recorded_position <= alike.recorded_position)
    union all
    select 'twice' from open group by newer having count(*) > 1`.execute(db);
  assert.equal(wrong, []);
  const { rows } = await sql`select from (${selectOpenPairs(PRACTICE)}) open`.execute(db);
  return rows.length;
};

/** A working set that was loaded, all at once or as far as is looked, finds what one finds that has decided it all. */
const compareMatches = async (db: Db, histories: Histories): Promise<number> => {
  const decided = createWorkingSet();
  const records = [...histories].map(([of, history]) => ({
    stream: `record-${of}`,
    state: stateOf(history),
    age: history[0]?.position ?? 0n,
  }));
  for (const { stream, state, age } of records)
    decided.put(stream, { state, expectedRevision: 0n, firstPosition: age });
  const loadHolders = createDecisionReads(db).loadFingerprintHolders;
  const matchesOf = (set: typeof decided, most = Number.POSITIVE_INFINITY) =>
    [null, ...RECORDS.map(uuid)].map((except) => {
      const listed = [];
      for (const { dismissedMatches, ...match } of set.matches(FINGERPRINTS, except))
        if (listed.push({ ...match, dismissedMatches: new Set(dismissedMatches) }) === most) break;
      return listed;
    });
  const isHeldIn = (set: typeof decided) => FINGERPRINTS.map(set.hasHolder);
  const all = createWorkingSet();
  all.putFingerprints(FINGERPRINTS, await loadHolders(PRACTICE, FINGERPRINTS, null));
  assert.equal(matchesOf(all), matchesOf(decided));
  assert.equal(isHeldIn(all), isHeldIn(decided));
  for (let most = 1; most <= RECORDS.length; most += 1) {
    const part = createWorkingSet();
    let isCut = false;
    const load = async (fingerprints: readonly string[], count: number): Promise<void> =>
      part.putFingerprints(fingerprints, await loadHolders(PRACTICE, fingerprints, count), count);
    await load(FINGERPRINTS, 1);
    for (let count = 2; ; count += 1)
      try {
        assert.equal(matchesOf(part, most), matchesOf(decided, most));
        assert.equal(isHeldIn(part), isHeldIn(decided));
        break;
      } catch (error) {
        if (!(error instanceof HoldersNotLoaded)) throw error;
        isCut = true;
        await load(error.fingerprints, count);
      }
    if (isCut) partsLoaded += 1;
  }
  return matchesOf(all).flat().length;
};

let partsLoaded = 0;

/** Pending revivals: a Bundle revived what a person had voided. */
const compareRevivals = async (db: Db, histories: Histories): Promise<number> => {
  const { rows } = await sql<{ one: string; version: number }>`
    select submission_uuid as one, next_version as version from read.overruled_void
    order by 1`.execute(db);
  const expected = RECORDS.flatMap((of) => {
    const pending = findPendingRevival((histories.get(of) ?? []).map(({ event }) => event));
    return pending === null ? [] : [{ one: uuid(of), version: pending.version }];
  });
  assert.equal(rows, expected);
  return rows.length;
};

/** Open questions are those of the held version that were never confirmed. */
const compareQuestions = async (db: Db, histories: Histories): Promise<number> => {
  const { rows } = await sql<{ one: string; path: string }>`
    select submission_uuid as one, path from read.open_question
    order by submission_uuid, path collate "C"`.execute(db);
  const expected = RECORDS.flatMap((of) =>
    listOpenQuestions(histories.get(of) ?? [])
      .map(({ path }) => ({ one: uuid(of), path }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
  assert.equal(rows, expected);
  return rows.length;
};

const TODAY = '2026-05-13';
const TOMORROW = '2026-05-14';
const NEEDED = ['mother-name', 'birth-weight'];

/** Missing items on the to-do list are those of the held version without a reason that holds on that day. */
const compareMissingItems = async (db: Db, histories: Histories): Promise<number> => {
  let excusedItems = 0;
  for (const today of [TODAY, TOMORROW]) {
    const seat = {
      practiceId: PRACTICE,
      memberId: 'member',
      today,
      now: new Date(`${today}T12:00:00Z`),
      neededItems: NEEDED,
      daysUntilDue: null,
      isAdmin: false,
    };
    for (const of of RECORDS) {
      const history = histories.get(of) ?? [];
      const state = stateOf(history);
      const course = state.status === 'none' ? courseOfInes : state.course;
      const missing = state.status === 'live' ? findMissingItems(course, NEEDED) : [];
      const { open, excused } = explainMissingItems(
        missing,
        listItemReasons(history),
        course,
        today,
      );
      const listed = await createWorkItems(db).findOne(seat, 'missing', uuid(of));
      assert.equal(listed?.parts ?? [], [...new Set(open.map((one) => one.missing.item.id))]);
      excusedItems += excused.length;
    }
  }
  return excusedItems;
};

const stepOf = (of: number, what: Step['what'], fingerprint = 'of-june'): Step => ({
  ...{ of, what, other: of === 1 ? 3 : 1, fingerprints: [fingerprint] },
  ...{ weights: [310], source: 'fhir_push', place: { item: 'mother-name', child: null } },
});

/** Two records that were flagged as each other, and then no longer have a fingerprint in common. */
const FLAGGED_EACH_OTHER: readonly Step[] = [
  stepOf(3, 'send'),
  stepOf(1, 'send'),
  stepOf(3, 'flag'),
  stepOf(1, 'flag'),
  stepOf(1, 'send', 'of-ines'),
];

/** A Bundle brings back what a person had voided, which is rare among random steps. */
const BROUGHT_BACK: readonly Step[] = [
  stepOf(1, 'send'),
  { ...stepOf(1, 'void'), source: 'manual' },
  stepOf(1, 'send'),
];

rules('say the same of any history', async ({ db }) => {
  const comparisons = [
    compareCandidatePairs,
    compareOpenPairs,
    compareMatches,
    compareRevivals,
    compareQuestions,
    compareMissingItems,
  ];
  const found = comparisons.map(() => 0);
  await ensureReadSchema(db, 'registry');
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 12, maxLength: 40, size: 'max' }),
      async (steps) => {
        // Rolled back, because hundreds of dropped schemas would bloat the catalog.
        const rows = await db.startTransaction().execute();
        try {
          const histories = await play(rows, steps);
          for (const [index, compare] of comparisons.entries())
            found[index] = (found[index] ?? 0) + (await compare(rows, histories));
        } finally {
          await rows.rollback().execute();
        }
      },
    ),
    { ...runs(400), examples: [[FLAGGED_EACH_OTHER], [BROUGHT_BACK]] },
  );
  assert.ok(
    found.every((count) => count > 0),
    `something of each was compared: ${found}`,
  );
  assert.ok(partsLoaded > 0, 'a decision looked further than was loaded');
});

rules.run();

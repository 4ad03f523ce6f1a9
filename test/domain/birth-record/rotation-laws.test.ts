import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatFingerprint } from '../../../domain/birth-record/duplicates/fingerprint.ts';
import {
  type FingerprintKey,
  listFingerprintKeys,
} from '../../../domain/birth-record/duplicates/fingerprint-keys.ts';
import type { KnownBirthRecord } from '../../../domain/birth-record/state.ts';
import {
  createWorkingSet,
  type LoadedRecord,
  type WorkingSet,
} from '../../../domain/birth-record/working-set.ts';
import { maskForPartner } from '../../../domain/course/mask.ts';
import {
  decideItem,
  listComparedFingerprints,
  type SubmissionItem,
} from '../../../domain/submission/decide-item.ts';
import type { QueuedItem } from '../../../domain/submission/queued-item.ts';
import { courseOfInes } from '../../support/birth-records.ts';
import { runs } from '../../support/runs.ts';

/** What the fingerprint keys change of the decisions on records: nothing. */
const laws = suite('laws of a rotation of the fingerprint keys');

const keyOf = (version: number, aloneFrom: string): FingerprintKey => ({
  version,
  aloneFrom,
  hash: (_practiceId, text) => `${text}-${version}`,
});
const KEYS = [keyOf(1, ''), keyOf(2, '2'), keyOf(3, '4')];

/** How a process uses the keys, from before a first rotation to after a second. */
const STAGES = [
  listFingerprintKeys(KEYS.slice(0, 1), '0'),
  listFingerprintKeys(KEYS.slice(0, 2), '1'),
  listFingerprintKeys(KEYS.slice(0, 2), '2'),
  listFingerprintKeys(KEYS, '3'),
  listFingerprintKeys(KEYS, '4'),
] as const;
const [UNROTATED] = STAGES;

/** Births by their seconds; two of them are of one minute. */
const MINUTES: Readonly<Record<string, string>> = { a: 'm', b: 'm', c: 'n' };

const submission = fc.record({
  chart: fc.constantFrom('A', 'B', 'C', 'D'),
  births: fc.constantFrom<string[]>([], ['a'], ['b'], ['c'], ['a', 'c']),
  /** The time zone of the practice by then, in which minutes are read. */
  zone: fc.constantFrom('east', 'west'),
  lane: fc.constantFrom('native', 'partner', null),
  isIdentified: fc.boolean(),
  isRetraction: fc.boolean(),
  /** The next stage is reached before it was mapped. */
  advances: fc.boolean(),
  /** It was mapped a stage earlier, and has waited. */
  hasWaited: fc.boolean(),
});
type Submission = typeof submission extends fc.Arbitrary<infer T> ? T : never;
const history = fc.array(submission, { maxLength: 25 });

const fingerprintsUnder = (
  keys: readonly FingerprintKey[],
  { births, zone }: Pick<Submission, 'births' | 'zone'>,
) =>
  keys.flatMap(({ version, hash }) => [
    ...births.map((birth) => formatFingerprint(1, version, hash('practice', birth))),
    ...[...new Set(births.map((birth) => `${MINUTES[birth]} ${zone}`))].map((minute) =>
      formatFingerprint(2, version, hash('practice', minute)),
    ),
  ]);

const courseOf = (
  sent: Omit<Submission, 'chart'> & { readonly chart: string },
  position: number,
  { current, older }: (typeof STAGES)[number],
): SubmissionItem => {
  const { chart, lane, isIdentified, isRetraction } = sent;
  const head = { position, reference: chart, recordHash: chart, stamp: null };
  const named = { ...courseOfInes, mother: { ...courseOfInes.mother, family_name: 'Amaral' } };
  const course = isIdentified ? named : courseOfInes;
  const queued: QueuedItem = isRetraction
    ? { kind: 'retraction', ...head }
    : {
        kind: 'course',
        ...head,
        course: lane === 'partner' ? maskForPartner(course) : course,
        providers: [],
        partnerId: null,
        fingerprints: fingerprintsUnder(current, sent),
        ...(older.length > 0 && { olderFingerprints: fingerprintsUnder(older, sent) }),
      };
  return {
    queued,
    stream: chart,
    practiceId: 'practice',
    keyKind: lane,
    source: 'fhir_push',
    submissionUuid: `uuid-${position}`,
    mark: { ingestionId: 'any', position },
    receivedAt: '2026-05-13T11:00:00Z',
  };
};

/** Courses as they come to be decided while the keys are rotated twice. */
const whileRotating = (sent: readonly Submission[]): readonly SubmissionItem[] => {
  let stage = 0;
  return sent.map((one, position) => {
    if (one.advances) stage = Math.min(stage + 1, STAGES.length - 1);
    const mappedAt = one.hasWaited ? Math.max(stage - 1, 0) : stage;
    return courseOf(one, position, STAGES[mappedAt] ?? UNROTATED);
  });
};

const known = (records: ReadonlyMap<string, LoadedRecord>): readonly KnownBirthRecord[] =>
  [...records.values()].flatMap(({ state }) => (state.status === 'none' ? [] : [state]));

/** Which live records share a fingerprint, as the read tables tell it. */
const pairsAmong = (records: ReadonlyMap<string, LoadedRecord>): readonly string[] => {
  const live = known(records).filter(({ status }) => status === 'live');
  return live.flatMap((one) =>
    live.flatMap((other) =>
      one.submissionUuid < other.submissionUuid &&
      one.fingerprints.some((fingerprint) => other.fingerprints.includes(fingerprint))
        ? [`${one.submissionUuid} ${other.submissionUuid}`]
        : [],
    ),
  );
};

/** Decides courses one after the other. @param ledgerFor gives the ledger for the next of them */
const run = (
  courses: readonly SubmissionItem[],
  ledgerFor: (course: SubmissionItem, records: ReadonlyMap<string, LoadedRecord>) => WorkingSet,
) => {
  const records = new Map<string, LoadedRecord>();
  const told = courses.map((course) => {
    const ledger = ledgerFor(course, records);
    const { accepted, rejected, events } = decideItem(course, ledger);
    const record = ledger.record(course.stream);
    // As the log will tell it: the record has its place in the order of age.
    if (record !== undefined)
      records.set(course.stream, {
        ...record,
        firstPosition: record.firstPosition ?? BigInt(course.mark.position),
      });
    return {
      accepted,
      rejected,
      types: events.map(({ type }) => type),
      pairs: pairsAmong(records),
    };
  });
  return { told, records };
};

/** One turn for all: what is decided stays in memory. */
const inOneTurn = (courses: readonly SubmissionItem[]) => {
  const ledger = createWorkingSet();
  return run(courses, () => ledger);
};

/** A turn for each, which loads what the read tables hold by then. */
const reloading = (courses: readonly SubmissionItem[]) =>
  run(courses, ({ queued, stream }, records) => {
    const ledger = createWorkingSet();
    const own = records.get(stream);
    if (own !== undefined) ledger.put(stream, own);
    if (queued.kind !== 'course') return ledger;
    const compared = listComparedFingerprints(queued, own?.state ?? { status: 'none' });
    const holders = [...records.values()].flatMap(({ state, firstPosition: age }) =>
      state.status === 'none'
        ? []
        : state.fingerprints
            .filter((fingerprint) => compared.includes(fingerprint))
            .map((fingerprint) => ({
              fingerprint,
              submissionUuid: state.submissionUuid,
              duplicateOf: state.duplicateOf,
              dismissedMatches: state.dismissedMatches,
              isLive: state.status === 'live',
              age: age ?? 0n,
            })),
    );
    ledger.putFingerprints(compared, holders);
    return ledger;
  });

const RUNS = runs(3_000);

laws('receipts, flags and pairs are those of a registry that was never rotated', () => {
  fc.assert(
    fc.property(history, (sent) => {
      const unrotated = sent.map((one, position) => courseOf(one, position, UNROTATED));
      assert.equal(inOneTurn(whileRotating(sent)).told, inOneTurn(unrotated).told);
    }),
    RUNS,
  );
});

laws('a batch equals its records one by one, each with what was stored before', () => {
  fc.assert(
    fc.property(history, (sent) => {
      const courses = whileRotating(sent);
      const [batch, singles] = [inOneTurn(courses), reloading(courses)];
      assert.equal(singles.told, batch.told);
      assert.equal(
        known(singles.records).map(({ fingerprints }) => fingerprints),
        known(batch.records).map(({ fingerprints }) => fingerprints),
      );
    }),
    RUNS,
  );
});

laws('a birth that the practice does not have yet gets no hash under an older key', () => {
  fc.assert(
    fc.property(history, fc.constantFrom('a', 'c'), (sent, birth) => {
      const others = sent.map((one) => ({ ...one, births: birth === 'a' ? ['c'] : ['a'] }));
      const last = { ...submissionOf(birth), chart: 'E' };
      const rotated = STAGES[STAGES.length - 1] ?? UNROTATED;
      const courses = [...whileRotating(others), courseOf(last, sent.length, rotated)];
      const state = inOneTurn(courses).records.get('E')?.state;
      assert.equal(
        state?.status === 'live' ? state.fingerprints : [],
        fingerprintsUnder(rotated.current, last),
      );
    }),
    runs(300),
  );
});

const submissionOf = (birth: string): Submission => ({
  chart: 'A',
  births: [birth],
  zone: 'east',
  lane: 'native',
  isIdentified: true,
  isRetraction: false,
  advances: false,
  hasWaited: false,
});

laws.run();

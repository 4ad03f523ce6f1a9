import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { repointAttribution } from '../../../domain/birth-record/attribution.ts';
import { recordCourse, retractBirth, voidRecord } from '../../../domain/birth-record/decide.ts';
import type { BirthRecordEvent, RecordVersion } from '../../../domain/birth-record/events.ts';
import {
  readVersion,
  restoreVersion,
  reviveRecord,
  withSurvivors,
} from '../../../domain/birth-record/restore.ts';
import { type BirthRecord, evolve, noRecord } from '../../../domain/birth-record/state.ts';
import { traceImport, undoImportInRecord } from '../../../domain/birth-record/undo-import.ts';
import { type CourseOfCare, emptyChild, emptyMother } from '../../../domain/course/course.ts';
import { courseOfInes, INES, RECEIVED } from '../../support/birth-records.ts';
import { runs } from '../../support/runs.ts';

/** Laws of the ways back, on every history that the commands of a record can make. */

type Step =
  | {
      readonly do: 'save';
      readonly by: 'native' | 'partner' | 'person' | 'file';
      readonly course: CourseOfCare;
    }
  | { readonly do: 'void' }
  | { readonly do: 'retract' }
  | { readonly do: 'merge'; readonly from: string; readonly to: string };

const text = fc.constantFrom('a', 'b', 'c');
const provider = fc.constantFrom('ana', 'bea', 'eva');

const course = fc
  .record({
    family: fc.option(text),
    children: fc.array(fc.record({ weight: fc.option(fc.nat(5_000)), name: text }), {
      maxLength: 3,
    }),
    custom: fc.dictionary(fc.constantFrom('tub', 'room'), fc.option(text)),
    attendant: fc.option(provider),
    certifier: fc.option(provider),
    isFromChart: fc.boolean(),
    visits: fc.option(fc.nat(20)),
    warns: fc.boolean(),
  })
  .map(
    ({ family, children, custom, attendant, certifier, isFromChart, visits, warns }) =>
      ({
        ...courseOfInes,
        mother: { ...emptyMother(), family_name: family },
        children: children.map(({ weight, name }) => ({
          ...emptyChild(),
          given_names: [name],
          birth_date: '2026-05-12',
          birth_weight_grams: weight,
        })),
        custom,
        attendant,
        certifier,
        prenatal_visits: visits,
        sources: isFromChart
          ? [{ field: 'mother.family_name', subject: 'mother', child: null, source: 'ehr_pull' }]
          : [],
        warnings: warns
          ? [
              {
                field: 'children.apgar_five_minute',
                child: 0,
                raw: 14,
                id: 'out-of-range',
                reason: 'The number is outside the possible range',
              },
            ]
          : [],
      }) satisfies CourseOfCare,
  );

const merge = fc.record({ do: fc.constant('merge' as const), from: provider, to: provider });
const merges = fc.array(merge, { maxLength: 2 });

const step = (by: readonly ('native' | 'partner' | 'person' | 'file')[]): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('save' as const),
        by: fc.constantFrom(...by),
        course,
      }),
    },
    fc.constant({ do: 'void' as const }),
    fc.constant({ do: 'retract' as const }),
    merge,
  );

const history = fc.array(step(['native', 'partner', 'person']), { maxLength: 12 });
const savesOfFile = fc.array(
  fc.record({ do: fc.constant('save' as const), by: fc.constant('file' as const), course }),
  { minLength: 1, maxLength: 3 },
);

const fingerprintsOf = ({ mother, children }: CourseOfCare): readonly string[] =>
  mother.family_name === null || children.length === 0 ? [] : [`of ${mother.family_name}`];

/** What happens in a record, by the commands themselves, and who stands for whom after the merges. */
interface Happened {
  readonly events: readonly BirthRecordEvent[];
  readonly merges: ReadonlyMap<string, string>;
}

const NOTHING: Happened = { events: [], merges: new Map() };

const survivorIn =
  (merges: ReadonlyMap<string, string>) =>
  (id: string): string => {
    const next = merges.get(id);
    return next === undefined ? id : survivorIn(merges)(next);
  };

const stateOf = (events: readonly BirthRecordEvent[]): BirthRecord =>
  events.reduce(evolve, noRecord);

const after = ({ events, merges }: Happened, step: Step, position: number): Happened => {
  const state = stateOf(events);
  const survivorOf = survivorIn(merges);
  const adding = (
    added: readonly BirthRecordEvent[],
    next: ReadonlyMap<string, string> = merges,
  ) => {
    const all = [...events, ...added];
    const mark = null;
    const repointed = repointAttribution({ resolveSurvivor: survivorIn(next), mark }, stateOf(all));
    return { events: [...all, ...repointed], merges: next };
  };
  switch (step.do) {
    case 'save': {
      const isPartner = step.by === 'partner';
      const sent: CourseOfCare = isPartner
        ? { ...step.course, mother: emptyMother(), custom: {} }
        : step.course;
      const decision = recordCourse(
        {
          submissionUuid: INES,
          practiceId: 'practice',
          source: step.by === 'file' ? 'csv' : step.by === 'person' ? 'manual' : 'fhir_push',
          keyKind: step.by === 'native' || step.by === 'partner' ? step.by : null,
          course: sent,
          providers: [],
          stamp: null,
          receivedAt: RECEIVED,
          fingerprints: fingerprintsOf(sent),
          matches: [],
          mark: { ingestionId: step.by, position },
        },
        state,
      );
      return decision.kind === 'accepted' ? adding(decision.events) : { events, merges };
    }
    case 'void': {
      const decision = voidRecord({ reason: 'Entered twice' }, state);
      return decision.kind === 'accepted' ? adding(decision.events) : { events, merges };
    }
    case 'retract': {
      const decision = retractBirth(
        {
          practiceId: 'practice',
          source: 'fhir_push',
          stamp: null,
          receivedAt: RECEIVED,
          mark: null,
        },
        state,
      );
      return decision.kind === 'accepted' ? adding(decision.events) : { events, merges };
    }
    case 'merge':
      return survivorOf(step.from) === survivorOf(step.to)
        ? { events, merges }
        : adding([], new Map([...merges, [survivorOf(step.from), survivorOf(step.to)]]));
  }
};

const happened = (steps: readonly Step[], before: Happened = NOTHING): Happened =>
  steps.reduce(after, before);

/** What today is known of a course that is to be held again. */
const knownOf = (wanted: RecordVersion, merges: Happened['merges']) => ({
  fingerprints:
    fingerprintsOf(wanted.course).length > 0 ? fingerprintsOf(wanted.course) : wanted.fingerprints,
  matches: [],
  resolveSurvivor: survivorIn(merges),
});

const withoutStamp = (state: BirthRecord): CourseOfCare | null =>
  state.status === 'none' ? null : { ...state.course, stamp: null };

/** Later events stand behind the earlier ones, and versions follow one another. */
const assertVersionsFollow = (events: readonly BirthRecordEvent[]): void => {
  const versions = events.flatMap(({ type, data }) =>
    type === 'BirthRecorded' || type === 'BirthAmended' || type === 'BirthRetracted'
      ? data.version
      : [],
  );
  assert.equal(
    versions,
    versions.map((_, index) => index + 1),
  );
};

const RUNS = runs(2_000);

test('restoring a version makes the record say what it said then, with the survivors of merges', () => {
  let restorations = 0;
  fc.assert(
    fc.property(history, fc.nat(), (steps, chosen) => {
      const { events, merges } = happened(steps);
      const state = stateOf(events);
      if (state.status !== 'live') return;
      const version = 1 + (chosen % state.version);
      const wanted = readVersion(version, events);
      if (wanted === null) return;
      const command = { ...knownOf(wanted, merges), version, stamp: 'now' };
      const decision = restoreVersion(command, events);
      assert.is(decision.kind, 'accepted');
      if (decision.kind !== 'accepted') return;
      const all = [...events, ...decision.events];
      const then = stateOf(all);
      assert.equal(withoutStamp(then), {
        ...withSurvivors(wanted.course, survivorIn(merges)),
        stamp: null,
      });
      assert.is(then.status === 'live' && then.keyKind, wanted.keyKind);
      assertVersionsFollow(all);
      assert.equal(restoreVersion(command, all), { kind: 'accepted', events: [] });
      restorations += decision.events.length > 0 ? 1 : 0;
    }),
    RUNS,
  );
  assert.ok(restorations > RUNS.numRuns / 8, `${restorations} restorations were looked at`);
});

test('bringing back makes a record live as it was before it was voided', () => {
  let broughtBack = 0;
  fc.assert(
    fc.property(history, merges, (steps, merging) => {
      const before = happened(steps);
      if (stateOf(before.events).status !== 'live') return;
      const { events, merges } = happened([{ do: 'void' }, ...merging], before);
      const wanted = before.events.findLast(
        (one) => one.type === 'BirthRecorded' || one.type === 'BirthAmended',
      )?.data as RecordVersion;
      const decision = reviveRecord({ ...knownOf(wanted, merges), stamp: 'now' }, events);
      if (decision.kind !== 'accepted') throw new Error(decision.code);
      const all = [...events, ...decision.events];
      const held = stateOf(before.events);
      if (held.status === 'none') return;
      assert.equal(withoutStamp(stateOf(all)), {
        ...withSurvivors(held.course, survivorIn(merges)),
        stamp: null,
      });
      assert.is(stateOf(all).status, 'live');
      assertVersionsFollow(all);
      broughtBack += 1;
    }),
    RUNS,
  );
  assert.ok(broughtBack > RUNS.numRuns / 8, `${broughtBack} records were brought back`);
});

test('undoing an import makes each record what it was before the import, once and for all', () => {
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(history, savesOfFile, merges, (steps, rows, merging) => {
      const before = happened(steps);
      const { events, merges } = happened([...rows, ...merging], before);
      const trace = traceImport('file', events);
      kinds.set(trace.kind, (kinds.get(trace.kind) ?? 0) + 1);
      const held = stateOf(before.events);
      const wanted = before.events.findLast(
        (one) => one.type === 'BirthRecorded' || one.type === 'BirthAmended',
      )?.data as RecordVersion | undefined;
      const known =
        wanted === undefined
          ? { fingerprints: [], matches: [], resolveSurvivor: survivorIn(merges) }
          : knownOf(wanted, merges);
      const { events: undone } = undoImportInRecord({ ...known, importId: 'file' }, events);
      const all = [...events, ...undone];
      const then = stateOf(all);
      assert.is(then.status, held.status === 'none' ? 'voided' : held.status);
      if (held.status !== 'none' && then.status !== 'none') {
        assert.equal(withoutStamp(then), {
          ...withSurvivors(held.course, survivorIn(merges)),
          stamp: null,
        });
        assert.is(then.stamp, held.stamp);
        assert.is(then.keyKind, held.keyKind);
      }
      assertVersionsFollow(all);
      assert.equal(undoImportInRecord({ ...known, importId: 'file' }, all).events, []);
    }),
    RUNS,
  );
  for (const kind of ['created', 'amended', 'revived'])
    assert.ok((kinds.get(kind) ?? 0) > RUNS.numRuns / 40, `${kind}: ${kinds.get(kind)}`);
  assert.is(kinds.size, 3, [...kinds.keys()].join(' '));
});

test('whatever anyone writes after an import stands in the way of undoing it in that record', () => {
  fc.assert(
    fc.property(
      history,
      savesOfFile,
      step(['native', 'partner', 'person']),
      (steps, rows, later) => {
        const imported = happened(rows, happened(steps));
        const { events } = after(imported, later, 0);
        const isVersion = events
          .slice(imported.events.length)
          .some(({ type }) => type === 'BirthAmended' || type === 'BirthRetracted');
        assert.is(traceImport('file', events).kind === 'changed', isVersion);
      },
    ),
    RUNS,
  );
});

test.run();

import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BirthRecordEvent } from '../../../../domain/birth-record/events.ts';
import {
  decideMerge,
  listMergeChoices,
  type MergeInto,
  mergeCourses,
} from '../../../../domain/birth-record/merge-records.ts';
import { type BirthRecord, evolve, noRecord } from '../../../../domain/birth-record/state.ts';
import {
  type Child,
  type CourseOfCare,
  emptyAddress,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
  type Transfer,
} from '../../../../domain/course/course.ts';
import { listStatedValues } from '../../../../domain/course/course-paths.ts';
import type { NamedProvider } from '../../../../domain/provider/details.ts';
import {
  amended,
  courseOfInes,
  INES,
  LATER,
  lookAlike,
  OLDER,
  recorded,
  retracted,
} from '../../../support/birth-records.ts';
import { runs } from '../../../support/runs.ts';
import { scenarios } from '../../../support/scenarios.ts';
import { buildTransfer } from '../../../support/transfers.ts';

const fold = (events: readonly BirthRecordEvent[]): BirthRecord => events.reduce(evolve, noRecord);

const child = (changes: Partial<Child> = {}): Child => ({
  ...emptyChild(),
  birth_date: '2026-05-12',
  ...changes,
});
const course = (changes: Partial<CourseOfCare> = {}): CourseOfCare => ({
  ...emptyCourseOfCare(),
  children: [child()],
  ...changes,
});
const native = (changes: Partial<CourseOfCare> = {}) =>
  ({ course: course(changes), keyKind: 'native' }) as const;
const partner = (changes: Partial<CourseOfCare> = {}) =>
  ({ course: course(changes), keyKind: 'partner' }) as const;

const choices = (...[kept, other]: Parameters<typeof listMergeChoices>) =>
  listMergeChoices(kept, other).map(({ path, isConflict }) => (isConflict ? `${path}!` : path));

test('what is offered: gaps to fill, and conflicts to decide', () => {
  const rows: readonly [string, Parameters<typeof listMergeChoices>, readonly string[]][] = [
    ['the same twice asks nothing', [native(), native()], []],
    ['a gap', [native(), native({ prenatal_visits: 9 })], ['prenatal_visits']],
    ['what only the kept record states stays', [native({ prenatal_visits: 9 }), native()], []],
    [
      'a conflict',
      [native({ prenatal_visits: 9 }), native({ prenatal_visits: 11 })],
      ['prenatal_visits!'],
    ],
    ['the chart number is the record’s own', [native(), native({ chart_number: 'C-2' })], []],
    [
      'date and time of birth are one',
      [native(), native({ children: [child({ birth_time: '2026-05-12T04:31:00' })] })],
      ['children.0.birth_date'],
    ],
    [
      'weeks and days are one, and disagree when either does',
      [
        native({ children: [child({ gestational_age_weeks: 39, gestational_age_days: 0 })] }),
        native({ children: [child({ gestational_age_weeks: 39, gestational_age_days: 4 })] }),
      ],
      ['children.0.gestational_age_weeks!'],
    ],
    [
      'a second child is one',
      [native(), native({ children: [child(), child({ sex: 'male' })] })],
      ['children.1'],
    ],
    [
      'the consent decision is one',
      [native(), native({ consent: { granted: true, status: 'active', date_time: null } })],
      ['consent!'],
    ],
    ['a field of the practice', [native(), native({ custom: { room: '4' } })], ['custom.room']],
    [
      'a de-identified record takes over nothing that identifies',
      [
        partner({ children: [child({ birth_date: '2026' })] }),
        native({
          mother: {
            ...emptyMother(),
            family_name: 'Amaral',
            height_cm: 170,
            address: { ...emptyAddress(), city: 'Salem', state: 'OR' },
          },
          children: [child()],
          custom: { room: '4' },
        }),
      ],
      ['mother.address.state', 'mother.height_cm'],
    ],
    [
      'of a date a de-identified record takes over the year',
      [
        partner({ children: [child({ birth_date: '2025' })] }),
        native({ children: [child({ birth_time: '2026-05-12T04:31:00' })] }),
      ],
      ['children.0.birth_date!'],
    ],
    [
      'what a de-identified record lacks is no conflict, and its year is no date',
      [
        native({ mother: { ...emptyMother(), family_name: 'Amaral' } }),
        partner({ children: [child({ birth_date: '2026' })] }),
      ],
      [],
    ],
  ];
  for (const [name, [kept, other], expected] of rows)
    assert.equal(choices(kept, other), expected, name);
});

test('a value that is taken over brings its mark from the EHR, and ends the warning about it', () => {
  const place = { subject: 'child', child: 0, source: 'ehr_pull' } as const;
  const weight = { ...place, field: 'children.birth_weight_grams' };
  const sex = { ...place, field: 'children.sex' };
  const left = { field: 'children.birth_weight_grams', child: 0, raw: 12, reason: 'Unknown unit' };
  const kept = native({
    children: [child({ sex: 'female' })],
    sources: [sex],
    warnings: [left] as never,
  });
  const other = native({
    children: [child({ sex: 'male', birth_weight_grams: 3_200 })],
    sources: [weight, sex],
  });
  const { course: merged, paths } = mergeCourses(kept, other, ['children.0.birth_weight_grams']);
  assert.is(merged.children[0]?.birth_weight_grams, 3_200);
  assert.is(merged.children[0]?.sex, 'female');
  assert.equal(merged.sources, [sex, weight]);
  assert.equal(merged.warnings, []);
  assert.equal(paths, ['children.0.birth_weight_grams']);
});

test('a value that is taken over brings its edit flag, in the order of the state file', () => {
  const weight = { field: 'children.birth_weight_grams', child: 0, flag: '1' };
  const visits = { field: 'prenatal_visits', child: null, flag: '2' };
  const kept = native({
    children: [child({ birth_weight_grams: 3_200 })],
    edit_flags: [weight],
  });
  const other = native({ prenatal_visits: 60, edit_flags: [visits] });
  const { course: merged } = mergeCourses(kept, other, ['prenatal_visits']);
  assert.equal(merged.edit_flags, [visits, weight]);
  assert.equal(mergeCourses(kept, other, []).course.edit_flags, [weight]);
});

test('the mother’s age follows the dates of birth', () => {
  const kept = native({
    mother: { ...emptyMother(), birth_date: '1990-01-01', age_at_delivery: 36 },
  });
  const other = native({
    mother: { ...emptyMother(), birth_date: '1996-01-01', age_at_delivery: 30 },
  });
  assert.is(mergeCourses(kept, other, ['mother.birth_date']).course.mother.age_at_delivery, 30);
  assert.is(mergeCourses(kept, other, []).course.mother.age_at_delivery, 36);
});

const moved = buildTransfer({ type: 'infant', direction: 'out', facility: 'East Hospital' });
const movedFirst = { ...moved, type: 'mother', direction: 'in' } as const;

test('no transfer is listed more often than one of the two records states it', () => {
  const kept = native({ transfers: [moved] });
  const transfersOf = (other: readonly Transfer[], ...taken: readonly string[]) =>
    mergeCourses(kept, native({ transfers: other }), taken).course.transfers;
  assert.equal(transfersOf([movedFirst, moved], 'transfers.1'), [moved]);
  assert.equal(transfersOf([movedFirst, moved], 'transfers.0', 'transfers.1'), [movedFirst, moved]);
  assert.equal(transfersOf([moved, moved], 'transfers.1'), [moved, moved]);
  const urgent = { ...moved, urgency: 'urgent' } as const;
  assert.equal(transfersOf([moved, urgent], 'transfers.1'), [moved, urgent]);
});

const values = fc.record({
  visits: fc.option(fc.nat(20)),
  family: fc.option(fc.constantFrom('Amaral', 'Berg')),
  given: fc.constantFrom<readonly string[]>([], ['Ines'], ['Ines', 'Sofia']),
  custom: fc.dictionary(fc.constantFrom('room', 'nurse'), fc.constantFrom('1', '2')),
  children: fc.array(
    fc.record({
      sex: fc.option(fc.constantFrom('female' as const, 'male' as const)),
      birth_weight_grams: fc.option(fc.constantFrom(2_900, 3_100)),
      birth_time: fc.option(fc.constantFrom('2026-05-12T04:31:00', '2026-05-12T05:10:00')),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const record = values.map(({ visits, family, given, custom, children }) =>
  native({
    prenatal_visits: visits,
    mother: { ...emptyMother(), family_name: family, given_names: given },
    custom,
    children: children.map((one) => child(one)),
  }),
);

test('law: all taken, nothing of either is lost but what loses a conflict; none taken, nothing changes', () => {
  fc.assert(
    fc.property(record, record, (kept, other) => {
      assert.equal(mergeCourses(kept, other, []), { course: kept.course, paths: [] });
      const all = listMergeChoices(kept, other).map(({ path }) => path);
      const merged = listStatedValues(mergeCourses(kept, other, all).course);
      const held = listStatedValues(kept.course);
      for (const [path, value] of listStatedValues(other.course))
        assert.equal(merged.get(path), value);
      for (const path of held.keys()) assert.ok(merged.has(path), path);
      const gaps = listMergeChoices(kept, other).filter(({ isConflict }) => !isConflict);
      const filled = listStatedValues(
        mergeCourses(
          kept,
          other,
          gaps.map(({ path }) => path),
        ).course,
      );
      for (const [path, value] of held) assert.equal(filled.get(path), value);
    }),
    runs(),
  );
});

const other = fold([
  {
    type: 'BirthRecorded',
    data: {
      ...recorded.data,
      submissionUuid: OLDER,
      course: { ...courseOfInes, chart_number: 'C-2', prenatal_visits: 9 },
    },
  } as BirthRecordEvent,
]);
const command: MergeInto = {
  other,
  taken: ['prenatal_visits'],
  fingerprints: ['ines-12-may'],
  matches: [lookAlike()],
  stamp: LATER,
};
const told = (decision: ReturnType<typeof decideMerge>): unknown =>
  decision.kind === 'accepted'
    ? decision.events.map(({ data: { version, mergedFrom, course: merged } }) => ({
        version,
        mergedFrom,
        visits: merged.prenatal_visits,
        chart: merged.chart_number,
      }))
    : decision.code;
const merging =
  (changes: Partial<MergeInto> = {}) =>
  (state: BirthRecord) =>
    told(decideMerge({ ...command, ...changes }, state));

scenarios('merging two records of one birth', fold, [
  {
    name: 'the kept record gets a new version that says where the values came from',
    given: [recorded],
    when: merging(),
    expect: [
      {
        version: 2,
        mergedFrom: { submissionUuid: OLDER, paths: ['prenatal_visits'] },
        visits: 9,
        chart: 'C-1',
      },
    ],
  },
  {
    name: 'nothing to take over makes no version',
    given: [recorded],
    when: merging({ taken: [] }),
    expect: [],
  },
  {
    name: 'a voided record is not merged into',
    given: [recorded, retracted(2)],
    when: merging(),
    expect: 'not-a-match',
  },
  { name: 'nor is one that is not there', given: [], when: merging(), expect: 'no-record' },
  {
    name: 'a voided record is not merged',
    given: [recorded],
    when: merging({ other: fold([recorded, retracted(2)]) }),
    expect: 'not-a-match',
  },
  {
    name: 'two that were told apart are not merged',
    given: [
      recorded,
      {
        type: 'DuplicateDismissed',
        data: { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null },
      },
    ],
    when: merging(),
    expect: 'not-a-match',
  },
  {
    name: 'two that look alike no more are not merged',
    given: [amended({ fingerprints: ['another'] })],
    when: merging(),
    expect: 'not-a-match',
  },
  {
    name: 'the merged record must not look like a third one',
    given: [recorded],
    when: merging({
      fingerprints: ['third'],
      matches: [lookAlike({ submissionUuid: 'third-record', shared: ['third'] })],
    }),
    expect: 'merged-looks-like-another',
  },
]);

const named = (providerId: string, changes: Partial<NamedProvider> = {}): NamedProvider => ({
  providerId,
  identity: '1',
  npi: null,
  name: null,
  credentials: null,
  role: 'midwife',
  ...changes,
});
const naming = (
  providers: readonly NamedProvider[],
  changes: Partial<CourseOfCare>,
  submissionUuid = INES,
): BirthRecordEvent =>
  ({
    type: 'BirthRecorded',
    data: { ...recorded.data, submissionUuid, providers, course: { ...courseOfInes, ...changes } },
  }) as BirthRecordEvent;

const providersOf = (
  state: BirthRecord,
  providers: readonly NamedProvider[],
  changes: Partial<CourseOfCare>,
  taken: readonly string[],
): unknown => {
  const absorbed = fold([naming(providers, { chart_number: 'C-2', ...changes }, OLDER)]);
  const decision = decideMerge({ ...command, other: absorbed, taken }, state);
  return decision.kind === 'accepted'
    ? decision.events.flatMap(({ data }) =>
        data.providers.map(({ providerId, name }) => `${providerId} ${name}`),
      )
    : decision.code;
};

scenarios('providers of a merged record', fold, [
  {
    name: 'a provider whom both records name is listed once, as the kept record has it',
    given: [naming([named('p1', { name: 'Maya' })], { certifier: 'p1' })],
    when: (state) => providersOf(state, [named('p1')], { attendant: 'p1' }, ['attendant']),
    expect: ['p1 Maya'],
  },
  {
    name: 'one whom the other record lists twice is listed once',
    given: [naming([], {})],
    when: (state) =>
      providersOf(state, [named('p1'), named('p1')], { attendant: 'p1' }, ['attendant']),
    expect: ['p1 null'],
  },
  {
    name: 'one whom an earlier merge listed twice in the kept record is listed once',
    given: [naming([named('p1'), named('p1')], { attendant: 'p1' })],
    when: (state) => providersOf(state, [], { prenatal_visits: 9 }, ['prenatal_visits']),
    expect: ['p1 null'],
  },
  {
    name: 'two partners’ providers of one identity are two',
    given: [naming([named('p1')], { certifier: 'p1' })],
    when: (state) => providersOf(state, [named('p2')], { attendant: 'p2' }, ['attendant']),
    expect: ['p1 null', 'p2 null'],
  },
]);

test.run();

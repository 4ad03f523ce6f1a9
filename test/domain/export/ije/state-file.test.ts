import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PLACES_OF_BIRTH } from '../../../../domain/course/codes.ts';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
} from '../../../../domain/course/course.ts';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import { BINDABLE_ITEMS } from '../../../../domain/custom-field/bindable-items.ts';
import { toCourseOfChild } from '../../../../domain/export/earlier-siblings.ts';
import { countPreviousCesareans } from '../../../../domain/export/ije/derived-values.ts';
import { IJE_ITEMS } from '../../../../domain/export/ije/items.ts';
import { fileRecord, LINE_LENGTH } from '../../../../domain/export/ije/state-file.ts';
import { splitSubmission } from '../../../../domain/mapping/bfdr/bundle-splitter.ts';
import { mapCourse } from '../../../../domain/mapping/bfdr/course-mapper.ts';
import { createPractice, generateSubmissions } from '../../../../scripts/synthesis/submissions.ts';
import { buildBundle } from '../../../../scripts/synthesis/written-submissions.ts';
import { anyCourse, anyPartnerContent } from '../../../support/any-course.ts';
import { runs, SEED } from '../../../support/runs.ts';
import { columnIn, courseSaid, linesOf } from '../../../support/state-file.ts';
import { readBack, sayable } from '../../../support/state-file-reader.ts';

const synthetic = suite('lines of synthetic births');
const COURSES = runs(4_400).numRuns;

/** The birth in every shape: as it was told, at another place, and as the last of triplets, who died before. */
const shapesOf = (course: CourseOfCare, index: number): readonly CourseOfCare[] => {
  const [first = emptyChild()] = course.children;
  const triplets = [1, 2, 3].map((birth_order) => ({
    ...first,
    birth_order,
    fetal_death: birth_order === 3,
  }));
  return [
    course,
    {
      ...course,
      place_of_birth: PLACES_OF_BIRTH[index % PLACES_OF_BIRTH.length] ?? null,
      planned_place_of_birth: PLACES_OF_BIRTH[index % 5] ?? null,
    },
    { ...course, plurality: 3, children: triplets },
    { ...emptyCourseOfCare(), children: [{ ...emptyChild(), family_name: first.family_name }] },
  ];
};

synthetic('read back to what a line can say of the birth', () => {
  const plan = {
    courses: COURSES,
    seed: `state file ${SEED}`,
    lane: 'native',
    year: 2026,
    until: null,
    practicePrefix: 'IJE',
  } as const;
  const practice = createPractice(plan);
  let births = 0;
  for (const { birth, stamp } of generateSubmissions(plan)) {
    const submission = splitSubmission(
      buildBundle({ kind: 'birth', birth, stamp }, practice, 'native'),
    );
    if (submission.kind !== 'courses') continue;
    for (const submitted of submission.courses) {
      const mapped = mapCourse(submitted, 'native', []);
      if (mapped.kind !== 'course') continue;
      for (const course of shapesOf(mapped.course, births)) assertReadBack(course);
      births += 1;
    }
  }
  assert.ok(births >= COURSES, `${births} births`);
});

const assertReadBack = (course: CourseOfCare): void => {
  const born = course.children.filter(({ fetal_death }) => fetal_death !== true);
  const lines = linesOf(course);
  assert.is(lines.length, born.length);
  for (const [index, child] of born.entries()) {
    const previous_cesareans = countPreviousCesareans(course);
    const expected = sayable({ ...toCourseOfChild(course, child), previous_cesareans }, child);
    const read = readBack(lines[index] ?? '');
    const names = read.names.map((name, at) => (expected.names[at] === null ? null : name));
    assert.equal({ ...read, names }, expected);
  }
};

synthetic.run();

const law = suite('the lines of any record');

law('read back to what a line can say of it', () => {
  fc.assert(
    fc.property(anyCourse, (course) => {
      const filed = fileRecord({ status: 'live', keyKind: 'native', course, providers: [] }, null);
      if (filed.kind === 'filed') assertReadBack(course);
    }),
    runs(400),
  );
});

const PRINTABLE = /^[ -~]{4000}$/;

law('have 4,000 printable ASCII characters, and each item fills its column', () => {
  fc.assert(
    fc.property(anyCourse, ({ children, ...course }) => {
      for (const line of linesOf({ ...course, children: [...children, named] })) {
        assert.match(line, PRINTABLE);
        for (const { kind, name } of IJE_ITEMS)
          if (kind === 'coded' && !/^MRACE\d|_BYPASS$/.test(name) && !BLANK_WITHOUT_FIELD.has(name))
            assert.match(columnIn(line, name), /^[A-Z]{1,2}$|^\d+$/, name);
      }
    }),
    runs(400),
  );
});

/** Columns that only a custom field fills. */
const BLANK_WITHOUT_FIELD = new Set(
  BINDABLE_ITEMS.filter(({ unknown }) => unknown === ' ').flatMap(({ columns }) =>
    columns.map(({ name }) => name),
  ),
);

// A name keeps the record from counting as de-identified.
const named = { ...emptyChild(), family_name: 'Ruiz' };

law('count the texts that were cut, and those that were respelled', () => {
  const changedIn = (said: Parameters<typeof courseSaid>[0]) => {
    const record = {
      status: 'live',
      keyKind: null,
      course: courseSaid(said),
      providers: [],
    } as const;
    const filed = fileRecord(record, null);
    return filed.kind === 'filed' ? filed.changed : null;
  };
  assert.equal(changedIn({ child: { family_name: 'x'.repeat(50) } }), { cut: 0, respelled: 0 });
  assert.equal(changedIn({ child: { family_name: 'x'.repeat(51) } }), { cut: 1, respelled: 0 });
  assert.equal(
    changedIn({
      child: { given_names: ['Zoë', 'Núñez'], family_name: 'é'.repeat(60) },
      mother: { medical_record_number: '1'.repeat(16) },
    }),
    { cut: 2, respelled: 3 },
  );
});

law.run();

const left = suite('what has no line');
const child = { ...emptyChild(), family_name: 'Ruiz', birth_date: '2026-05-12' };
const course = { ...emptyCourseOfCare(), children: [child] };
const record = { status: 'live', keyKind: 'native', course, providers: [] } as const;

left('a voided record, named or not', () => {
  const voided = { kind: 'left-out', why: 'voided' };
  assert.equal(fileRecord({ ...record, status: 'voided' }, null), voided);
  assert.equal(fileRecord({ ...record, status: 'voided', keyKind: 'partner' }, null), voided);
});

left('a record of a partner, which names nobody', () => {
  fc.assert(
    fc.property(anyPartnerContent, ({ course: spine, providers }) => {
      assert.equal(
        fileRecord({ status: 'live', keyKind: 'partner', course: spine, providers }, null),
        {
          kind: 'left-out',
          why: 'deidentified',
        },
      );
    }),
    runs(50),
  );
});

left('such a record that a person has corrected, until they name somebody', () => {
  const corrected = { ...record, keyKind: null, course: maskForPartner(course) } as const;
  assert.is(fileRecord(corrected, null).kind, 'left-out');
  const [spine = emptyChild()] = corrected.course.children;
  const children = [{ ...spine, given_names: ['Ada'] }];
  assert.is(
    fileRecord({ ...corrected, course: { ...corrected.course, children } }, null).kind,
    'filed',
  );
});

left('but a native record that a partner has amended keeps its names, and is filed', () => {
  assert.is(fileRecord({ ...record, keyKind: 'partner' }, null).kind, 'filed');
});

left('but a native record without a name is filed', () => {
  const nameless = { ...course, children: [{ ...child, family_name: null }] };
  assert.is(fileRecord({ ...record, course: nameless }, null).kind, 'filed');
});

left('a fetal death, which has a layout of its own; a twin who lived has one', () => {
  const filedOf = (...deaths: readonly (boolean | null)[]) => {
    const children = deaths.map((fetal_death, index) => ({
      ...child,
      fetal_death,
      birth_order: index + 1,
    }));
    const filed = fileRecord({ ...record, course: { ...course, plurality: 2, children } }, null);
    if (filed.kind !== 'filed') throw new Error('left out');
    return filed;
  };
  assert.equal(filedOf(true).lines, []);
  assert.is(filedOf(true).fetalDeaths, 1);
  const { lines, fetalDeaths } = filedOf(true, false);
  assert.equal([lines.length, fetalDeaths], [1, 1]);
  const [line = ''] = lines;
  assert.is(line.length, LINE_LENGTH);
  assert.equal(
    ['PLUR', 'SORD', 'LIVEB', 'ITRAN'].map((name) => columnIn(line, name)),
    ['02', '02', '01', 'U'],
  );
  assert.equal(
    filedOf(null, false).lines.map((one) => columnIn(one, 'LIVEB')),
    ['99', '99'],
  );
});

left.run();

const BEFORE = ['PLBL', 'PLBD', 'POPO', 'MLLB', 'YLLB', 'MOPO', 'YOPO', 'NPCES'];
const NONE = '00 00 00 88 8888 88 8888 00';

interface Siblings {
  readonly name: string;
  readonly before?: Partial<CourseOfCare>;
  readonly children: readonly Partial<Child>[];
  /** Of each line. */
  readonly lines: readonly string[];
}

const FIRST_PREGNANCY = { previous_births_living: 0, previous_births_dead: 0, other_outcomes: 0 };

const SIBLINGS: readonly Siblings[] = [
  {
    name: 'triplets of a first mother',
    children: [{}, {}, {}],
    lines: [NONE, '01 00 00 05 2026 88 8888 00', '02 00 00 05 2026 88 8888 00'],
  },
  {
    name: 'a twin who died since, before one of a mother with births before',
    before: { previous_births_living: 2, previous_births_dead: 1, other_outcomes: 1 },
    children: [{ fetal_death: false, living: false }, {}],
    lines: ['02 01 01 99 9999 99 9999 99', '02 02 01 05 2026 99 9999 99'],
  },
  {
    name: 'a twin born dead, before one that lives',
    children: [{ fetal_death: true }, {}],
    lines: ['00 00 01 88 8888 05 2026 00'],
  },
  {
    name: 'twins in another order than they were entered',
    children: [{ birth_order: 2 }, { birth_order: 1 }],
    lines: ['01 00 00 05 2026 88 8888 00', NONE],
  },
  {
    name: 'twins by their times',
    children: [
      { birth_time: '2026-05-12T10:20:00-04:00' },
      { birth_time: '2026-05-12T10:05:00-04:00' },
    ],
    lines: ['01 00 00 05 2026 88 8888 00', NONE],
  },
  {
    // By pairs, each of them would come after another.
    name: 'triplets of whom one has no order and another no time, as they were entered',
    children: [
      { birth_order: 3, birth_time: '2026-05-12T10:00:00-04:00' },
      { birth_order: 1 },
      { birth_time: '2026-05-12T09:00:00-04:00' },
    ],
    lines: [NONE, '01 00 00 05 2026 88 8888 00', '02 00 00 05 2026 88 8888 00'],
  },
  {
    name: 'twins on both sides of midnight at the end of a month',
    children: [{ birth_date: '2026-05-31' }, { birth_date: '2026-06-01' }],
    lines: [NONE, '01 00 00 05 2026 88 8888 00'],
  },
  {
    name: 'twins of whose mother nothing is known before',
    before: { previous_births_living: null, previous_births_dead: null, other_outcomes: null },
    children: [{}, {}],
    lines: ['99 99 99 99 9999 99 9999 99', '99 99 99 05 2026 99 9999 99'],
  },
];

const siblings = suite('previous births of each child of a delivery');

for (const { name, before = FIRST_PREGNANCY, children, lines } of SIBLINGS)
  siblings(name, () => {
    const born = children.map((one) => ({ ...emptyChild(), birth_date: '2026-05-12', ...one }));
    const delivery = { ...emptyCourseOfCare(), ...before, children: born };
    assert.equal(
      linesOf(delivery).map((line) => BEFORE.map((column) => columnIn(line, column)).join(' ')),
      lines,
    );
  });

siblings.run();

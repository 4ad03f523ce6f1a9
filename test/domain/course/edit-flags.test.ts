import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findOpenQuestions,
  listAnsweredQuestions,
  type QuestionAnswer,
} from '../../../domain/birth-record/unusual-values.ts';
import type { CourseOfCare, FieldFlag } from '../../../domain/course/course.ts';
import { EDIT_FLAGS } from '../../../domain/course/edit-flags.ts';
import { fileRecord } from '../../../domain/export/ije/state-file.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { courseEntered, ines } from '../../support/birth-records.ts';
import { exportedRecord, readAsPushed, sentBundle } from '../../support/exported-records.ts';
import { columnIn } from '../../support/state-file.ts';

const AT = '2026-06-01T09:00:00.000Z';

/** Each flag as one character, in the order of the layout: `_` is blank. */
const flagsIn = (line: string): string =>
  EDIT_FLAGS.map(({ column }) => columnIn(line, column).replace(' ', '_')).join('');

/** The flags of each line of a practice that writes them, if all questions have this answer. */
const flagsOf = (course: CourseOfCare, answer: QuestionAnswer | null): readonly string[] => {
  const answers = findOpenQuestions(course, AT).flatMap(({ path, values }) =>
    answer === null ? [] : [{ path, values, answer }],
  );
  return linesOf(course, listAnsweredQuestions(course, AT, answers)).map(flagsIn);
};

const linesOf = (
  course: CourseOfCare,
  questions: ReturnType<typeof listAnsweredQuestions> | null,
): readonly string[] => {
  const record = { status: 'live', keyKind: 'native', course, providers: [], questions } as const;
  const filed = fileRecord(record, null);
  return filed.kind === 'filed' ? filed.lines : [];
};

const TWIN: FormValues = { plurality: '2', 'children.1.birth_date': '5/12/2026' };

// Columns: age, education, visits, height, weight before, at delivery, cesareans, grams, weeks, plurality.
const ROWS: readonly (readonly [
  name: string,
  entered: FormValues,
  confirmed: string,
  unverified: string,
  open: string,
])[] = [
  ['nothing that is asked about', {}, '0000000000', '0000000000', '0000000000'],
  [
    'a mother of 11',
    { 'mother.birth_date': '5/13/2014' },
    '1000000000',
    '_000000000',
    '_000000000',
  ],
  [
    'a bachelor’s degree at 18',
    { 'mother.birth_date': '5/13/2007', 'mother.education': 'PHC1453' },
    '0100000000',
    '0200000000',
    '0400000000',
  ],
  ['60 prenatal visits', { prenatal_visits: '60' }, '0010000000', '0020000000', '00_0000000'],
  ['6 ft 7 in', { 'mother.height_cm': '6 ft 7 in' }, '0001000000', '0002000000', '000_000000'],
  [
    'weights before pregnancy and at delivery',
    { 'mother.prepregnancy_weight_kg': '376 lb', 'mother.delivery_weight_kg': '401 lb' },
    '0000110000',
    '0000220000',
    '0000__0000',
  ],
  [
    'two previous cesareans, and one live birth before',
    { previous_cesareans: '2', previous_births_living: '1', previous_births_dead: '0' },
    '0000001000',
    '000000_000',
    '000000_000',
  ],
  [
    'a weight out of range',
    { 'children.0.birth_weight_grams': '226 g', 'children.0.gestational_age_weeks': '' },
    '0000000100',
    '0000000_00',
    '0000000_00',
  ],
  [
    'a weight that does not go with the weeks',
    { 'children.0.birth_weight_grams': '4000 g', 'children.0.gestational_age_weeks': '34w0d' },
    '0000000200',
    '0000000_00',
    '0000000_00',
  ],
  [
    'weeks that the last menstrual period contradicts',
    { last_menstrual_period: '9/1/2025' },
    '0000000010',
    '00000000_0',
    '00000000_0',
  ],
  [
    'more born together than are entered',
    { plurality: '2', 'children.0.birth_order': '1' },
    '0000000002',
    '000000000_',
    '000000000_',
  ],
];

const own = suite('edit flags of a practice that writes them');
for (const [name, entered, confirmed, unverified, open] of ROWS)
  own(name, () => {
    const course = courseEntered({ ...ines, ...entered });
    assert.equal(flagsOf(course, 'confirmed'), [confirmed]);
    assert.equal(flagsOf(course, 'unverified'), [unverified]);
    assert.equal(flagsOf(course, null), [open]);
  });

own('of twins, each has those of its own values', () => {
  const course = courseEntered({
    ...ines,
    ...TWIN,
    'children.1.birth_weight_grams': '226 g',
  });
  assert.equal(flagsOf(course, 'confirmed'), ['0000000000', '0000000100']);
});

own('four children born together: confirmed is 1, since nothing contradicts it', () => {
  const course = courseEntered({
    ...ines,
    plurality: '4',
    'children.1.birth_date': '5/12/2026',
    'children.2.birth_date': '5/12/2026',
    'children.3.birth_date': '5/12/2026',
  });
  assert.equal(
    flagsOf(course, 'confirmed').map((flags) => flags.at(-1)),
    ['1', '1', '1', '1'],
  );
});

own('the latest answer to the same values counts, and none to others', () => {
  const course = courseEntered({ ...ines, prenatal_visits: '60' });
  const [question] = findOpenQuestions(course, AT);
  const answers = (['confirmed', 'unverified'] as const).map((answer) => ({
    path: question?.path ?? '',
    values: question?.values ?? '',
    answer,
  }));
  assert.is(listAnsweredQuestions(course, AT, answers)[0]?.answer, 'unverified');
  const others = answers.map((one) => ({ ...one, values: '[["prenatal_visits",61]]' }));
  assert.is(listAnsweredQuestions(course, AT, others)[0]?.answer, null);
});
own.run();

const SENT: readonly FieldFlag[] = [
  { field: 'mother.birth_date', child: null, flag: '1' },
  { field: 'prenatal_visits', child: null, flag: '2' },
  { field: 'children.birth_weight_grams', child: 0, flag: '2' },
];

const sent = suite('edit flags that were sent');

const courseSent = (changes: FormValues = {}): CourseOfCare =>
  readAsPushed(
    sentBundle(
      exportedRecord(
        {
          ...courseEntered({ ...ines, prenatal_visits: '12', ...changes }),
          edit_flags: SENT,
        },
        'native',
      ),
    ),
    'native',
  ).course;

sent('go out again, whatever the practice chose', () => {
  assert.equal(courseSent().edit_flags, SENT);
  assert.equal(linesOf(courseSent(), null).map(flagsIn), ['1_2____2__']);
  assert.equal(linesOf(courseSent(), []).map(flagsIn), ['1020000200']);
});

sent('give way to what the practice answered itself', () => {
  assert.equal(flagsOf(courseSent({ prenatal_visits: '60' }), 'confirmed'), ['1010000200']);
});

sent('stay through a correction of other values, and leave with theirs', () => {
  const existing = courseSent();
  const correct = (values: FormValues): CourseOfCare => courseEntered(values, { existing });
  assert.equal(correct({ 'mother.family_name': 'Amaral Dias' }).edit_flags, SENT);
  assert.equal(correct({ prenatal_visits: '13' }).edit_flags, [SENT[0], SENT[2]]);
  assert.equal(correct({ 'children.0.birth_weight_grams': '3300 g' }).edit_flags, SENT.slice(0, 2));
});

for (const [name, code, expected] of [
  ['by a code of another flag', '1correctOutOfRange', []],
  ['by its character alone', '1', [{ field: 'prenatal_visits', child: null, flag: '1' }]],
  ['by no code', '9', []],
] as const)
  sent(name, () => {
    const bundle = JSON.stringify(
      sentBundle(
        exportedRecord(
          {
            ...courseEntered({ ...ines, prenatal_visits: '12' }),
            edit_flags: [{ field: 'prenatal_visits', child: null, flag: '2' }],
          },
          'native',
        ),
      ),
    ).replace('"code":"2"', JSON.stringify({ code }).slice(1, -1));
    assert.equal(readAsPushed(JSON.parse(bundle), 'native').course.edit_flags, expected);
  });
sent.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyChild, emptyCourseOfCare, emptyMother } from '../../../../domain/course/course.ts';
import type { FormValues } from '../../../../domain/mapping/form/form-fields.ts';
import { formatForm } from '../../../../domain/mapping/form/format-course.ts';
import { courseEntered, enter, errorsOf, ines } from '../../../support/birth-records.ts';
import { buildTransfer } from '../../../support/transfers.ts';

const entering = suite('entering a course of care');

const noticesAt = (values: FormValues) => enter(values).notices.map(({ path }) => path);

entering('a birth is entered as people type it', () => {
  assert.equal(courseEntered(ines), {
    ...emptyCourseOfCare(),
    chart_number: 'C-1',
    place_of_birth: 'Home',
    mother: {
      ...emptyMother(),
      family_name: 'Amaral',
      given_names: ['Ines'],
      birth_date: '1994-06-02',
      age_at_delivery: 31,
    },
    children: [
      {
        ...emptyChild(),
        birth_date: '2026-05-12',
        birth_time: '2026-05-12T14:05:00-04:00',
        birth_weight_grams: 3401.942775,
        gestational_age_weeks: 39,
        gestational_age_days: 4,
      },
    ],
  });
});

entering('characters that show nothing are dropped or replaced, and a notice names them', () => {
  const values = {
    ...ines,
    chart_number: 'C\u200b-1',
    'mother.family_name': '\ufeffAma\u00adral',
    'mother.birth_surname': 'Sou\tto\n',
    'children.0.birth_date': `${ines['children.0.birth_date']}\u200e`,
  };
  const { chart_number, mother, children } = courseEntered(values);
  assert.equal(
    [chart_number, mother.family_name, mother.birth_surname, children[0]?.birth_date],
    ['C-1', 'Amaral', 'Sou to', '2026-05-12'],
  );
  const told = enter(values).notices.filter(({ id }) => id === 'invisible-characters');
  assert.equal(
    told.map(({ path, message }) => [path, /U\+[0-9A-F, U+]+/.exec(message)?.[0]]),
    [
      ['chart_number', 'U+200B'],
      ['mother.family_name', 'U+FEFF, U+00AD'],
      ['children.0.birth_date', 'U+200E'],
      ['mother.birth_surname', 'U+0009'],
    ],
  );
});

for (const name of [
  ...['Baby Girl', 'BabyBoy', 'Newborn', 'Ines Girl A', 'Girl Ines', 'BabyA', 'GirlB', 'BoyA'],
  ...['Baby Male', 'FemaleInfant', 'Neonate', 'NB', 'No Name', 'Not yet named'],
])
  entering(`a name from before the child had one is asked about: ${name}`, () => {
    const asked = enter({ ...ines, 'children.3.given_names': name }).notices;
    assert.equal(
      asked.filter(({ id }) => id === 'placeholder-name').map(({ path }) => path),
      ['children.1.given_names'],
    );
  });

for (const [typed, expected, isMoved] of [
  [['Stone', 'Jr'], ['Stone', 'Jr'], false],
  [['Stone Jr.', ''], ['Stone', 'Jr.'], true],
  [['Stone, III', 'III'], ['Stone', 'III'], false],
  [['Stone II', 'MD'], ['Stone II', 'MD'], false],
  [['García V.', ''], ['García V.', null], false],
] as const)
  entering(`a suffix has its own field, wherever it is typed: ${typed.join(' | ')}`, () => {
    const [family, suffix] = typed;
    const values = {
      ...ines,
      'mother.family_name': family,
      'mother.suffix': suffix,
      'children.3.family_name': family,
      'children.3.suffix': suffix,
    };
    const { mother, children } = courseEntered(values);
    for (const person of [mother, children[1]])
      assert.equal([person?.family_name, person?.suffix], expected);
    const moved = enter(values).notices.filter(({ id }) => id === 'suffix-in-family-name');
    assert.equal(
      moved.map(({ path }) => path),
      isMoved ? ['children.1.suffix', 'mother.suffix'] : [],
    );
  });

entering('a child and a place of birth are required, nothing else', () => {
  assert.equal(errorsOf({}), {
    children: 'Enter at least one child, with the date of birth if it is known.',
    place_of_birth: 'Enter the place of birth, such as Hospital or Home.',
  });
  assert.equal(Object.keys(errorsOf({ place_of_birth: 'barn', 'children.0.sex': 'f' })), [
    'place_of_birth',
  ]);
  assert.is(enter({ place_of_birth: 'Other', 'children.0.sex': 'f' }).kind, 'course');
});

entering('a form asks whether consent was given, a file does not', () => {
  const asked = { asksConsent: true };
  const message = { 'consent.granted': 'Choose whether consent was given.' };
  assert.equal(errorsOf(ines, asked), message);
  assert.equal(errorsOf({ ...ines, 'consent.granted': ' ' }, asked), message);
  assert.is(courseEntered(ines).consent.granted, false);
  for (const [text, granted] of [
    ['yes', true],
    ['no', false],
  ] as const)
    assert.is(courseEntered({ ...ines, 'consent.granted': text }, asked).consent.granted, granted);
  // A correction carries the answer of the record.
  const held = courseEntered({ ...ines, 'consent.granted': 'yes' });
  assert.is(
    courseEntered({ 'mother.family_name': 'Amaral' }, { ...asked, existing: held }).consent.granted,
    true,
  );
  assert.equal(errorsOf({ 'consent.granted': '' }, { ...asked, existing: held }), message);
});

entering('a child or a transfer of blanks alone is none, and gaps are closed', () => {
  const course = courseEntered({
    ...ines,
    'children.1.sex': ' ',
    'children.2.sex': 'boy',
    'transfers.0.facility': '',
    'transfers.3.type': 'Infant',
  });
  assert.equal(
    course.children.map(({ sex }) => sex),
    [null, 'male'],
  );
  assert.equal(course.transfers, [
    buildTransfer({ type: 'infant', direction: null, facility: null }),
  ]);
});

entering('a transfer is entered in the words of worksheets', () => {
  const { transfers } = courseEntered({
    ...ines,
    'transfers.0.type': 'Infant',
    'transfers.0.child_birth_order': '2',
    'transfers.0.direction': 'out',
    'transfers.0.place': 'Clinic',
    'transfers.0.timing': 'postpartum',
    'transfers.0.hours_after_birth': '6',
    'transfers.0.urgency': 'Emergent',
    'transfers.0.reason': 'Respiratory  distress',
    'transfers.1.type': 'mother',
    'transfers.1.place': 'Birthing Center',
    'transfers.1.timing': 'In labor',
    'transfers.1.urgency': 'non-urgent',
    'transfers.2.place': 'HOME',
    'transfers.2.timing': 'Before labor',
    'transfers.2.urgency': 'unknown',
  });
  assert.equal(transfers, [
    {
      type: 'infant',
      child_birth_order: 2,
      direction: 'out',
      place: 'other facility',
      facility: null,
      timing: 'after birth',
      hours_after_birth: 6,
      urgency: 'emergency',
      reason: 'Respiratory distress',
    },
    buildTransfer({
      type: 'mother',
      place: 'birth center',
      timing: 'during labor',
      urgency: 'not urgent',
    }),
    buildTransfer({ place: 'home', timing: 'before labor' }),
  ]);
});

entering('an impossible detail of a transfer is refused at its place', () => {
  const paths = [
    ['child_birth_order', '21'],
    ['hours_after_birth', '1009'],
    ['hours_after_birth', '6 pm'],
    ['timing', 'on Monday'],
    ['place', 'Mars'],
    ['urgency', 'very'],
    ['reason', 'x'.repeat(301)],
  ].flatMap(([name = '', text = '']) =>
    Object.keys(errorsOf({ ...ines, [`transfers.0.${name}`]: text })),
  );
  assert.equal(
    paths,
    [
      ...['child_birth_order', 'hours_after_birth', 'hours_after_birth', 'timing'],
      ...['place', 'urgency', 'reason'],
    ].map((name) => `transfers.0.${name}`),
  );
});

entering('errors are told at their values, all at once', () => {
  const errors = errorsOf({
    ...ines,
    'mother.birth_date': '6/31/94',
    'children.0.birth_weight_grams': '7',
    'children.0.gestational_age_days': '3',
    'children.1.birth_time': '2:05 pm',
    'children.2.gestational_age_days': '3',
    'children.3.birth_date': '5/12/2026',
    'children.3.birth_time': '5/13/2026 2:05 pm',
    'consent.granted': 'yes',
    'consent.status': 'rejected',
    stamp: '2026-05-12T00:00:00Z',
    nonsense: 'x',
    'children.0.nonsense': 'x',
    'children.x.sex': 'f',
    'custom.nobody': 'x',
    'custom.room': 'Red',
    'custom.degrees': 'warm',
    'custom.old': 'x',
  });
  assert.equal(Object.keys(errors).sort(), [
    'children.0.birth_weight_grams',
    'children.0.gestational_age_days',
    'children.0.nonsense',
    'children.1.birth_time',
    'children.2.gestational_age_days',
    'children.3.birth_time',
    'children.x.sex',
    'consent.granted',
    'custom.degrees',
    'custom.nobody',
    'custom.old',
    'custom.room',
    'mother.birth_date',
    'nonsense',
    'stamp',
  ]);
});

entering('a whole date and time of birth gives the date', () => {
  const [child] = courseEntered({
    place_of_birth: 'Home',
    'children.0.birth_time': 'May 12, 2026 2:05 pm',
  }).children;
  assert.equal([child?.birth_date, child?.birth_time], ['2026-05-12', '2026-05-12T14:05:00-04:00']);
});

entering('weeks and days go into one field or two', () => {
  const gestation = (weeks: string, days: string) => {
    const [child] = courseEntered({
      ...ines,
      'children.0.gestational_age_weeks': weeks,
      'children.0.gestational_age_days': days,
    }).children;
    return [child?.gestational_age_weeks, child?.gestational_age_days];
  };
  assert.equal(gestation('39', '4'), [39, 4]);
  assert.equal(gestation('39', ''), [39, 0]);
  assert.equal(gestation('39w4d', ''), [39, 4]);
  assert.equal(gestation('39w4d', '4'), [39, 4]);
  assert.equal(gestation('', ''), [null, null]);
});

entering("values of the practice's own fields", () => {
  const { custom } = courseEntered({
    ...ines,
    'custom.tub': ' Large ',
    'custom.degrees': '-1.5',
    'custom.visit': 'May 14 2026',
    'custom.room': 'blue',
    'custom.old': '',
  });
  assert.equal(custom, { tub: 'Large', degrees: -1.5, visit: '2026-05-14', room: 'Blue' });
});

entering('a consent that is granted is active', () => {
  const { consent } = courseEntered({ ...ines, 'consent.granted': 'yes' });
  assert.equal(consent, { granted: true, status: 'active', date_time: null });
  assert.is(courseEntered(ines).consent.granted, false);
});

entering('what is hard to believe is said, and stands in no way', () => {
  assert.equal(noticesAt(ines), []);
  const rows: readonly (readonly [FormValues, string])[] = [
    [{ last_menstrual_period: '7/1/2025' }, 'children.0.gestational_age_weeks'],
    [{ 'children.0.birth_weight_grams': '750 g' }, 'children.0.birth_weight_grams'],
    [{ last_menstrual_period: '5/13/2026' }, 'last_menstrual_period'],
    [{ first_prenatal_visit: '5/13/2026' }, 'first_prenatal_visit'],
    [{ 'mother.family_name': '', 'mother.given_names': '' }, 'mother.family_name'],
    [{ 'children.1.sex': 'f', plurality: '1' }, 'plurality'],
    [{ 'mother.birth_date': '6/2/1950' }, 'mother.birth_date'],
  ];
  for (const [values, path] of rows) {
    const entered = enter({ ...ines, ...values });
    assert.is(entered.kind, 'course');
    assert.ok(
      entered.notices.some((notice) => notice.path === path),
      path,
    );
  }
  assert.equal(noticesAt({ ...ines, last_menstrual_period: '8/8/2025' }), []);
});

entering('a birth in the future, or before the mother was born, is refused', () => {
  const future = { ...ines, 'children.0.birth_date': '5/21/2026' };
  assert.equal(errorsOf(future), {
    'children.0.birth_date': 'The date of birth is in the future. Check the date and the year.',
  });
  assert.equal(noticesAt(future), []);
  assert.equal(errorsOf(future, { today: '2026-05-21' }), {});
  assert.equal(errorsOf({ ...ines, 'mother.birth_date': '5/13/2026' }), {
    'children.0.birth_date':
      "The child's date of birth is before the mother's. Check both dates of birth.",
  });
  assert.equal(errorsOf({ ...ines, 'mother.birth_date': '5/21/2026' }), {
    'mother.birth_date': "The mother's date of birth is in the future. Check the year.",
    'children.0.birth_date':
      "The child's date of birth is before the mother's. Check both dates of birth.",
  });
});

entering('a future birth that was sent stays, so that something else can be corrected', () => {
  const sent = courseEntered(ines, { today: '2027-01-01' });
  const later = { existing: sent, today: '2026-05-11' };
  assert.equal(errorsOf({ ...formatForm(sent), plurality: '1' }, later), {});
  assert.equal(
    Object.keys(errorsOf({ ...formatForm(sent), 'mother.birth_date': '5/13/2026' }, later)),
    ['mother.birth_date', 'children.0.birth_date'],
  );
});

const COUNTS = [
  'prenatal_visits',
  'previous_births_living',
  'previous_births_dead',
  'previous_cesareans',
  'other_outcomes',
  'cigarettes_before',
  'cigarettes_first_trimester',
  'cigarettes_second_trimester',
  'cigarettes_third_trimester',
] as const;

for (const count of COUNTS)
  entering(`99 typed for ${count} is not known, and that is said`, () => {
    const entered = enter({ ...ines, [count]: '99' });
    if (entered.kind === 'refused') throw new Error('refused');
    assert.is(entered.course[count], null);
    assert.equal(
      entered.course.warnings.map(({ field, raw, id }) => [field, raw, id]),
      [[count, 99, 'code-for-unknown']],
    );
    assert.equal(
      entered.notices.filter(({ id }) => id === 'count-unknown').map(({ path }) => path),
      [count],
    );
  });

entering('88 and 98 stay numbers', () => {
  const course = courseEntered({ ...ines, prenatal_visits: '88', cigarettes_before: '98' });
  assert.equal([course.prenatal_visits, course.cigarettes_before], [88, 98]);
  assert.equal(course.warnings, []);
});

entering('a correction to 99 takes the count away, once more changes nothing', () => {
  const before = courseEntered({ ...ines, prenatal_visits: '12' });
  const corrected = courseEntered({ prenatal_visits: '99' }, { existing: before });
  assert.is(corrected.prenatal_visits, null);
  assert.is(corrected.warnings.length, 1);
  const again = courseEntered({ prenatal_visits: '99' }, { existing: corrected });
  assert.equal(again.warnings, corrected.warnings);
  assert.equal(courseEntered({ prenatal_visits: '9' }, { existing: corrected }).warnings, []);
});

for (const path of ['mother.birth_date', 'children.0.birth_date', 'last_menstrual_period'] as const)
  entering(`a year before 1900, or 9999, is refused as ${path}`, () => {
    for (const date of ['1/1/0001', '12/31/1899', '12/31/9999']) {
      const entered = enter({ ...ines, 'children.0.birth_time': '', [path]: date });
      assert.equal(
        entered.kind === 'refused' ? entered.errors.map(({ id }) => id) : [],
        ['year-impossible'],
        date,
      );
    }
  });

for (const [typed, state, typedCountry, country] of [
  ['Alabama', 'AL', 'USA', 'US'],
  ['new york', 'NY', 'United States of America', 'US'],
  ['Washington, D.C.', 'DC', '', null],
  ['Ontario', 'Ontario', 'Canada', 'CA'],
  ['ZZ', null, 'ZZ', null],
] as const)
  entering(`state ${typed} and country ${typedCountry} are read as in a Bundle`, () => {
    const { address } = courseEntered({
      ...ines,
      'mother.address.state': typed,
      'mother.address.country': typedCountry,
      'mother.address.postal_code': '99999',
    }).mother;
    assert.equal([address.state, address.country, address.postal_code], [state, country, null]);
  });

entering.run();

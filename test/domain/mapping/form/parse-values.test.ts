import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FIELDS, type FieldPath } from '../../../../domain/course/fields.ts';
import {
  parseDate,
  parseDateTime,
  parsePartialDate,
  parseTimeOfDay,
} from '../../../../domain/mapping/form/parse-dates.ts';
import { parseGestation } from '../../../../domain/mapping/form/parse-measures.ts';
import { parseValue } from '../../../../domain/mapping/form/parse-values.ts';
import type { Parsed } from '../../../../domain/mapping/form/parsed.ts';
import { runs } from '../../../support/runs.ts';
import { READINGS, REPETITIONS } from '../../../support/slow-texts.ts';

const typing = suite('values as people type them');

/** The value, null for blank, or the message. */
const told = (one: Parsed<unknown>): unknown => {
  if (one.kind === 'value') return one.value;
  return one.kind === 'wrong' ? one.message : null;
};

const read = (path: FieldPath, text: string, unitIsNamed = false): unknown => {
  const field = FIELDS.find((one) => one.path === path);
  if (field === undefined) throw new Error(path);
  return told(parseValue(field, text, { offsetAt: () => '-04:00', unitIsNamed }));
};

const table = (
  title: string,
  readOne: (text: string) => unknown,
  rows: readonly (readonly [text: string, value: unknown])[],
) => {
  for (const [text, value] of rows)
    typing(`${title}: ${JSON.stringify(text)}`, () => {
      assert.equal(readOne(text), value);
    });
};

const MAY_12 = '2026-05-12';
const DATE_UNCLEAR = 'Enter a date like 5/12/2026 or May 12, 2026 for the date of birth.';
const DATE_PARTIAL =
  'The date of birth needs a day, a month and a year. Enter a date like 5/12/2026 or May 12, 2026.';

table('a date', (text) => told(parseDate(text, 'date of birth')), [
  ['2026-05-12', MAY_12],
  ['2026-5-12', MAY_12],
  ['2026/05/12', MAY_12],
  ['5/12/2026', MAY_12],
  ['05-12-2026', MAY_12],
  ['May 12 2026', MAY_12],
  ['may 12th, 2026', MAY_12],
  ['12 May 2026', MAY_12],
  ['12-May-2026', MAY_12],
  ['12th of May 2026', MAY_12],
  ['Sept. 3, 2026', '2026-09-03'],
  ['  Feb  29   2028 ', '2028-02-29'],
  ['5/12/26', 'Write the year of the date of birth with all four digits.'],
  [
    '13/5/2026',
    "The date of birth isn't a real date: your practice writes the month first, and there are only 12 months. For a day in May, enter 5/13/2026 or May 13, 2026.",
  ],
  ['2/30/2026', "The date of birth isn't a real date. Check the day and the month."],
  ['2/29/2026', "The date of birth isn't a real date. Check the day and the month."],
  ['2026-05', DATE_PARTIAL],
  ['May 2026', DATE_PARTIAL],
  ['2026', DATE_PARTIAL],
  ['12.05.2026', '2026-12-05'],
  ['Maybe 12 2026', DATE_UNCLEAR],
  ['tomorrow', DATE_UNCLEAR],
]);

table('a date, or what is known of it', (text) => told(parsePartialDate(text, 'date')), [
  ['5/12/2026', MAY_12],
  ['2026', '2026'],
  ['5/2026', '2026-05'],
  ['05-2026', '2026-05'],
  ['2026-5', '2026-05'],
  ['May 2026', '2026-05'],
  ['sept. 2026', '2026-09'],
  ['13/2026', "The date isn't a real date. Check the month."],
  ['5/12', 'The date needs at least a year. Enter what is known of it, such as 5/2026 or 2026.'],
  [
    'Mayor 2026',
    'The date needs a day, a month and a year. Enter a date like 5/12/2026 or May 12, 2026.',
  ],
]);

table('cigarettes', (text) => read('cigarettes_before', text), [
  ['10', 10],
  ['1 pack', 20],
  ['a pack a day', 20],
  ['1/2 pack', 10],
  ['half a pack', 10],
  ['1 1/2 packs', 30],
  ['1.5 ppd', 30],
  [
    'some packs',
    'The number of cigarettes per day before pregnancy needs to be a whole number from 0 to 999.',
  ],
]);

const CLOCK_UNCLEAR = 'The time of birth is not understood. Type it like 14:05 or 2:05 pm.';
const NO_CLOCK = "The time of birth isn't a valid time. Type it like 14:05 or 2:05 pm.";

table('a time', (text) => told(parseTimeOfDay(text, 'time of birth')), [
  ['14:05', '14:05:00'],
  ['14:05:09', '14:05:09'],
  ['1405', '14:05:00'],
  ['4:05', '04:05:00'],
  ['2:05 pm', '14:05:00'],
  ['2:05 P.M.', '14:05:00'],
  ['2pm', '14:00:00'],
  ['12:10 am', '00:10:00'],
  ['12 pm', '12:00:00'],
  ['14', CLOCK_UNCLEAR],
  ['noonish', CLOCK_UNCLEAR],
  ['24:00', NO_CLOCK],
  ['13:05 pm', NO_CLOCK],
  ['2:65 pm', NO_CLOCK],
]);

table(
  'a date and time',
  (text) => {
    const one = parseDateTime(text, 'time of birth', () => '-04:00');
    return one === null ? 'none' : told(one);
  },
  [
    ['2026-05-12T14:05:00-05:00', '2026-05-12T14:05:00-05:00'],
    ['2026-05-12T14:05', '2026-05-12T14:05:00-04:00'],
    ['5/12/2026 2:05 pm', '2026-05-12T14:05:00-04:00'],
    ['May 12, 2026 at 14:05', '2026-05-12T14:05:00-04:00'],
    [' May  12,  2026   at   2:05   pm ', '2026-05-12T14:05:00-04:00'],
    ['5/12/2026, 2 pm', '2026-05-12T14:00:00-04:00'],
    ['5/12/2026,2 pm', 'none'],
    ['14:05', 'none'],
    ['2026-05-12T14:05:00-05:99', 'none'],
    ['2026-05-12T14:05:00-0599', 'none'],
    ['5/12/2026 2:05 pm -05:99', 'none'],
    ['5/12/2026 2:05 pm GMT+5:60', 'none'],
  ],
);

const NO_UNIT = 'The birth weight is missing a unit. Use grams, or pounds and ounces.';
const UNCLEAR_WEIGHT = 'The birth weight is not understood. Use grams, or pounds and ounces.';
const NO_SUCH_WEIGHT = 'The birth weight is not possible. It needs to be from 100 g to 9000 g.';

table('a birth weight', (text) => read('children.birth_weight_grams', text), [
  ['3400 g', 3400],
  ['3,400 grams', 3400],
  ['3400', 3400],
  ['3.4 kg', 3400],
  ['3,4kg', 3400],
  ['7 lb 8 oz', 3401.942775],
  ['7lbs, 8oz.', 3401.942775],
  ['7 pounds and 8 ounces', 3401.942775],
  ['7 lb 8', 3401.942775],
  ['7.5 lb', 3401.942775],
  ['120 oz', 3401.942775],
  ['', null],
  ['unknown', null],
  ['7', NO_UNIT],
  ['7.5', NO_UNIT],
  ['250', NO_UNIT],
  ['3400 furlongs', 'The birth weight has an unknown unit. Use grams, or pounds and ounces.'],
  ['7 lb 8 g', UNCLEAR_WEIGHT],
  ['heavy', UNCLEAR_WEIGHT],
  ['-3400 g', UNCLEAR_WEIGHT],
  ['34 kg', NO_SUCH_WEIGHT],
]);

table(
  'a birth weight under a label with a unit',
  (text) => read('children.birth_weight_grams', text, true),
  [
    ['250', 250],
    ['7', NO_SUCH_WEIGHT],
  ],
);

table("the mother's weight", (text) => read('mother.delivery_weight_kg', text), [
  ['65 kg', 65],
  ['143 lb', 64.86370891],
  [
    '143',
    "The mother's weight at delivery is missing a unit. Use pounds or kilograms, such as 143 lb or 65 kg.",
  ],
]);

table('a height', (text) => read('mother.height_cm', text), [
  ['170 cm', 170],
  ['1.7 m', 170],
  ['5 ft 7 in', 170.18],
  ['5\'7"', 170.18],
  ['5’7', 170.18],
  ['67 inches', 170.18],
]);

const GESTATION_ASKED =
  'Is the gestational age in weeks and days, or in a fraction of weeks? Type 39w4d for 39 weeks 4 days, or 39.4 weeks.';
const GESTATION_UNCLEAR =
  'The gestational age is not understood. Type weeks and days like 39w4d, or weeks like 39.4 weeks.';

table(
  'a gestational age, in days',
  (text) => {
    const one = parseGestation(text, 'gestational age');
    return one.kind === 'value' ? [one.value.days, one.value.hasDays] : told(one);
  },
  [
    ['39w4d', [277, true]],
    ['39 weeks 4 days', [277, true]],
    ['39 wk, 4 d', [277, true]],
    ['39+4', [277, true]],
    ['39 4/7', [277, true]],
    ['39-4/7', [277, true]],
    ['39 weeks 4 days', [277, true]],
    ['39.4 weeks', [276, true]],
    ['39.4', GESTATION_ASKED],
    ['39,4', GESTATION_ASKED],
    ['39.5', GESTATION_ASKED],
    ['39.57', [277, true]],
    ['39', [273, false]],
    ['39 weeks', [273, false]],
    ['277 days', [277, true]],
    ['39w9d', GESTATION_UNCLEAR],
    ['term', GESTATION_UNCLEAR],
    ['50', 'The gestational age is not possible. It needs to be from 12 to 47 weeks.'],
  ],
);

table('yes or no', (text) => read('doula_present', text), [
  ['Yes', true],
  ['n', false],
  ['TRUE', true],
  ['unknown', null],
  ['maybe', 'The answer about a doula needs to be yes, no or unknown.'],
]);

table('a whole number', (text) => read('prenatal_visits', text), [
  ['12', 12],
  ['12.0', 12],
  ['12.5', 'The number of prenatal visits needs to be a whole number from 0 to 99.'],
  ['120', 'The number of prenatal visits needs to be a whole number from 0 to 99.'],
  ['many', 'The number of prenatal visits needs to be a whole number from 0 to 99.'],
]);

table('an Apgar score', (text) => read('children.apgar_five_minute', text), [
  ['9', 9],
  ['14', 'The Apgar score at five minutes needs to be a whole number from 0 to 10.'],
]);

table('a place of birth', (text) => read('place_of_birth', text), [
  ['hospital', 'Hospital'],
  ['BIRTH CENTER', 'Birth center'],
  ['birth-centre', 'Birth center'],
  ['22232009', 'Hospital'],
  ['67190003', 'Home'],
  ['en route', 'En route'],
  [
    'barn',
    'The place of birth is not one that the registry knows. Choose one of: Hospital; Birth center; Home; Clinic; Other; En route.',
  ],
]);

table('a code', (text) => read('delivery_method', text), [
  ['11466000', '11466000'],
  ['Cesarean', '11466000'],
  ['c-section', '11466000'],
  ['vaginal, spontaneous', '700000006'],
]);

table('codes', (text) => read('mother.race', text), [
  ['White; Asian', ['2106-3', '2028-9']],
  ['white, white', ['2106-3']],
  ['Chinese; other asian', ['2034-7', 'other-asian']],
  ['', null],
]);

table('a sex', (text) => read('children.sex', text), [
  ['F', 'female'],
  ['Boy', 'male'],
  ['unknown', 'unknown'],
  ['U', 'unknown'],
  ['UNK', 'unknown'],
  ['Not known', 'unknown'],
  ['', null],
]);

table('names', (text) => read('mother.given_names', text), [
  ['  Ana   María ', ['Ana', 'María']],
  ['Mary Jane; Ann', ['Mary Jane', 'Ann']],
]);

table('a chart number', (text) => read('chart_number', text), [
  [' C  1 ', 'C  1'],
  [
    'x'.repeat(256),
    'The chart number has more than 255 characters, or some that cannot be kept. Type it as it stands in the chart.',
  ],
]);

table('a state', (text) => read('mother.address.state', text), [
  ['ny', 'NY'],
  ['Oregon', 'OR'],
  ['district of columbia', 'DC'],
  [
    'Bavaria',
    'Enter the state as a two-letter code, such as OR, or by its name. For an address abroad, enter the country too.',
  ],
  ['unknown', null],
]);

const NO_PHONE =
  "Enter the mother's phone number with its area code, like 503-555-0142. For another country, begin with + and its code.";

table('a phone number', (text) => read('mother.phone', text), [
  ['(503) 555-0142', '503-555-0142'],
  ['503.555.0142', '503-555-0142'],
  ['+1 503 555 0142', '503-555-0142'],
  ['1-503-555-0142 x12', '503-555-0142 ext. 12'],
  ['+44 20 7946 0958', '+442079460958'],
  ['555-0142', NO_PHONE],
  ['103-555-0142', NO_PHONE],
  ['44 20 7946 0958', NO_PHONE],
  ['unknown', null],
]);

const reading = (dateOrder: 'month-first' | 'day-first') => (text: string) =>
  told(parseDate(text, 'date of birth', { dateOrder, today: '2026-11-24' }));

table('a date where the month comes first', reading('month-first'), [
  ['11/10/26', '2026-11-10'],
  ['11102026', '2026-11-10'],
  ['11.10.2026', '2026-11-10'],
  ['2026-11-10', '2026-11-10'],
  ['20261110', '2026-11-10'],
  ['10 Nov 2026', '2026-11-10'],
  ['Nov 10, 26', '2026-11-10'],
  ['6/2/94', '1994-06-02'],
  ['12/25/26', '2026-12-25'],
  ['Today', '2026-11-24'],
  ['yesterday', '2026-11-23'],
  [
    '13102026',
    "The date of birth isn't a real date: your practice writes the month first, and there are only 12 months. For a day in May, enter 5/13/2026 or May 13, 2026.",
  ],
]);

table('a date where the day comes first', reading('day-first'), [
  ['11/10/26', '2026-10-11'],
  ['11102026', '2026-10-11'],
  ['11.10.2026', '2026-10-11'],
  ['2026-11-10', '2026-11-10'],
  ['Nov 10, 2026', '2026-11-10'],
  [
    '10/13/2026',
    "The date of birth isn't a real date: your practice writes the day first, and there are only 12 months. For a day in May, enter 13/5/2026 or May 13, 2026.",
  ],
  ['soon', 'Enter a date like 12/5/2026 or 12 May 2026 for the date of birth.'],
]);

typing('every pattern answers to long texts that are slow to read', () => {
  for (const [name, readOne] of Object.entries(READINGS))
    for (const { name: text, textOf } of REPETITIONS) {
      const kind = readOne(textOf(100_000))?.kind ?? 'blank';
      assert.ok(['value', 'blank', 'wrong'].includes(kind), `${name}: ${text}`);
    }
});

typing('any text gives an answer, and no message repeats what was typed', () => {
  const field = fc.constantFrom(...FIELDS);
  fc.assert(
    fc.property(field, fc.string({ unit: 'binary', maxLength: 40 }), (one, text) => {
      const value = parseValue(one, text, { offsetAt: () => null, unitIsNamed: false });
      const secret = `${text}zebra`;
      const other = parseValue(one, secret, { offsetAt: () => null, unitIsNamed: false });
      assert.ok(['value', 'blank', 'wrong'].includes(value.kind));
      if (other.kind === 'wrong') assert.not.match(other.message, /zebra/);
    }),
    runs(2_000),
  );
});

typing.run();

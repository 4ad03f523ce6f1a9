import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CERTIFICATE_ITEMS, DEFAULT_ITEMS } from '../../../domain/course/certificate-items.ts';
import { CESAREAN, VAGINAL_SPONTANEOUS } from '../../../domain/course/codes.ts';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from '../../../domain/course/course.ts';
import { findFieldAt } from '../../../domain/course/fields.ts';
import { maskForPartner } from '../../../domain/course/mask.ts';
import { computeDueDate, findMissingItems } from '../../../domain/course/missing-items.ts';
import { completeOrigins } from '../../../domain/course/origins.ts';
import { buildTransfer } from '../../support/transfers.ts';

const ALL = CERTIFICATE_ITEMS.map(({ id }) => id);

const course = (
  given: Partial<CourseOfCare>,
  ...children: readonly Partial<Child>[]
): CourseOfCare => ({
  ...emptyCourseOfCare(),
  ...given,
  children: children.map((child) => ({ ...emptyChild(), ...child })),
});

const born: Partial<Child> = {
  family_name: 'Nuñez',
  given_names: ['Ada'],
  birth_date: '2026-05-12',
  birth_time: '2026-05-12T14:05',
  sex: 'female',
  birth_weight_grams: 3400,
  gestational_age_weeks: 39,
  apgar_five_minute: 9,
};
const named = {
  ...emptyMother(),
  family_name: 'Nuñez',
  given_names: ['Rosa'],
  birth_date: '1994-08-30',
};
const complete: Partial<CourseOfCare> = {
  mother: named,
  plurality: 1,
  place_of_birth: 'Hospital',
  delivery_method: VAGINAL_SPONTANEOUS,
};

interface Row {
  readonly name: string;
  readonly given: CourseOfCare;
  readonly needed?: readonly string[];
  readonly isDeidentified?: boolean;
  readonly expect: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    name: 'a record that holds every needed item lacks nothing',
    given: course(complete, born),
    expect: [],
  },
  {
    name: 'a record of nothing but a child lacks the default items, in the order of a record',
    given: course({}, {}),
    expect: [
      'mother-name mother.family_name mother.given_names',
      'mother-birth-date mother.birth_date',
      'plurality plurality',
      'place-of-birth place_of_birth',
      'delivery-method delivery_method',
      'child-name[0] children.family_name children.given_names',
      'birth-date[0] children.birth_date',
      'birth-time[0] children.birth_time',
      'sex[0] children.sex',
      'birth-weight[0] children.birth_weight_grams',
      'gestational-age[0] children.gestational_age_weeks',
      'apgar-five[0] children.apgar_five_minute',
    ],
  },
  {
    name: 'an item that is not needed is not missing',
    given: course({}, {}),
    needed: ['sex'],
    expect: ['sex[0] children.sex'],
  },
  {
    name: 'nothing is needed, so nothing is missing',
    given: course({}, {}),
    needed: [],
    expect: [],
  },
  {
    name: 'an item of a later version of the list counts for nothing',
    given: course(complete, born),
    needed: ['certifier-of-tomorrow'],
    expect: [],
  },
  {
    name: 'an item of several fields names those that are empty',
    given: course({ ...complete, mother: { ...named, given_names: [] } }, born),
    expect: ['mother-name mother.given_names'],
  },
  {
    name: 'zero is an answer',
    given: course({ prenatal_visits: 0, cigarettes_before: 0 }, born),
    needed: ['prenatal-visits', 'cigarettes'],
    expect: [
      'cigarettes cigarettes_first_trimester cigarettes_second_trimester cigarettes_third_trimester',
    ],
  },
  {
    name: '"no" is an answer',
    given: course({ wic: false }, { ...born, nicu_admission: false }),
    needed: ['wic', 'nicu'],
    expect: [],
  },
  {
    name: 'the Apgar score at 10 minutes is needed below 6 at 5 minutes',
    given: course(complete, { ...born, apgar_five_minute: 5 }),
    expect: ['apgar-ten[0] children.apgar_ten_minute'],
  },
  {
    name: 'it is not needed at 6',
    given: course(complete, { ...born, apgar_five_minute: 6 }),
    expect: [],
  },
  {
    name: 'it is not needed while the score at 5 minutes is not known',
    given: course(complete, { ...born, apgar_five_minute: null }),
    expect: ['apgar-five[0] children.apgar_five_minute'],
  },
  {
    name: 'each of twins needs its birth order',
    given: course({ ...complete, plurality: 2 }, { ...born, birth_order: 1 }, born),
    expect: ['birth-order[1] children.birth_order'],
  },
  {
    name: 'a twin whose sibling is not entered here needs it too',
    given: course({ ...complete, plurality: 2 }, born),
    expect: ['birth-order[0] children.birth_order'],
  },
  {
    name: 'a fetal death is not asked for a name, Apgar scores, the NICU or breastfeeding',
    given: course(complete, {
      birth_date: '2026-05-12',
      birth_time: '2026-05-12T14:05',
      sex: 'unknown',
      birth_weight_grams: 900,
      gestational_age_weeks: 26,
      fetal_death: true,
    }),
    needed: [...DEFAULT_ITEMS, 'nicu', 'living', 'breastfed', 'child-record-number'],
    expect: [],
  },
  {
    name: 'a twin of a fetal death is asked for its own items',
    given: course(
      { ...complete, plurality: 2 },
      { ...born, birth_order: 1, apgar_five_minute: null, fetal_death: true },
      { ...born, birth_order: 2, apgar_five_minute: null },
    ),
    expect: ['apgar-five[1] children.apgar_five_minute'],
  },
  {
    name: 'a child that has died is not asked about breastfeeding',
    given: course(complete, { ...born, living: false }),
    needed: ['living', 'breastfed'],
    expect: [],
  },
  ...(
    [
      ['an answer about Hispanic origin', { ethnicity: '2186-5' }, []],
      ['a refusal to state it', { ethnicity_absent_reason: 'declined' }, []],
      ['an origin', completeOrigins({ ...emptyMother(), hispanic_origins: ['2182-4'] }), []],
      ['none of them', {}, ['hispanic-origin mother.ethnicity']],
    ] as const
  ).map(
    ([what, mother, expect]): Row => ({
      name: `the item of Hispanic origin, with ${what}`,
      given: course({ ...complete, mother: { ...named, ...mother } }, born),
      needed: ['hispanic-origin'],
      expect,
    }),
  ),
  {
    name: 'a planned place is needed where the birth was at home',
    given: course({ ...complete, place_of_birth: 'Home' }, born),
    expect: ['planned-home-birth planned_place_of_birth'],
  },
  {
    name: 'the answer about a planned home birth does as well',
    given: course({ ...complete, place_of_birth: 'Home', planned_home_birth: 'unknown' }, born),
    expect: [],
  },
  {
    name: 'a trial of labor is needed where it was a cesarean',
    given: course({ ...complete, delivery_method: CESAREAN }, born),
    needed: ['trial-of-labor'],
    expect: ['trial-of-labor trial_of_labor'],
  },
  {
    name: 'a trial of labor is not needed otherwise',
    given: course(complete, born),
    needed: ['trial-of-labor'],
    expect: [],
  },
  {
    name: 'a mother without earlier births is not asked about earlier cesareans',
    given: course({ previous_births_living: 0, previous_births_dead: 0 }, born),
    needed: ['previous-cesareans'],
    expect: [],
  },
  {
    name: 'a mother whose earlier births are not known is',
    given: course({ previous_births_living: 0 }, born),
    needed: ['previous-cesareans'],
    expect: ['previous-cesareans previous_cesareans'],
  },
  {
    name: 'without prenatal visits there was no first one',
    given: course({ prenatal_visits: 0 }, born),
    needed: ['first-prenatal-visit'],
    expect: [],
  },
  {
    name: 'an attendant is asked for by name and title, which every lane but a partner can state',
    given: course(complete, born),
    needed: ['attendant'],
    expect: ['attendant attendant_name attendant_title'],
  },
  {
    name: 'an attendant of whom only the name is known lacks the title',
    given: course({ ...complete, attendant_name: 'Maya Lindqvist' }, born),
    needed: ['attendant'],
    expect: ['attendant attendant_title'],
  },
  {
    name: 'an attendant with name and title is complete',
    given: course(
      { ...complete, attendant_name: 'Maya Lindqvist', attendant_title: 'cnm-cm' },
      born,
    ),
    needed: ['attendant'],
    expect: [],
  },
  {
    name: 'a provider whom a partner named is the attendant, also after a native amendment',
    given: course({ ...complete, attendant: 'provider-1' }, born),
    needed: ['attendant'],
    expect: [],
  },
  {
    name: 'a de-identified record whose attendant a person added is complete',
    given: course(
      { ...complete, attendant_name: 'Maya Lindqvist', attendant_title: 'cnm-cm' },
      born,
    ),
    needed: ['attendant'],
    isDeidentified: true,
    expect: [],
  },
  {
    name: 'a de-identified record is not asked for what the mask drops, but for the rest',
    given: maskForPartner(course({ ...complete, plurality: null }, born)),
    needed: ALL,
    isDeidentified: true,
    expect: [
      'residence mother.address.state',
      'education mother.education',
      'hispanic-origin mother.ethnicity',
      'race mother.race',
      'height mother.height_cm',
      'prepregnancy-weight mother.prepregnancy_weight_kg',
      'delivery-weight mother.delivery_weight_kg',
      'plurality plurality',
      'prenatal-visits prenatal_visits',
      'wic wic',
      'cigarettes cigarettes_before cigarettes_first_trimester cigarettes_second_trimester cigarettes_third_trimester',
      'previous-live-births previous_births_living previous_births_dead',
      'other-outcomes other_outcomes',
      'previous-cesareans previous_cesareans',
      'attendant attendant',
      'induction induction',
      'augmentation augmentation',
      'mother-transfer mother_transfer',
      'presentation[0] children.presentation',
      'nicu[0] children.nicu_admission',
      'infant-transfer[0] children.transfer_within_day',
      'living[0] children.living',
      'breastfed[0] children.breastfed_at_discharge',
    ],
  },
  {
    name: 'answers about transfers are not missing if a transfer gives them',
    given: course(
      {
        transfers: [
          buildTransfer({ type: 'mother', direction: 'in', place: 'home' }),
          buildTransfer({ type: 'infant', direction: 'out', hours_after_birth: 24 }),
        ],
      },
      born,
    ),
    needed: ['mother-transfer', 'infant-transfer'],
    expect: [],
  },
  {
    name: 'they are missing if it does not',
    given: course(
      {
        transfers: [
          buildTransfer({ type: 'mother', direction: 'in', timing: 'after birth' }),
          buildTransfer({ type: 'infant', direction: 'out', hours_after_birth: 25 }),
        ],
      },
      born,
    ),
    needed: ['mother-transfer', 'infant-transfer'],
    expect: ['mother-transfer mother_transfer', 'infant-transfer[0] children.transfer_within_day'],
  },
];

const missing = suite('missing items');
for (const { name, given, needed = DEFAULT_ITEMS, isDeidentified, expect } of ROWS)
  missing(name, () => {
    assert.equal(
      findMissingItems(given, needed, isDeidentified).map(
        ({ item, child, paths }) =>
          `${item.id}${child === null ? '' : `[${child}]`} ${paths.join(' ')}`,
      ),
      expect,
    );
  });
missing.run();

const items = suite('items of the certificate');
items('each has an id of its own, and fields of the section that it stands in', () => {
  assert.is(new Set(ALL).size, ALL.length);
  for (const { section, paths, id } of CERTIFICATE_ITEMS)
    for (const path of paths)
      assert.is(findFieldAt(path).parent === 'children', section === 'child', `${id} ${path}`);
});
items('no field belongs to two items', () => {
  const paths = CERTIFICATE_ITEMS.flatMap((item) => [...item.paths, ...(item.instead ?? [])]);
  assert.is(new Set(paths).size, paths.length);
});
items('each can be stated in a form, so a person can complete every record', () => {
  for (const { paths, id } of CERTIFICATE_ITEMS)
    for (const path of paths) assert.ok(findFieldAt(path).form, `${id} ${path}`);
});
items.run();

const due = suite('due date');
const DUE = [
  ['five days after the birth', course({}, { birth_date: '2026-05-30' }), 5, '2026-06-04'],
  ['none where the practice set no days', course({}, { birth_date: '2026-05-30' }), null, null],
  ['none without a day of birth', course({}, {}), 5, null],
  ['none where only the year is kept', course({}, { birth_date: '2026' }), 5, null],
] as const;
for (const [name, given, days, expected] of DUE)
  due(name, () => {
    assert.is(computeDueDate(given, days), expected);
  });
due.run();

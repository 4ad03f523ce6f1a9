import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOffsetAt } from '../../../../api/practice-time/practice-clock.ts';
import { EDUCATION_LEVELS, HISPANIC_ORIGINS, RACES } from '../../../../domain/course/codes.ts';
import { emptyChild } from '../../../../domain/course/course.ts';
import { IJE_ITEMS } from '../../../../domain/export/ije/items.ts';
import { ACCOUNTED_COLUMNS } from '../../../../domain/export/ije/layout.ts';
import { LINE_LENGTH } from '../../../../domain/export/ije/state-file.ts';
import type { NamedProvider } from '../../../../domain/provider/details.ts';
import {
  columnIn,
  courseSaid,
  LAYOUT,
  lineOf,
  linesOf,
  type SaidBirth,
} from '../../../support/state-file.ts';
import { LEVELS } from '../../../support/state-file-reader.ts';
import { buildTransfer } from '../../../support/transfers.ts';

const CHECKED =
  /^(?:Risk Factors|Infections|Obstetric|Characteristics|Maternal Morbidity|Abnormal|Congenital)(?!.*Edit Flag)/;

const table = suite('the items of the state file');

table('stand in the columns of the published layout, in its order, and nowhere twice', () => {
  let end = 0;
  for (const { name, begin, length } of IJE_ITEMS) {
    const column = LAYOUT.get(name);
    assert.equal([begin, length], [column?.begin, column?.length], name);
    assert.ok(begin > end, `${name} begins after the item before it`);
    end = begin + length - 1;
  }
  assert.ok(end <= LINE_LENGTH);
});

table('are, with the blank ones, every column of the published layout', () => {
  assert.equal(
    ACCOUNTED_COLUMNS.map(({ name, begin, length }) => [name, begin, length]),
    [...LAYOUT.values()].map(({ name, begin, length }) => [name, begin, length]),
  );
  for (const { name, has, rule } of ACCOUNTED_COLUMNS) {
    assert.ok(rule !== '', name);
    const isBlank = columnIn(lineOf({}), name).trim() === '';
    if (has.endsWith('blanks')) assert.ok(isBlank, name);
    if (has.endsWith('unknown')) assert.not(isBlank, name);
  }
});

table('of which nothing is known are what the layout has for that, in 4,000 characters', () => {
  const line = lineOf({});
  assert.is(line.length, 4000);
  const written = (unknown: string) =>
    [...LAYOUT.keys()].filter((name) => columnIn(line, name).replaceAll(unknown, '') === '');
  const blank = written(' ');
  for (const { name } of IJE_ITEMS.filter(({ kind }) => kind === 'text'))
    assert.ok(blank.includes(name), name);
  for (const name of [
    'BSTATE',
    'FILENO',
    'MRACE1',
    'MOM_SSN',
    'DADLNAME',
    'DOR_YR',
    'PPO',
    'MATCH',
  ])
    assert.ok(blank.includes(name), `${name} is blank`);
  // What is checked or not on the certificate, but for items that no state collects any more.
  const asked = [...LAYOUT.values()].filter(
    ({ length, meaning }) => length === 1 && CHECKED.test(meaning),
  );
  assert.equal(
    asked.filter(({ name }) => !written('U').includes(name)).map(({ name }) => name),
    asked.filter(({ meaning }) => meaning.includes('DELETED')).map(({ name }) => name),
  );
  for (const name of ['MARN', 'ACKN', 'LIMITS', 'METHNIC1', 'FETHNIC4', 'WIC', 'TRAN', 'ITRAN'])
    assert.is(columnIn(line, name), 'U', name);
  const NINES =
    'IDOB_YR TB IDOB_MO IDOB_DY BPLACE MDOB_YR MDOB_MO MDOB_DY MEDUC FEDUC ATTEND ' +
    'DOFP_MO DOFP_DY DOFP_YR NPREV HFT HIN PWGT DWGT PLBL PLBD POPO MLLB YLLB MOPO YOPO CIGPN CIGFN CIGSN ' +
    'CIGLN PAY DLMP_YR DLMP_MO DLMP_DY NPCES PRES ROUT BWG OWGEST APGAR5 APGAR10 PLUR SORD LIVEB MAGER FAGER MAGE_CALC';
  assert.is(written('9').join(' '), NINES);
  assert.equal(written('Z'), ['STATEC', 'COUNTRYC']);
  assert.is(columnIn(line, 'ISEX'), 'N');
  assert.is(columnIn(line, 'VOID'), '0');
});
table.run();

/** What is said of a birth, and what its columns then hold, without the blanks at their ends. */
type Row = readonly [name: string, said: SaidBirth, columns: Readonly<Record<string, string>>];

const rows = suite('an item of the state file');
const runRows = (all: readonly Row[]): void => {
  for (const [name, said, columns] of all)
    rows(name, () => {
      const line = lineOf(said);
      assert.is(line.length, LINE_LENGTH);
      for (const [column, held] of Object.entries(columns))
        assert.is(columnIn(line, column).trimEnd(), held, column);
    });
};

/** The boxes of the layout, by the race that each asks for. */
const RACE_COLUMNS: readonly (readonly [string, string])[] = [...LAYOUT.values()].flatMap(
  ({ name, meaning }) => {
    const [, asked] = /^Mother's Race--(.+)$/.exec(meaning) ?? [];
    if (asked === undefined || !/^MRACE(?:\d|1[0-5])$/.test(name)) return [];
    const own = asked === 'Other' ? 'Other Race' : asked;
    const [code] = [...RACES].find(([, display]) => display === own) ?? [];
    return code === undefined ? [] : [[name, code] as const];
  },
);

const provider = (providerId: string, name: string, npi: string | null): NamedProvider => ({
  providerId,
  identity: providerId,
  npi,
  name,
  credentials: null,
  role: 'midwife',
});

const DATE = { IDOB_YR: '2026', IDOB_MO: '05', IDOB_DY: '12' };
const born = { birth_date: '2026-05-12' };
const inChicago = createOffsetAt('America/Chicago');

runRows([
  ['date of birth, whole', { child: born }, DATE],
  [
    'date of birth of a masked record, whose year alone is held',
    { child: { birth_date: '2026', family_name: 'Ruiz' } },
    { IDOB_YR: '2026', IDOB_MO: '99', IDOB_DY: '99' },
  ],
  [
    'time of birth without an offset',
    { child: { birth_time: '2026-05-12T00:05' } },
    { TB: '0005' },
  ],
  [
    'time of birth on the clock of its sender',
    { child: { ...born, birth_time: '2026-05-12T23:59:30-10:00' } },
    { TB: '2359' },
  ],
  [
    'time of birth in UTC, on the clock of the practice',
    { child: { ...born, birth_time: '2026-05-13T03:10:00Z' }, offsetAt: inChicago },
    { ...DATE, TB: '2210' },
  ],
  [
    'time of birth in UTC of a practice without a time zone',
    { child: { ...born, birth_time: '2026-05-12T03:10:00Z' } },
    { TB: '9999' },
  ],
  [
    'time of birth on another day than the date of birth',
    { child: { ...born, birth_time: '2026-05-13T03:10' } },
    { ...DATE, TB: '9999' },
  ],
  ['time of birth that is no time', { child: { birth_time: '2026-05-12' } }, { TB: '9999' }],
  ...(
    [
      ['male', 'M'],
      ['female', 'F'],
      ['unknown', 'N'],
      ['other', 'N'],
    ] as const
  ).map(([sex, code]): Row => [`sex, ${sex}`, { child: { sex } }, { ISEX: code }]),
  [
    'names of the child, all given names but the first as the middle name',
    { child: { given_names: ['Ada', 'Maria', 'Luz'], family_name: 'Ruiz' } },
    { KIDFNAME: 'Ada', KIDMNAME: 'Maria Luz', KIDLNAME: 'Ruiz', KIDSUFFX: '' },
  ],
  [
    'suffixes of names, and one of more than 7 characters',
    { child: { family_name: 'Ruiz', suffix: 'Jr.' }, mother: { suffix: 'the Third' } },
    { KIDLNAME: 'Ruiz', KIDSUFFX: 'Jr.', MOMSUFFX: 'the Thi' },
  ],
  [
    'names of the mother',
    { mother: { given_names: ['Ana'], family_name: 'Ruiz', birth_surname: 'Soto' } },
    { MOMFNAME: 'Ana', MOMMIDDL: '', MOMLNAME: 'Ruiz', MOMMAIDN: 'Soto', MOMFMNME: '' },
  ],
  [
    'a name with accents and marks',
    { child: { given_names: ['Zoë', 'Łucja'], family_name: 'O’Brien–Núñez' } },
    { KIDFNAME: 'Zoe', KIDMNAME: 'Lucja', KIDLNAME: "O'Brien-Nunez" },
  ],
  [
    'a name in letters that are two others',
    { child: { given_names: ['Þór', 'Æsa'], family_name: 'Weiß' } },
    { KIDFNAME: 'THor', KIDMNAME: 'AEsa', KIDLNAME: 'Weiss' },
  ],
  [
    'a name in letters for which there are no others',
    { child: { given_names: ['李 Wei'], family_name: 'اسم' } },
    { KIDFNAME: 'Wei', KIDLNAME: '' },
  ],
  [
    'a name with a line feed, which would end the line',
    { child: { family_name: 'Ruiz\nSoto\tDiaz\u2028Gil' } },
    { KIDLNAME: 'Ruiz Soto Diaz Gil' },
  ],
  [
    'a name of 50 characters, and one of 60',
    { child: { given_names: ['a'.repeat(50)], family_name: `${'b'.repeat(59)}c` } },
    { KIDFNAME: 'a'.repeat(50), KIDLNAME: 'b'.repeat(50) },
  ],
  [
    'medical record numbers',
    {
      child: { medical_record_number: '123456789012345' },
      mother: { medical_record_number: '1234567890123456' },
    },
    { INF_MED_REC_NUM: '123456789012345', MOM_MED_REC_NUM: '' },
  ],
  ['birth weight, least', { child: { birth_weight_grams: 100 } }, { BWG: '0100' }],
  ['birth weight of 7 lb 8 oz', { child: { birth_weight_grams: 3401.942775 } }, { BWG: '3402' }],
  ['birth weight, most', { child: { birth_weight_grams: 9000 } }, { BWG: '9000' }],
  [
    'gestation in completed weeks',
    { child: { gestational_age_weeks: 38, gestational_age_days: 6 } },
    { OWGEST: '38' },
  ],
  [
    'Apgar scores',
    { child: { apgar_five_minute: 5, apgar_ten_minute: 10 } },
    { APGAR5: '05', APGAR10: '10' },
  ],
  ['Apgar at ten minutes, not taken', { child: { apgar_five_minute: 6 } }, { APGAR10: '88' }],
  ['Apgar at ten minutes, missing', { child: { apgar_five_minute: 5 } }, { APGAR10: '99' }],
  [
    'Apgar at ten minutes, taken though it was not asked for',
    { child: { apgar_five_minute: 0, apgar_ten_minute: 0 } },
    { APGAR5: '00', APGAR10: '00' },
  ],
  ...(
    [
      ['70028003', '1'],
      ['6096002', '2'],
      ['OTH', '3'],
      ['1234567', '9'],
      ['transverse', '9'],
    ] as const
  ).map(
    ([presentation, code]): Row => [
      `presentation ${presentation}`,
      { child: { presentation } },
      { PRES: code },
    ],
  ),
  ...(
    [
      ['700000006', '1'],
      ['302383004', '2'],
      ['61586001', '3'],
      ['11466000', '4'],
      ['water birth', '9'],
    ] as const
  ).map(
    ([delivery_method, code]): Row => [
      `delivery method ${delivery_method}`,
      { course: { delivery_method } },
      { ROUT: code },
    ],
  ),
  ...[true, false].map(
    (held): Row => [
      `answers, ${held}`,
      {
        course: { wic: held, trial_of_labor: held, delivery_method: '11466000' },
        child: { nicu_admission: held, living: held, breastfed_at_discharge: held },
      },
      Object.fromEntries(
        ['WIC', 'TLAB', 'NICU', 'ILIV', 'BFED'].map((name) => [name, held ? 'Y' : 'N']),
      ),
    ],
  ),
  ...(
    [
      ['Hospital', null, '1'],
      ['Birth center', null, '2'],
      ['Home', 'Home', '3'],
      ['Home', 'Hospital', '4'],
      ['Home', null, '5'],
      ['Clinic', null, '6'],
      ['Other', 'Home', '7'],
      ['En route', 'Hospital', '7'],
    ] as const
  ).map(
    ([place_of_birth, planned_place_of_birth, code]): Row => [
      `place of birth ${place_of_birth}, planned ${planned_place_of_birth ?? 'unknown'}`,
      { course: { place_of_birth, planned_place_of_birth } },
      { BPLACE: code },
    ],
  ),
  ...(
    [
      ['yes', 'Hospital', '3'],
      ['no', 'Home', '4'],
      ['unknown', 'Home', '5'],
      ['no', null, '4'],
    ] as const
  ).map(
    ([planned_home_birth, planned_place_of_birth, code]): Row => [
      `a home birth planned: ${planned_home_birth}, the planned place ${planned_place_of_birth}`,
      { course: { place_of_birth: 'Home', planned_home_birth, planned_place_of_birth } },
      { BPLACE: code },
    ],
  ),
  ...[...EDUCATION_LEVELS].map(
    ([education, label]): Row => [
      `education ${education}, ${label}`,
      { mother: { education } },
      { MEDUC: String(LEVELS.find(([words]) => words.test(label))?.[1] ?? 9) },
    ],
  ),
  ['education in words', { mother: { education: 'some school' } }, { MEDUC: '9' }],
  [
    'not Hispanic',
    { mother: { ethnicity: '2186-5' } },
    { METHNIC1: 'N', METHNIC2: 'N', METHNIC3: 'N', METHNIC4: 'N' },
  ],
  [
    'Hispanic of an origin that is not held',
    { mother: { ethnicity: '2135-2' } },
    { METHNIC1: 'U', METHNIC2: 'U', METHNIC3: 'U', METHNIC4: 'H', METHNIC5: '' },
  ],
  ...[...HISPANIC_ORIGINS.keys()].map(
    (origin, at): Row => [
      `Hispanic origin ${origin}`,
      { mother: { ethnicity: '2135-2', hispanic_origins: [origin] } },
      {
        ...Object.fromEntries(
          [1, 2, 3, 4].map((one) => [`METHNIC${one}`, one === at + 1 ? 'H' : 'N']),
        ),
        METHNIC5: '',
      },
    ],
  ),
  [
    'Mexican, and another Hispanic origin with a long name',
    {
      mother: {
        ethnicity: '2135-2',
        hispanic_origins: ['2148-5', 'other-hispanic'],
        other_hispanic_origin: 'Salvadoran and Guatemalan',
      },
    },
    {
      METHNIC1: 'H',
      METHNIC2: 'N',
      METHNIC3: 'N',
      METHNIC4: 'H',
      METHNIC5: 'Salvadoran and Guate',
    },
  ],
  [
    'Cuban, and not Hispanic',
    { mother: { ethnicity: '2186-5', hispanic_origins: ['2182-4'] } },
    { METHNIC1: 'N', METHNIC2: 'N', METHNIC3: 'H', METHNIC4: 'N' },
  ],
  [
    'a Hispanic origin that was declined',
    { mother: { ethnicity_absent_reason: 'declined' } },
    { METHNIC1: 'U', METHNIC2: 'U', METHNIC3: 'U', METHNIC4: 'U', METHNIC5: '' },
  ],
  [
    'two names beside each race that has lines for them',
    {
      mother: {
        race: ['1002-5', 'other-asian', '2500-7', '2131-1'],
        tribes: ['Navajo', 'Confederated Tribes of Coos, Lower Umpqua'],
        other_asian_races: ['Hmong', 'Laotian'],
        other_pacific_races: ['Tongan', 'Fijian'],
        other_races: ['Garifuna', 'Creole'],
      },
    },
    {
      ...{ MRACE1: 'N', MRACE3: 'Y', MRACE10: 'Y', MRACE14: 'Y', MRACE15: 'Y' },
      ...{ MRACE16: 'Navajo', MRACE17: 'Confederated Tribes of Coos, L' },
      ...{ MRACE18: 'Hmong', MRACE19: 'Laotian', MRACE20: 'Tongan', MRACE21: 'Fijian' },
      ...{ MRACE22: 'Garifuna', MRACE23: 'Creole' },
    },
  ],
  [
    'another race of its own field, before one among the races',
    { mother: { race: ['Basque', '2106-3'], other_races: ['Garifuna'] } },
    { MRACE1: 'Y', MRACE15: 'Y', MRACE22: 'Garifuna', MRACE23: 'Basque' },
  ],
  ...RACE_COLUMNS.map(
    ([column, code]): Row => [
      `race ${code}, ${RACES.get(code)}`,
      { mother: { race: [code] } },
      {
        ...Object.fromEntries(RACE_COLUMNS.map(([other]) => [other, 'N'])),
        [column]: 'Y',
        MRACE22: '',
      },
    ],
  ),
  [
    'a race that was declined',
    { mother: { race: [], race_absent_reason: 'declined' } },
    { ...Object.fromEntries(RACE_COLUMNS.map(([column]) => [column, ''])), MRACE22: '' },
  ],
  [
    'names of races as texts',
    { mother: { race: ['White', 'asian', 'Korean', 'Hmong'] } },
    { MRACE1: 'Y', MRACE8: 'Y', MRACE10: 'N', MRACE15: 'Y', MRACE22: 'Hmong', MRACE23: '' },
  ],
  [
    'the category Asian beside an Asian race',
    { mother: { race: ['2028-9', '2034-7'] } },
    { MRACE5: 'Y', MRACE10: 'N', MRACE15: 'N' },
  ],
  [
    'the category Asian alone, which is not the answer Other Asian',
    { mother: { race: ['2028-9'] } },
    { MRACE10: 'N', MRACE15: 'Y', MRACE22: 'Asian' },
  ],
  [
    'the answer Other Asian beside another Asian race and their category',
    { mother: { race: ['2034-7', 'other-asian', '2028-9'] } },
    { MRACE5: 'Y', MRACE10: 'Y', MRACE15: 'N', MRACE22: '' },
  ],
  [
    'the category of Pacific Islanders alone',
    { mother: { race: ['2076-8'] } },
    { MRACE11: 'N', MRACE14: 'N', MRACE15: 'Y', MRACE22: 'Pacific Islander' },
  ],
  [
    'the category of Pacific Islanders beside a race of theirs',
    { mother: { race: ['2076-8', '2080-0'] } },
    { MRACE13: 'Y', MRACE14: 'N' },
  ],
  [
    'races in words',
    { mother: { race: ['Basque', 'Sámi', '2106-3'] } },
    { MRACE1: 'Y', MRACE15: 'Y', MRACE22: 'Basque', MRACE23: 'Sami' },
  ],
  ['height of 5 ft 7 in', { mother: { height_cm: 170.18 } }, { HFT: '5', HIN: '07' }],
  ['height of 170 cm', { mother: { height_cm: 170 } }, { HFT: '5', HIN: '07' }],
  ['height just below six feet', { mother: { height_cm: 182.7 } }, { HFT: '6', HIN: '00' }],
  ['height, greatest', { mother: { height_cm: 250 } }, { HFT: '8', HIN: '02' }],
  [
    'weights of the mother',
    { mother: { prepregnancy_weight_kg: 64.86370891, delivery_weight_kg: 400 } },
    { PWGT: '143', DWGT: '882' },
  ],
  ['weight of 99 lb', { mother: { prepregnancy_weight_kg: 45 } }, { PWGT: '099' }],
  [
    'first prenatal visit',
    { course: { first_prenatal_visit: '2025-11-03', prenatal_visits: 0 } },
    { DOFP_YR: '2025', DOFP_MO: '11', DOFP_DY: '03', NPREV: '00' },
  ],
  [
    'no prenatal care',
    { course: { prenatal_visits: 0 } },
    { DOFP_YR: '8888', DOFP_MO: '88', DOFP_DY: '88', NPREV: '00' },
  ],
  [
    'prenatal care of which the first date is not known',
    { course: { prenatal_visits: 11 } },
    { DOFP_YR: '9999', DOFP_MO: '99', DOFP_DY: '99', NPREV: '11' },
  ],
  [
    'last menstrual period',
    { course: { last_menstrual_period: '2025-08-05' } },
    { DLMP_YR: '2025', DLMP_MO: '08', DLMP_DY: '05' },
  ],
  [
    'earlier births',
    { course: { previous_births_living: 2, previous_births_dead: 0, other_outcomes: 1 } },
    { PLBL: '02', PLBD: '00', POPO: '01', MLLB: '99', YLLB: '9999', MOPO: '99', YOPO: '9999' },
  ],
  [
    'dates of earlier births, of which the month may not be known',
    {
      course: {
        previous_births_living: 2,
        other_outcomes: 1,
        last_live_birth: '2021-03-14',
        last_other_outcome: '2019',
      },
    },
    { MLLB: '03', YLLB: '2021', MOPO: '99', YOPO: '2019' },
  ],
  [
    'dates of which only parts are known',
    {
      course: { last_menstrual_period: '2026-02', first_prenatal_visit: '2026' },
      mother: { birth_date: '1994-06', age_at_delivery: null },
    },
    {
      ...{ DLMP_YR: '2026', DLMP_MO: '02', DLMP_DY: '99' },
      ...{ DOFP_YR: '2026', DOFP_MO: '99', DOFP_DY: '99' },
      ...{ MDOB_YR: '1994', MDOB_MO: '06', MDOB_DY: '99' },
    },
  ],
  [
    'no earlier births',
    { course: { previous_births_living: 0, previous_births_dead: 0, other_outcomes: 0 } },
    { MLLB: '88', YLLB: '8888', MOPO: '88', YOPO: '8888', PCES: 'N', NPCES: '00' },
  ],
  [
    'no cesarean is held of a mother who may have been pregnant before',
    { course: { previous_births_living: 0, previous_births_dead: 0 } },
    { PCES: 'U', NPCES: '99' },
  ],
  [
    'no earlier births that live, and of others it is not known',
    { course: { previous_births_living: 0 } },
    { PLBL: '00', PLBD: '99', MLLB: '99', YLLB: '9999' },
  ],
  [
    'cigarettes',
    {
      course: {
        cigarettes_before: 0,
        cigarettes_first_trimester: 97,
        cigarettes_second_trimester: 98,
        cigarettes_third_trimester: 200,
      },
    },
    { CIGPN: '00', CIGFN: '97', CIGSN: '98', CIGLN: '98' },
  ],
  ['no cesarean before', { course: { previous_cesareans: 0 } }, { PCES: 'N', NPCES: '00' }],
  ['cesareans before', { course: { previous_cesareans: 3 } }, { PCES: 'Y', NPCES: '03' }],
  ['a single birth', { course: { plurality: 1 } }, { PLUR: '01', SORD: '01', LIVEB: '99' }],
  [
    'a single live birth',
    { course: { plurality: 1 }, child: { fetal_death: false } },
    { PLUR: '01', SORD: '01', LIVEB: '01' },
  ],
  ...(
    [
      [{ living: true }, '01'],
      [{ apgar_five_minute: 1 }, '01'],
      [{ apgar_five_minute: 0 }, '99'],
      [{ living: false }, '99'],
    ] as const
  ).map(
    ([child, alive]): Row => [
      `born alive, without an answer to that: ${JSON.stringify(child)}`,
      { course: { plurality: 1 }, child },
      { LIVEB: alive },
    ],
  ),
  [
    'one of three of whom the others are not held',
    { course: { plurality: 3 }, child: { birth_order: 2, fetal_death: false } },
    { PLUR: '03', SORD: '02', LIVEB: '99' },
  ],
  [
    'induction and augmentation',
    { course: { induction_agents: ['oxytocin'], augmentation_agents: ['amniotomy'] } },
    { INDL: 'Y', AUGL: 'Y' },
  ],
  [
    'induction of which the reason alone is held',
    { course: { induction_indication: 'elective' } },
    { INDL: 'Y', AUGL: 'U' },
  ],
  [
    'labor neither induced nor augmented',
    { course: { induction: false, augmentation: false } },
    { INDL: 'N', AUGL: 'N' },
  ],
  ...(
    [
      ['md', '1'],
      ['do', '2'],
      ['cnm-cm', '3'],
      ['other-midwife', '4'],
      ['other', '5'],
    ] as const
  ).map(
    ([attendant_title, code]): Row => [
      `attendant, ${attendant_title}`,
      { course: { attendant_title, attendant_name: 'Dr. Maya Ortiz' } },
      { ATTEND: code, ATTEND_OTH_TXT: '', ATTEND_NAME: 'Dr. Maya Ortiz', ATTEND_NPI: '' },
    ],
  ),
  [
    'attendant with a title in words',
    { course: { attendant_title: 'Paramedic' } },
    { ATTEND: '5', ATTEND_OTH_TXT: 'Paramedic', ATTEND_NAME: '' },
  ],
  [
    'attendant and certifier whom a partner named',
    {
      course: { attendant: 'one', certifier: 'two' },
      providers: [
        provider('one', 'Maya Lindqvist', '1234567893'),
        provider('two', 'Noor Haddad', null),
      ],
    },
    {
      ATTEND: '5',
      ATTEND_OTH_TXT: 'midwife',
      ATTEND_NAME: 'Maya Lindqvist',
      ATTEND_NPI: '1234567893',
      CERTIF_NAME: 'Noor Haddad',
      CERTIF_NPI: '',
      CERTIF: '',
    },
  ],
  [
    'attendant whose credentials a partner named',
    {
      course: { attendant: 'one' },
      providers: [{ ...provider('one', 'Maya Lindqvist', null), credentials: 'CNM, RN' }],
    },
    { ATTEND: '3', ATTEND_OTH_TXT: '' },
  ],
  ...(
    [
      ['700000006', true, 'X'],
      ['61586001', null, 'X'],
      ['11466000', true, 'Y'],
      ['11466000', null, 'U'],
      [null, false, 'U'],
      ['other', true, 'U'],
    ] as const
  ).map(
    ([delivery_method, trial_of_labor, code]): Row => [
      `a trial of labor, ${trial_of_labor}, of delivery ${delivery_method}`,
      { course: { delivery_method, trial_of_labor } },
      { TLAB: code },
    ],
  ),
  [
    'transfers of mother and infant',
    {
      course: {
        transfers: [
          buildTransfer({ type: 'mother', direction: 'in', facility: 'Pine Birth Center' }),
          buildTransfer({ type: 'infant', direction: 'out', facility: 'Children’s Hospital' }),
        ],
      },
      child: { transfer_within_day: true },
    },
    { TRAN: 'Y', HOSPFROM: 'Pine Birth Center', ITRAN: 'Y', HOSPTO: "Children's Hospital" },
  ],
  [
    'a mother who came from home, and a child who left later',
    {
      course: {
        mother_transfer: false,
        transfers: [
          buildTransfer({ type: 'mother', direction: 'in', facility: 'Her home' }),
          buildTransfer({ type: 'infant', direction: 'out', facility: 'Children’s Hospital' }),
        ],
      },
      child: { transfer_within_day: false },
    },
    { TRAN: 'N', HOSPFROM: '', ITRAN: 'N', HOSPTO: '' },
  ],
  [
    'a mother who came from home, as her transfer says',
    {
      course: {
        transfers: [
          buildTransfer({ type: 'mother', direction: 'in', place: 'home', facility: 'Her home' }),
        ],
      },
    },
    { TRAN: 'N', HOSPFROM: '' },
  ],
  [
    'a mother from home by way of a birth center',
    {
      course: {
        transfers: [
          buildTransfer({ type: 'mother', direction: 'in', place: 'home' }),
          buildTransfer({
            type: 'mother',
            direction: 'in',
            place: 'birth center',
            facility: 'Pine Birth Center',
          }),
        ],
      },
    },
    { TRAN: 'Y', HOSPFROM: 'Pine Birth Center' },
  ],
  [
    'a mother who came after the birth',
    {
      course: {
        transfers: [
          buildTransfer({
            type: 'mother',
            direction: 'in',
            facility: 'East',
            hours_after_birth: 1,
          }),
          buildTransfer({
            type: 'mother',
            direction: 'in',
            facility: 'West',
            timing: 'after birth',
          }),
        ],
      },
    },
    { TRAN: 'U', HOSPFROM: '' },
  ],
  [
    'an answer before the details of a transfer',
    {
      course: {
        mother_transfer: false,
        transfers: [
          buildTransfer({ type: 'mother', direction: 'in', place: 'hospital', facility: 'East' }),
          buildTransfer({
            type: 'infant',
            direction: 'out',
            facility: 'South',
            hours_after_birth: 3,
          }),
        ],
      },
      child: { transfer_within_day: false },
    },
    { TRAN: 'N', HOSPFROM: '', ITRAN: 'N', HOSPTO: '' },
  ],
  [
    'an infant moved in the last hour of the first day',
    {
      course: {
        transfers: [
          buildTransfer({
            type: 'infant',
            direction: 'out',
            facility: 'South',
            hours_after_birth: 24,
          }),
        ],
      },
    },
    { ITRAN: 'Y', HOSPTO: 'South' },
  ],
  [
    'an infant moved on the second day, and one taken home',
    {
      course: {
        transfers: [
          buildTransfer({
            type: 'infant',
            direction: 'out',
            facility: 'South',
            hours_after_birth: 25,
          }),
          buildTransfer({ type: 'infant', direction: 'out', place: 'home', hours_after_birth: 6 }),
        ],
      },
    },
    { ITRAN: 'U', HOSPTO: '' },
  ],
  [
    'an answer of yes, and a transfer on the second day alone',
    {
      course: {
        transfers: [
          buildTransfer({
            type: 'infant',
            direction: 'out',
            facility: 'South',
            hours_after_birth: 69,
          }),
        ],
      },
      child: { transfer_within_day: true },
    },
    { ITRAN: 'Y', HOSPTO: 'South' },
  ],
  [
    'transfers of which it is not known when',
    {
      course: {
        transfers: [buildTransfer({ type: 'infant', direction: 'out', facility: 'South' })],
      },
    },
    { TRAN: 'U', ITRAN: 'U', HOSPTO: '' },
  ],
  [
    'answers without a transfer',
    { course: { mother_transfer: true }, child: { transfer_within_day: true } },
    { TRAN: 'Y', HOSPFROM: '', ITRAN: 'Y', HOSPTO: '' },
  ],
  [
    'transfers the other way',
    {
      course: {
        transfers: [
          buildTransfer({ type: 'mother', direction: 'out', facility: 'East' }),
          buildTransfer({ type: 'infant', direction: 'in', facility: 'West' }),
          buildTransfer({ type: 'mother', direction: null, facility: 'North' }),
        ],
      },
    },
    { TRAN: 'U', HOSPFROM: '', ITRAN: 'U', HOSPTO: '' },
  ],
  [
    'age of the mother that was reported, and one that was counted',
    { mother: { age_at_delivery: 31 }, child: born },
    { MAGER: '31', MAGE_CALC: '99' },
  ],
  [
    'age of the mother that was counted',
    { mother: { age_at_delivery: 31, birth_date: '1994-12-01' }, child: born },
    { MAGER: '31', MAGE_CALC: '31', MDOB_YR: '1994', MDOB_MO: '12', MDOB_DY: '01' },
  ],
  [
    'residence in a state',
    {
      address: {
        line: '12 Elm St, Apt 4',
        city: 'Moab',
        county: 'Grand',
        state: 'UT',
        postal_code: '84532-1234',
        country: 'US',
      },
    },
    {
      ADDRESS: '12 Elm St, Apt 4',
      CITYTEXT: 'Moab',
      COUNTYTXT: 'Grand',
      STATEC: 'UT',
      STATETXT: 'Utah',
      ZIPCODE: '845321234',
      COUNTRYC: 'US',
      CNTRYTXT: 'United States',
      COUNTYC: '',
      LIMITS: 'U',
    },
  ],
  [
    'residence in a state, of which no country is held',
    { address: { state: 'UT', postal_code: '84532' } },
    { STATEC: 'UT', STATETXT: 'Utah', COUNTRYC: 'ZZ', CNTRYTXT: '', ZIPCODE: '84532' },
  ],
  [
    'residence as it was stored before its names became codes',
    { address: { state: 'Utah', country: 'USA' } },
    { STATEC: 'UT', STATETXT: 'Utah', COUNTRYC: 'US', CNTRYTXT: 'United States' },
  ],
  [
    'residence in a territory that is named as the country',
    { address: { state: null, country: 'PR' } },
    { STATEC: 'PR', STATETXT: 'Puerto Rico', COUNTRYC: 'US', CNTRYTXT: 'Puerto Rico' },
  ],
  [
    'residence in a province',
    { address: { state: 'Quebec', country: 'CA', postal_code: 'K1A 0B1' } },
    { STATEC: 'QC', STATETXT: 'Quebec', COUNTRYC: 'CA', ZIPCODE: 'K1A 0B1' },
  ],
  [
    'residence in Canada, without a province',
    { address: { country: 'CA' } },
    { STATEC: 'XX', STATETXT: '', COUNTRYC: 'CA' },
  ],
  [
    'residence in a country whose vital records code is another than that of ISO',
    { address: { state: 'BW', country: 'DE' } },
    { STATEC: 'XX', STATETXT: 'BW', COUNTRYC: 'GM', CNTRYTXT: 'Germany' },
  ],
  [
    'residence in what is no country or state',
    { address: { state: 'XX', country: 'Atlantis' } },
    { STATEC: 'ZZ', STATETXT: '', COUNTRYC: 'ZZ', CNTRYTXT: 'Atlantis' },
  ],
  [
    'residence under a code that only the list of vital records has',
    { address: { country: 'VM' } },
    { STATEC: 'XX', STATETXT: '', COUNTRYC: 'VM', CNTRYTXT: '' },
  ],
  [
    'residence under a code that no list has for a country',
    { address: { country: 'QZ' } },
    { STATEC: 'ZZ', STATETXT: '', COUNTRYC: 'ZZ', CNTRYTXT: '' },
  ],
  [
    'residence in a country without a code in ISO 3166',
    { address: { country: 'Kosovo (KV)' } },
    { STATEC: 'XX', STATETXT: '', COUNTRYC: 'KV', CNTRYTXT: 'Kosovo' },
  ],
]);

rows('ITRAN and HOSPTO are of the twin whose birth order the transfer names', () => {
  const lines = linesOf(
    courseSaid({
      course: {
        plurality: 2,
        children: [1, 2].map((order) => ({ ...emptyChild(), birth_order: order })),
        transfers: [
          buildTransfer({
            type: 'infant',
            child_birth_order: 2,
            direction: 'out',
            facility: 'South',
            hours_after_birth: 3,
          }),
        ],
      },
    }),
  );
  assert.equal(
    lines.map((line) => [columnIn(line, 'ITRAN'), columnIn(line, 'HOSPTO').trimEnd()]),
    [
      ['U', ''],
      ['Y', 'South'],
    ],
  );
});

rows('has a row for each of the fifteen boxes', () => {
  assert.is(RACE_COLUMNS.length, 15);
});

rows.run();

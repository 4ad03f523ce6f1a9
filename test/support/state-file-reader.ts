import { EDUCATION_LEVELS, HISPANIC_ORIGINS, RACES } from '../../domain/course/codes.ts';
import type { Child, CourseOfCare } from '../../domain/course/course.ts';
import { findHomePlan } from '../../domain/course/home-plan.ts';
import { columnIn, LAYOUT } from './state-file.ts';

/** What a line says of a birth, in the words of the record as far as it has them. */
export interface ReadLine {
  readonly names: readonly (string | null)[];
  readonly [said: string]: unknown;
}

const UNKNOWN_DIGITS = /^9+$/;

/** Reads a line as a state would: by the published layout, into the values of the record. */
export const readBack = (line: string): ReadLine => {
  const held = (name: string): string => columnIn(line, name).trimEnd();
  const number = (name: string): number | null =>
    UNKNOWN_DIGITS.test(held(name)) ? null : Number(held(name));
  const date = (...names: readonly string[]): string | null => {
    const parts = names
      .map(held)
      .filter((part) => !UNKNOWN_DIGITS.test(part) && !/^8+$/.test(part));
    return parts.length === 0 ? null : parts.join('-');
  };
  const answer = (name: string): boolean | null => ({ Y: true, N: false })[held(name)] ?? null;
  const inches = (number('HFT') ?? 0) * 12 + (number('HIN') ?? 0);
  return {
    birth_date: date('IDOB_YR', 'IDOB_MO', 'IDOB_DY'),
    time: UNKNOWN_DIGITS.test(held('TB')) ? null : held('TB'),
    sex: { M: 'male', F: 'female' }[held('ISEX')] ?? null,
    names: [
      ...['KIDFNAME', 'KIDMNAME', 'KIDLNAME', 'MOMFNAME', 'MOMMIDDL', 'MOMLNAME', 'MOMMAIDN'],
      ...['ADDRESS', 'CITYTEXT', 'COUNTYTXT', 'ATTEND_NAME'],
      ...LITERALS,
    ].map(held),
    grams: number('BWG'),
    weeks: number('OWGEST'),
    five_minute: number('APGAR5'),
    ten_minute: held('APGAR10') === '88' ? 'not taken' : number('APGAR10'),
    presentation: { 1: '70028003', 2: '6096002', 3: 'OTH' }[held('PRES')] ?? null,
    nicu: answer('NICU'),
    living: answer('ILIV'),
    breastfed: answer('BFED'),
    mother_birth_date: date('MDOB_YR', 'MDOB_MO', 'MDOB_DY'),
    age: number('MAGER'),
    level: number('MEDUC'),
    hispanic: hispanicIn(line),
    origins: originsIn(line),
    race: racesIn(line),
    inches: number('HFT') === null ? null : inches,
    pounds: [number('PWGT'), number('DWGT')],
    first_visit: held('DOFP_YR') === '8888' ? 'no care' : date('DOFP_YR', 'DOFP_MO', 'DOFP_DY'),
    last_period: date('DLMP_YR', 'DLMP_MO', 'DLMP_DY'),
    counts: [...['NPREV', 'PLBL', 'PLBD', 'POPO', 'NPCES', 'CIGPN', 'CIGFN', 'CIGSN', 'CIGLN']].map(
      number,
    ),
    last_birth: date('YLLB', 'MLLB'),
    last_outcome: date('YOPO', 'MOPO'),
    no_births_before: held('YLLB') === '8888',
    no_outcomes_before: held('YOPO') === '8888',
    cesareans_before: answer('PCES'),
    wic: answer('WIC'),
    plurality: number('PLUR'),
    order: number('SORD'),
    place:
      {
        1: 'Hospital',
        2: 'Birth center',
        3: 'Home',
        4: 'Home',
        5: 'Home',
        6: 'Clinic',
        7: 'Other',
      }[held('BPLACE')] ?? null,
    planned_at_home: { 3: true, 4: false }[held('BPLACE')] ?? null,
    route: { 1: '700000006', 2: '302383004', 3: '61586001', 4: '11466000' }[held('ROUT')] ?? null,
    trial: answer('TLAB'),
    induced: answer('INDL'),
    augmented: answer('AUGL'),
    title:
      { 1: 'md', 2: 'do', 3: 'cnm-cm', 4: 'other-midwife', 5: 'other' }[held('ATTEND')] ?? null,
    mother_moved: answer('TRAN'),
    infant_moved: answer('ITRAN'),
  };
};

const LITERALS = ['METHNIC5', ...Array.from({ length: 6 }, (_, at) => `MRACE${16 + at}`)];

const originsIn = (line: string): readonly string[] =>
  [...HISPANIC_ORIGINS.keys()].filter((_, at) => columnIn(line, `METHNIC${at + 1}`) === 'H');

const hispanicIn = (line: string): boolean | null =>
  originsIn(line).length > 0 ? true : columnIn(line, 'METHNIC4') === 'N' ? false : null;

const racesIn = (line: string): readonly string[] =>
  [...LAYOUT.values()].flatMap(({ name, meaning }) => {
    const [, asked] = /^Mother's Race--(.+)$/.exec(meaning) ?? [];
    return asked !== undefined && columnIn(line, name) === 'Y' ? [asked] : [];
  });

const ASIANS = [
  ...['Asian Indian', 'Chinese', 'Filipino', 'Japanese', 'Korean', 'Vietnamese', 'Other Asian'],
];
const ISLANDERS = ['Native Hawaiian', 'Guamanian or Chamorro', 'Samoan', 'Other Pacific Islander'];

/** The boxes that say what a record holds of race, sorted. */
const boxesOf = (race: readonly string[]): readonly string[] => {
  const named = race.map((code) => RACES.get(code) ?? 'Other');
  const boxes = named.flatMap((name): readonly string[] => {
    if (name === 'Other Race') return ['Other'];
    if (name === 'Asian') return named.some((one) => ASIANS.includes(one)) ? [] : ['Other'];
    if (name === 'Native Hawaiian or Other Pacific Islander')
      return named.some((one) => ISLANDERS.includes(one)) ? [] : ['Other'];
    return [name];
  });
  return [...LAYOUT.values()].flatMap(({ meaning }) => {
    const asked = meaning.replace("Mother's Race--", '');
    return asked !== meaning && boxes.includes(asked) ? [asked] : [];
  });
};

/** A name without accents, as long as its column; null for one in other letters, of which a line may lose some. */
export const plain = (text: string | null | undefined, length: number): string | null => {
  const bare = (text ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[øßØ’]/g, (one) => TWO_LETTERS[one] ?? '');
  return /^[ -~]*$/.test(bare) ? bare.slice(0, length).trimEnd() : null;
};

const TWO_LETTERS: Readonly<Record<string, string>> = { ø: 'o', Ø: 'O', ß: 'ss', '’': "'" };

const NAME = 50;
const TOWN = 28;
const ORIGIN = 20;
const RACE = 30;
const POUND = 0.453_592_37;

const nearest = (value: number | null, unit = 1): number | null =>
  value === null ? null : Math.round(value / unit);

const capped = (value: number | null): number | null =>
  value === null ? null : Math.min(value, 98);

/** What a line can say of a birth whose practice has set no time zone: all else of the record is lost in it. */
export const sayable = (course: CourseOfCare, child: Child): ReadLine => {
  const { mother, transfers } = course;
  const [clockDate, clock = ''] = child.birth_time?.split('T') ?? [];
  const isLocal = !/(?:Z|[+-]00:00)$/.test(clock);
  const isOnDay =
    child.birth_date === null || child.birth_date.length === 4 || child.birth_date === clockDate;
  const isKnown = (table: readonly string[], code: string | null): string | null =>
    code !== null && table.includes(code) ? code : null;
  const label = EDUCATION_LEVELS.get(mother.education ?? '') ?? '';
  const cameIn = transfers.filter(
    ({ type, direction, timing, hours_after_birth: hours }) =>
      type === 'mother' &&
      direction === 'in' &&
      (timing === null ? hours === null : timing !== 'after birth'),
  );
  const cameFromFacility = cameIn.some(({ place }) => place !== 'home');
  const ordersAlike = course.children.filter((one) => one.birth_order === child.birth_order);
  const wentOutInDay = transfers.some(
    ({ type, direction, place, child_birth_order: order, hours_after_birth: hours }) =>
      type === 'infant' &&
      direction === 'out' &&
      place !== 'home' &&
      hours !== null &&
      hours <= 24 &&
      (course.children.length === 1 ||
        (order !== null && order === child.birth_order && ordersAlike.length === 1)),
  );
  return {
    birth_date: child.birth_date,
    time: clock !== '' && isLocal && isOnDay ? clock.slice(0, 5).replace(':', '') : null,
    sex: child.sex === 'male' || child.sex === 'female' ? child.sex : null,
    names: [
      ...[child.given_names[0], child.given_names.slice(1).join(' '), child.family_name],
      ...[mother.given_names[0], mother.given_names.slice(1).join(' '), mother.family_name],
      ...[mother.birth_surname, mother.address.line],
    ]
      .map((name) => plain(name, NAME))
      .concat(plain(mother.address.city, TOWN), plain(mother.address.county, TOWN))
      .concat(plain(course.attendant_name, NAME))
      .concat(plain(mother.other_hispanic_origin, ORIGIN))
      .concat(
        [mother.tribes, mother.other_asian_races, mother.other_pacific_races].flatMap((names) =>
          [0, 1].map((at) => plain(names[at], RACE)),
        ),
      ),
    grams: nearest(child.birth_weight_grams),
    weeks: child.gestational_age_weeks,
    five_minute: child.apgar_five_minute,
    ten_minute:
      child.apgar_ten_minute ?? ((child.apgar_five_minute ?? 0) >= 6 ? 'not taken' : null),
    presentation: isKnown(['70028003', '6096002', 'OTH'], child.presentation),
    nicu: child.nicu_admission,
    living: child.living,
    breastfed: child.breastfed_at_discharge,
    mother_birth_date: mother.birth_date,
    age: mother.age_at_delivery,
    level: LEVELS.find(([words]) => words.test(label))?.[1] ?? null,
    hispanic: mother.hispanic_origins.length > 0 || (HISPANIC.get(mother.ethnicity ?? '') ?? null),
    origins:
      mother.hispanic_origins.length === 0 && mother.ethnicity === '2135-2'
        ? ['other-hispanic']
        : mother.hispanic_origins,
    race: boxesOf(mother.race),
    inches: nearest(mother.height_cm, 2.54),
    pounds: [
      nearest(mother.prepregnancy_weight_kg, POUND),
      nearest(mother.delivery_weight_kg, POUND),
    ],
    first_visit: course.first_prenatal_visit ?? (course.prenatal_visits === 0 ? 'no care' : null),
    last_period: course.last_menstrual_period,
    counts: [
      ...[course.prenatal_visits, course.previous_births_living, course.previous_births_dead],
      ...[course.other_outcomes, course.previous_cesareans],
      ...[course.cigarettes_before, course.cigarettes_first_trimester],
      ...[course.cigarettes_second_trimester, course.cigarettes_third_trimester],
    ].map(capped),
    last_birth: course.last_live_birth?.slice(0, 'YYYY-MM'.length) ?? null,
    last_outcome: course.last_other_outcome?.slice(0, 'YYYY-MM'.length) ?? null,
    no_births_before:
      course.last_live_birth === null &&
      course.previous_births_living === 0 &&
      course.previous_births_dead === 0,
    no_outcomes_before: course.last_other_outcome === null && course.other_outcomes === 0,
    cesareans_before: course.previous_cesareans === null ? null : course.previous_cesareans > 0,
    wic: course.wic,
    plurality: course.plurality,
    order: child.birth_order ?? (course.plurality === 1 ? 1 : null),
    place: course.place_of_birth === 'En route' ? 'Other' : course.place_of_birth,
    planned_at_home:
      course.place_of_birth !== 'Home'
        ? null
        : ({ yes: true, no: false, unknown: null }[findHomePlan(course)] ?? null),
    route: isKnown(['700000006', '302383004', '61586001', '11466000'], course.delivery_method),
    trial: course.delivery_method === '11466000' ? course.trial_of_labor : null,
    induced:
      course.induction_agents.length > 0 || course.induction_indication !== null
        ? true
        : course.induction,
    augmented: course.augmentation_agents.length > 0 || course.augmentation,
    title:
      course.attendant_title === null
        ? null
        : (isKnown(['md', 'do', 'cnm-cm', 'other-midwife'], course.attendant_title) ?? 'other'),
    mother_moved: course.mother_transfer ?? (cameIn.length > 0 ? cameFromFacility : null),
    infant_moved: child.transfer_within_day ?? (wentOutInDay || null),
  };
};

const HISPANIC: ReadonlyMap<string, boolean> = new Map([
  ['2135-2', true],
  ['2186-5', false],
]);

/** Answers of the certificate, by the words for them in the registry's own table of codes. */
export const LEVELS: readonly (readonly [RegExp, number])[] = [
  [/^(?:Elementary|8th)/, 1],
  [/^(?:Some secondary|9th)/, 2],
  [/^High school/, 3],
  [/^Some college/, 4],
  [/^Associate/, 5],
  [/bachelor|baccalaureate/i, 6],
  [/^(?:Master|Graduate)/, 7],
  [/^Doctor/, 8],
];

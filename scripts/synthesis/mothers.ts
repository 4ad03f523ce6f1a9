import { HISPANIC, RACES_OF_CATEGORY } from '../../domain/course/codes.ts';
import { type CourseOfCare, emptyMother, type Mother } from '../../domain/course/course.ts';
import { countWholeYears } from '../../domain/fhir/dates.ts';
import { CENTIMETERS, KILOGRAMS, removeNoise, type Units } from '../../domain/fhir/quantities.ts';
import { addDays } from './calendar.ts';
import { inventMotherNames, type NameOrigin } from './names.ts';
import { createRandom, type Random } from './random.ts';
import { inventHome, inventPhone, type Region } from './region.ts';
import {
  AGES,
  EARLIER_CESAREAN,
  EARLIER_CHILDREN,
  EDUCATION,
  HISPANIC_ORIGINS,
  NAMES_TRIBE,
  ORIGINS,
  STATES_ORIGIN,
  TRIBES,
} from './us-figures.ts';
import type { Weights } from './weights.ts';

const ASIAN = '2028-9';
const ASIAN_RACES = [ASIAN, ...(RACES_OF_CATEGORY.get(ASIAN) ?? [])];

// Losses before this pregnancy; approximate.
const EARLIER_LOSSES: Weights<number> = [
  [0, 75],
  [1, 17],
  [2, 6],
  [3, 2],
];
const EARLIER_CESAREANS: Weights<number> = [
  [1, 72],
  [2, 23],
  [3, 5],
];
const EARLIER_DEATH = 0.012;

const DAYS_OF_YEAR = 365;
const DAYS_BEFORE = [500, 1_600] as const;
const MONTH_LENGTH = 'YYYY-MM'.length;
const OLD_ENOUGH_FOR_COLLEGE = 22;

export type History = Pick<
  CourseOfCare,
  | 'previous_births_living'
  | 'previous_births_dead'
  | 'last_live_birth'
  | 'other_outcomes'
  | 'last_other_outcome'
  | 'previous_cesareans'
>;

export const inventMother = (
  birthDate: string,
  region: Region,
  random: Random,
): { readonly mother: Mother; readonly history: History } => {
  const band = random.weighted(AGES);
  const ageInDays = Math.floor(random.whole(band.from, band.to) * 365.2425);
  const birth_date = addDays(birthDate, -ageInDays - random.whole(1, DAYS_OF_YEAR - 2));
  const origin = random.weighted(ORIGINS);
  const mother: Mother = {
    ...emptyMother(),
    ...inventMotherNames(findNameOrigin(origin), random),
    birth_date,
    age_at_delivery: countWholeYears(birth_date, birthDate),
    ...origin,
    education: chooseEducation(countWholeYears(birth_date, birthDate), random),
    address: inventHome(region, random),
    phone: inventPhone(region, random),
    medical_record_number: inventRecordNumber(random),
    ...inventBody(random),
  };
  const living = random.chance(band.first) ? 0 : random.weighted(EARLIER_CHILDREN);
  const hadCesarean = living > 0 && random.chance(EARLIER_CESAREAN);
  const losses = random.weighted(EARLIER_LOSSES);
  const inventMonth = () =>
    addDays(birthDate, -random.whole(...DAYS_BEFORE)).slice(0, MONTH_LENGTH);
  const history: History = {
    previous_births_living: living,
    previous_births_dead: living > 0 && random.chance(EARLIER_DEATH) ? 1 : 0,
    last_live_birth: living > 0 ? inventMonth() : null,
    other_outcomes: losses,
    last_other_outcome: losses > 0 ? inventMonth() : null,
    previous_cesareans: hadCesarean ? Math.min(living, random.weighted(EARLIER_CESAREANS)) : 0,
  };
  // A source of its own: whatever else a seed generates stays the same.
  const own = createRandom(`origins of ${mother.medical_record_number}`);
  return { mother: { ...mother, ...inventOrigins(origin, own) }, history };
};

export const findNameOrigin = ({
  race,
  ethnicity,
}: Pick<Mother, 'race' | 'ethnicity'>): NameOrigin => {
  if (ethnicity === HISPANIC) return 'hispanic';
  return race.some((code) => ASIAN_RACES.includes(code)) ? 'asian' : 'general';
};

const AMERICAN_INDIAN = '1002-5';

const inventOrigins = (
  { race, ethnicity }: Pick<Mother, 'race' | 'ethnicity'>,
  random: Random,
): Partial<Mother> => ({
  ...(ethnicity === HISPANIC && random.chance(STATES_ORIGIN)
    ? random.weighted(HISPANIC_ORIGINS)
    : {}),
  ...(race.includes(AMERICAN_INDIAN) && random.chance(NAMES_TRIBE)
    ? { tribes: [random.weighted(TRIBES)] }
    : {}),
});

export const inventRecordNumber = (random: Random): string =>
  String(random.whole(10_000_000, 99_999_999));

const chooseEducation = (age: number, random: Random): string => {
  if (age >= OLD_ENOUGH_FOR_COLLEGE) return random.weighted(EDUCATION);
  if (age < 18) return random.chance(0.9) ? 'SEC' : 'ELEM';
  return random.pick(['SEC', 'HS', 'HS', 'SCOL']);
};

// Pounds for a body mass index: index × inches² / 703.
const POUNDS_OF_INDEX = 703;

const inventBody = (
  random: Random,
): Pick<Mother, 'height_cm' | 'prepregnancy_weight_kg' | 'delivery_weight_kg'> => {
  const inches = limit(Math.round(random.about(64, 2.7)), 54, 76);
  // Two bell curves produce the long tail of high weights.
  const index = random.chance(0.65) ? random.about(24, 3.2) : random.about(34, 5.5);
  const pounds = Math.round((limit(index, 16.5, 60) * inches * inches) / POUNDS_OF_INDEX);
  const gained = limit(Math.round(random.about(28, 12)), 0, 80);
  return {
    height_cm: convert(inches, 'in_i', CENTIMETERS),
    prepregnancy_weight_kg: convert(pounds, 'lb_av', KILOGRAMS),
    delivery_weight_kg: convert(pounds + gained, 'lb_av', KILOGRAMS),
  };
};

const convert = (value: number, unit: string, units: Units): number =>
  removeNoise(value * (units.get(unit) ?? 1));

const limit = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

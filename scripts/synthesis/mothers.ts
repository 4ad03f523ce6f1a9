import { countWholeYears } from '../../domain/fhir/dates.ts';
import type { MotherFacts } from './birth-story.ts';
import { datePlusDays } from './calendar.ts';
import { motherNames, type NameOrigin } from './names.ts';
import type { Random } from './random.ts';
import { homeIn, phoneIn, type Region } from './region.ts';
import { AGES, EARLIER_CESAREAN, EARLIER_CHILDREN, EDUCATION, ORIGINS } from './us-figures.ts';
import type { Weights } from './weights.ts';

const ASIAN_RACES: ReadonlySet<string> = new Set(
  '2028-9 2029-7 2034-7 2036-2 2039-6 2040-4 2047-9'.split(' '),
);

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
const OLD_ENOUGH_FOR_COLLEGE = 22;

/** Generates a mother who gives birth on a date. */
export const motherAt = (birthDate: string, region: Region, random: Random): MotherFacts => {
  const band = random.weighted(AGES);
  const ageInDays = Math.floor(random.whole(band.from, band.to) * 365.2425);
  const motherBorn = datePlusDays(birthDate, -ageInDays - random.whole(1, DAYS_OF_YEAR - 2));
  const age = countWholeYears(motherBorn, birthDate);
  const origin = random.weighted(ORIGINS);
  const earlierLiving = random.chance(band.first) ? 0 : random.weighted(EARLIER_CHILDREN);
  const hadCesarean = earlierLiving > 0 && random.chance(EARLIER_CESAREAN);
  return {
    ...motherNames(nameOriginOf(origin), random),
    birthDate: motherBorn,
    ...origin,
    education: educationAt(age, random),
    home: homeIn(region, random),
    phone: phoneIn(region, random),
    recordNumber: recordNumber(random),
    ...bodyFrom(random),
    earlierLiving,
    earlierDead: earlierLiving > 0 && random.chance(EARLIER_DEATH) ? 1 : 0,
    earlierLosses: random.weighted(EARLIER_LOSSES),
    earlierCesareans: hadCesarean ? Math.min(earlierLiving, random.weighted(EARLIER_CESAREANS)) : 0,
  };
};

/** Origin of most names in the family. */
export const nameOriginOf = ({
  race,
  hispanic,
}: Pick<MotherFacts, 'race' | 'hispanic'>): NameOrigin => {
  if (hispanic) return 'hispanic';
  return race.some((code) => ASIAN_RACES.has(code)) ? 'asian' : 'general';
};

/** Generates a medical record number. */
export const recordNumber = (random: Random): string =>
  String(random.whole(10_000_000, 99_999_999));

const educationAt = (age: number, random: Random): string => {
  if (age >= OLD_ENOUGH_FOR_COLLEGE) return random.weighted(EDUCATION);
  if (age < 18) return random.chance(0.9) ? 'SEC' : 'ELEM';
  return random.pick(['SEC', 'HS', 'HS', 'SCOL']);
};

// Pounds for a body mass index: index × inches² / 703.
const POUNDS_OF_INDEX = 703;

const bodyFrom = (
  random: Random,
): Pick<MotherFacts, 'heightInches' | 'prepregnancyPounds' | 'deliveryPounds'> => {
  const heightInches = within(Math.round(random.about(64, 2.7)), 54, 76);
  // Two bell curves produce the long tail of high weights.
  const index = random.chance(0.65) ? random.about(24, 3.2) : random.about(34, 5.5);
  const pounds = (within(index, 16.5, 60) * heightInches * heightInches) / POUNDS_OF_INDEX;
  const prepregnancyPounds = Math.round(pounds);
  const gained = within(Math.round(random.about(28, 12)), -10, 80);
  return { heightInches, prepregnancyPounds, deliveryPounds: prepregnancyPounds + gained };
};

const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

import { faker as english } from '@faker-js/faker/locale/en';
import { faker as indian } from '@faker-js/faker/locale/en_IN';
import { faker as mexican } from '@faker-js/faker/locale/es_MX';
import { faker as vietnamese } from '@faker-js/faker/locale/vi';
import type { Random } from './random.ts';

interface Pool {
  readonly families: readonly string[];
  readonly women: readonly string[];
  readonly men: readonly string[];
}

// Only the lists, because all randomness of a birth comes from its own source.
const readPool = ({ definitions }: typeof english): Pool => ({
  families: definitions.person.last_name.generic ?? [],
  women: definitions.person.first_name.female ?? [],
  men: definitions.person.first_name.male ?? [],
});

const GENERAL = readPool(english);
const OWN_POOLS = {
  general: [GENERAL],
  hispanic: [readPool(mexican)],
  asian: [readPool(indian), readPool(vietnamese)],
} as const;

// Long, or with accents, particles, apostrophes, or spaces, because real names have them and
// software fails on them.
const UNUSUAL: Pool = {
  families: [
    ...["O'Shaughnessy-Featherstonehaugh", "D'Angelo"],
    ...['Þórðardóttir', 'Brzęczyszczykiewicz', 'van der Westhuizen', 'St. Clair', 'Çelik', 'Ng'],
    ...['Søndergård', 'Ochieng’-Okonkwo', 'de los Ángeles Villanueva y Castañeda', 'Kaʻahumanu'],
  ],
  women: ['Zoë', 'Siobhán', 'Mary-Katherine', 'Jo', 'Kaʻiulani', 'Łucja', 'Maria de Fátima'],
  men: ['Björn', 'Seán', 'Oluwaseun', 'João', 'Jean-Luc', 'Ty'],
};

const UNUSUAL_SHARE = 0.03;
const OWN_POOL_SHARE = 0.75;
const MIDDLE_NAME_SHARE = 0.7;
const DOUBLE_NAME_SHARE = 0.06;

export type NameOrigin = keyof typeof OWN_POOLS;

/** Generates the names of a mother; `null` if the name before marriage is not stated. */
export const inventMotherNames = (origin: NameOrigin, random: Random) => {
  const own = random.pick(choosePool(origin, random).families);
  const other = random.pick(choosePool(origin, random).families);
  const joint = origin === 'hispanic' ? ' ' : '-';
  const family = random.chance(DOUBLE_NAME_SHARE) ? `${own}${joint}${other}` : own;
  const before = random.chance(0.55) ? other : family;
  return {
    family_name: family,
    given_names: inventGivenNames(origin, 'women', random),
    suffix: null,
    birth_surname: random.chance(0.85) ? before : null,
  };
};

export const inventGivenNames = (
  origin: NameOrigin,
  of: 'women' | 'men',
  random: Random,
): readonly string[] => {
  const first = random.pick(choosePool(origin, random)[of]);
  const second = random.pick(choosePool(origin, random)[of]);
  return random.chance(MIDDLE_NAME_SHARE) && second !== first ? [first, second] : [first];
};

export const inventProviderName = (random: Random): string => {
  const pool = choosePool(random.pick(['general', 'general', 'hispanic', 'asian']), random);
  const given = random.pick(random.chance(0.75) ? pool.women : pool.men);
  return `${given} ${random.pick(pool.families)}`;
};

export const pickFamilyName = (random: Random): string => random.pick(GENERAL.families);

export const pickStreetName = (random: Random): string =>
  random.pick(english.definitions.location.street_name ?? []);

/** Generates the name of a town that does not exist. */
export const inventTownName = (random: Random): string => {
  const { city_prefix, city_suffix } = english.definitions.location;
  const town = `${pickFamilyName(random)}${random.pick(city_suffix ?? [])}`;
  return `${random.pick(city_prefix ?? [])} ${town}`;
};

const choosePool = (origin: NameOrigin, random: Random): Pool => {
  if (random.chance(UNUSUAL_SHARE)) return UNUSUAL;
  return random.chance(OWN_POOL_SHARE) ? random.pick<Pool>(OWN_POOLS[origin]) : GENERAL;
};

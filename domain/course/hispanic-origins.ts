import type { CodeTable } from '../fhir/coded-values.ts';
import { HISPANIC_ORIGINS, OTHER_HISPANIC } from './codes.ts';
import { parseSearchWords } from './search-words.ts';

const [MEXICAN = '', PUERTO_RICAN = '', CUBAN = ''] = HISPANIC_ORIGINS.keys();

/** CDC's codes below 2135-2. @see urn:oid:2.16.840.1.113883.6.238 */
export const CDC_HISPANIC_ORIGINS: CodeTable = new Map([
  [MEXICAN, 'Mexican'],
  ['2149-3', 'Mexican American'],
  ['2150-1', 'Mexicano'],
  ['2151-9', 'Chicano'],
  ['2152-7', 'La Raza'],
  ['2153-5', 'Mexican American Indian'],
  [PUERTO_RICAN, 'Puerto Rican'],
  [CUBAN, 'Cuban'],
  ['2137-8', 'Spaniard'],
  ['2138-6', 'Andalusian'],
  ['2139-4', 'Asturian'],
  ['2140-2', 'Castillian'],
  ['2141-0', 'Catalonian'],
  ['2142-8', 'Belearic Islander'],
  ['2143-6', 'Gallego'],
  ['2144-4', 'Valencian'],
  ['2145-1', 'Canarian'],
  ['2146-9', 'Spanish Basque'],
  ['2155-0', 'Central American'],
  ['2156-8', 'Costa Rican'],
  ['2157-6', 'Guatemalan'],
  ['2158-4', 'Honduran'],
  ['2159-2', 'Nicaraguan'],
  ['2160-0', 'Panamanian'],
  ['2161-8', 'Salvadoran'],
  ['2162-6', 'Central American Indian'],
  ['2163-4', 'Canal Zone'],
  ['2165-9', 'South American'],
  ['2166-7', 'Argentinean'],
  ['2167-5', 'Bolivian'],
  ['2168-3', 'Chilean'],
  ['2169-1', 'Colombian'],
  ['2170-9', 'Ecuadorian'],
  ['2171-7', 'Paraguayan'],
  ['2172-5', 'Peruvian'],
  ['2173-3', 'Uruguayan'],
  ['2174-1', 'Venezuelan'],
  ['2175-8', 'South American Indian'],
  ['2176-6', 'Criollo'],
  ['2178-2', 'Latin American'],
  ['2184-0', 'Dominican'],
]);

const MEXICAN_DETAIL = /^21(?:48|49|5[0-3])-/;

export interface HispanicOrigin {
  /** @see HISPANIC_ORIGINS */
  readonly code: string;
  /** Name of another origin. */
  readonly name: string | null;
}

const toOrigin = (code: string, name: string): HispanicOrigin => {
  if (MEXICAN_DETAIL.test(code)) return { code: MEXICAN, name: null };
  return HISPANIC_ORIGINS.has(code) ? { code, name: null } : { code: OTHER_HISPANIC, name };
};

/** `null` if CDC does not list the code as a Hispanic origin. */
export const findOriginOfCode = (code: string): HispanicOrigin | null => {
  if (code === OTHER_HISPANIC) return { code, name: null };
  const name = CDC_HISPANIC_ORIGINS.get(code);
  return name === undefined ? null : toOrigin(code, name);
};

const BY_WORDS: ReadonlyMap<string, HispanicOrigin> = new Map([
  ...[...CDC_HISPANIC_ORIGINS].map(
    ([code, name]) => [name.toLowerCase(), toOrigin(code, name)] as const,
  ),
  ...['mexicana', 'chicana'].map((word) => [word, { code: MEXICAN, name: null }] as const),
]);

/** Words that say Hispanic, and not of which origin. */
const GENERAL: ReadonlySet<string> = new Set(
  'hispanic latino latina latinx latine spanish yes of origin ethnicity or and a o'.split(' '),
);
const NEGATIONS: ReadonlySet<string> = new Set(['not', 'non', 'no']);

/** `null` if the text names no known origin. */
export const findOriginInWords = (text: string): HispanicOrigin | null => {
  const words = parseSearchWords(text).filter((word) => !GENERAL.has(word));
  return words.join(' ') === 'other'
    ? { code: OTHER_HISPANIC, name: null }
    : (BY_WORDS.get(words.join(' ')) ?? BY_WORDS.get(parseSearchWords(text).join(' ')) ?? null);
};

/** True if it says Hispanic, or not Hispanic, and nothing more. */
export const isGeneralEthnicity = (text: string): boolean =>
  parseSearchWords(text).every((word) => GENERAL.has(word) || NEGATIONS.has(word));

export const statesNotHispanic = (text: string): boolean =>
  isGeneralEthnicity(text) && parseSearchWords(text).some((word) => NEGATIONS.has(word));

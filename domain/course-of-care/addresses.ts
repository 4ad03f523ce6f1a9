import { statesUnknown } from '../fhir/coded-values.ts';
import { isAbsent, isVerbatim, recordedBeside } from '../fhir/extensions.ts';
import { type JsonObject, listOf, textOf } from '../fhir/json.ts';
import { leftOut, NOTHING_READ, type Reading, readText } from '../fhir/readings.ts';
import type { Address } from './canonical-record.ts';
import { STATE_NAMES, USPS_STATES } from './codes.ts';
import { COUNTRIES, OTHER_COUNTRY_NAMES } from './countries.ts';
import { MAX_NAME, MAX_TEXT } from './limits.ts';

// No name of a state or country is longer.
const MAX_PLACE = 80;

/** A name as it is compared: without case, accents, punctuation and "the". */
const folded = (name: string): string =>
  name
    .slice(0, MAX_PLACE)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');

const OTHER_STATE_NAMES: Readonly<Record<string, string>> = {
  'washington dc': 'DC',
  'washington d c': 'DC',
  'd c': 'DC',
  'us virgin islands': 'VI',
  'u s virgin islands': 'VI',
  'virgin islands of the united states': 'VI',
  'commonwealth of the northern mariana islands': 'MP',
  'commonwealth of puerto rico': 'PR',
  'federated states of micronesia': 'FM',
  micronesia: 'FM',
  'marshall islands': 'MH',
  palau: 'PW',
  'armed forces americas': 'AA',
  'armed forces europe': 'AE',
  'armed forces pacific': 'AP',
};

const STATES_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_STATE_NAMES),
  ...[...STATE_NAMES].map(([code, name]) => [folded(name), code] as const),
]);

const COUNTRIES_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_COUNTRY_NAMES),
  ...[...COUNTRIES].flatMap(([code, { letters, name }]) => [
    [folded(code), code] as const,
    [letters.toLowerCase(), code] as const,
    [folded(name), code] as const,
  ]),
]);

// `US-AL` of ISO 3166-2 names the country too.
const OF_THE_US = /^us-/i;

/** The USPS code of a state that is written as its code or its name; null for any other text. */
export const stateCodeOf = (text: string): string | null => {
  const code = text.replace(OF_THE_US, '').toUpperCase();
  return USPS_STATES.has(code) ? code : (STATES_BY_NAME.get(folded(text)) ?? null);
};

/** The two letters of a country that is written as its letters or its name; null for any other text. */
export const countryCodeOf = (text: string): string | null => {
  if (COUNTRIES.has(text)) return text;
  return text.length > MAX_PLACE ? null : (COUNTRIES_BY_NAME.get(folded(text)) ?? null);
};

// What the national files of birth records have for a state or country, or a ZIP code, that is not known.
const UNKNOWN_PARTS: Readonly<Partial<Record<keyof Address, RegExp>>> = {
  state: /^ZZ$/i,
  country: /^ZZZ?$/i,
  postal_code: /^99999(?:-?9999)?$/,
};

/** Whether a part of an address is the national code for one that is not known. */
export const isUnknownPart = (name: keyof Address, text: string): boolean =>
  UNKNOWN_PARTS[name]?.test(text) === true;

/** Whether an address is in another country, where a state may be a province. */
export const isAbroad = (country: string | null): boolean => {
  const text = country?.trim() ?? '';
  return (
    text !== '' &&
    !statesUnknown(text) &&
    !isUnknownPart('country', text) &&
    countryCodeOf(text) !== 'US'
  );
};

/**
 * A part of an address as the record holds it: states and countries by their codes, where they have one.
 * @param abroad the address is in another country
 */
export const addressPart = (name: keyof Address, text: string, abroad: boolean): string => {
  if (name === 'country') return countryCodeOf(text) ?? text;
  return name === 'state' && !abroad ? (stateCodeOf(text) ?? text) : text;
};

/** One part of an address as it was sent, and how long it may be, in UTF-16 units. */
interface SentPart {
  readonly name: keyof Address;
  readonly value: unknown;
  /** What FHIR keeps beside the value, such as its extensions. */
  readonly element: unknown;
  readonly longest: number;
}

const NAMES: readonly (readonly [keyof Address, string])[] = [
  ['city', 'city'],
  ['county', 'district'],
  ['state', 'state'],
  ['postal_code', 'postalCode'],
  ['country', 'country'],
];

/** The parts of a FHIR Address in the order of the record; the street lines are joined. */
export const readAddress = (
  address: JsonObject,
): readonly { readonly name: keyof Address; readonly reading: Reading<string> }[] => {
  const lines = listOf(address['line']).filter((one) => textIn(one) !== null);
  const line: SentPart = {
    name: 'line',
    value: lines.map((one) => String(one).trim()).join(', '),
    element: listOf(address['_line'])[0],
    longest: MAX_TEXT,
  };
  const abroad = isAbroad(textIn(address['country']));
  const parts = NAMES.map(
    ([name, of]): SentPart => ({
      name,
      value: address[of],
      element: address[`_${of}`],
      longest: MAX_NAME,
    }),
  );
  return [line, ...parts].map((part) => ({ name: part.name, reading: readPart(part, abroad) }));
};

const readPart = (
  { name, value, element, longest }: SentPart,
  abroad: boolean,
): Reading<string> => {
  const text = textIn(value);
  if (text === null)
    return typeof value === 'object' && value !== null
      ? leftOut(null, 'not-understood')
      : NOTHING_READ;
  if (isVerbatim(element)) return readText(typeof value === 'string' ? value : text, longest);
  if (readsAsUnknown(name, text)) return NOTHING_READ;
  const recorded = recordedBeside(element, (one) => addressPart(name, one, abroad) === text);
  if (recorded !== null) return readText(recorded, longest);
  if (isAbsent(element)) return leftOut(text, 'said-absent');
  const kept = addressPart(name, text, abroad);
  return readText(kept === text && typeof value === 'string' ? value : kept, longest);
};

/** Whether a part of an address reads like an unknown one. */
// Two letters may be a state, such as NA of Namibia.
export const readsAsUnknown = (name: keyof Address, text: string): boolean =>
  (text.length > 2 && statesUnknown(text)) || isUnknownPart(name, text);

/** A text, or a number that stands for one, such as a ZIP code without quotes. */
const textIn = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : textOf(value);

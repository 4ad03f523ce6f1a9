import { statesUnknown } from '../fhir/coded-values.ts';
import { isAbsent, isVerbatim, readRecordedBeside } from '../fhir/extensions.ts';
import { asArray, asText, type JsonObject } from '../fhir/json.ts';
import { ABSENT, omitted, type Reading, readText } from '../fhir/readings.ts';
import type { Address } from './course.ts';
import { MAX_NAME, MAX_TEXT } from './limits.ts';
import { findCountryCode, findStateCode, reportCountry, reportState } from './places.ts';

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
    findCountryCode(text) !== 'US'
  );
};

/**
 * A part of an address as the record holds it: states and countries by their codes, where they have one.
 * @param abroad the address is in another country
 */
export const readAddressPart = (name: keyof Address, text: string, abroad: boolean): string => {
  if (name === 'country') return findCountryCode(text) ?? text;
  return name === 'state' && !abroad ? (findStateCode(text) ?? text) : text;
};

/** One part of an address as it was sent, and how long it may be, in UTF-16 units. */
interface SentPart {
  readonly name: keyof Address;
  readonly value: unknown;
  /** What FHIR keeps beside the value, such as its extensions. */
  readonly element: unknown;
  readonly longest: number;
}

const NAMES = [
  ['city', 'city'],
  ['county', 'district'],
  ['state', 'state'],
  ['postal_code', 'postalCode'],
] as const;

/** The parts of a FHIR Address in the order of the record; the street lines are joined. */
export const readAddress = (
  address: JsonObject,
): readonly { readonly name: keyof Address; readonly reading: Reading<string> }[] => {
  const lines = asArray(address['line']).filter((one) => readPrimitiveText(one) !== null);
  const line: SentPart = {
    name: 'line',
    value: lines.map((one) => String(one).trim()).join(', '),
    element: asArray(address['_line'])[0],
    longest: MAX_TEXT,
  };
  const part = (name: keyof Address, of: string): SentPart => ({
    name,
    value: address[of],
    element: address[`_${of}`],
    longest: MAX_NAME,
  });
  const country = part('country', 'country');
  // What a state means depends on the country.
  const readCountry = readPart(country, null);
  const stated =
    readCountry.kind === 'value' ? readCountry.value : readPrimitiveText(country.value);
  return [
    ...[line, ...NAMES.map(([name, of]) => part(name, of))].map((one) => ({
      name: one.name,
      reading: readPart(one, stated),
    })),
    { name: country.name, reading: readCountry },
  ];
};

/** @param country what the address states as its country; null for the country itself */
const readPart = (
  { name, value, element, longest }: SentPart,
  country: string | null,
): Reading<string> => {
  const text = readPrimitiveText(value);
  if (text === null)
    return typeof value === 'object' && value !== null ? omitted(null, 'not-understood') : ABSENT;
  if (isVerbatim(element)) return readText(typeof value === 'string' ? value : text, longest);
  if (isUnknownText(name, text)) return ABSENT;
  const recorded = readRecordedBeside(element, (one) => isSpelledLike(text, name, one, country));
  if (recorded !== null) return readText(recorded, longest);
  if (isAbsent(element)) return omitted(text, 'said-absent');
  const kept = readAddressPart(name, text, isAbroad(country));
  return readText(kept === text && typeof value === 'string' ? value : kept, longest);
};

/** Whether a record that holds a state or country leaves with this text: by the codes of vital records, or by ours as before. */
const isSpelledLike = (
  text: string,
  name: keyof Address,
  held: string,
  country: string | null,
): boolean =>
  readAddressPart(name, held, isAbroad(country)) === text ||
  (name === 'state' && reportState({ state: held, country }) === text) ||
  (name === 'country' && reportCountry(held) === text);

/** Whether a part of an address reads like an unknown one. */
// Two letters may be a state, such as NA of Namibia.
export const isUnknownText = (name: keyof Address, text: string): boolean =>
  (text.length > 2 && statesUnknown(text)) || isUnknownPart(name, text);

/** A text, or a number that stands for one, such as a ZIP code without quotes. */
const readPrimitiveText = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : asText(value);

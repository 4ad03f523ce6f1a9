import { statesUnknown } from '../fhir/coded-values.ts';
import { isAbsent, isVerbatim, readRecordedBeside, readUnrecorded } from '../fhir/extensions.ts';
import { asArray, asObject, asObjects, asText, firstMatch, type JsonObject } from '../fhir/json.ts';
import { ABSENT, leaveOut, type Reading, readText } from '../fhir/readings.ts';
import { collectStatedValues } from '../fhir/stated-values.ts';
import type { Address } from './course.ts';
import { MAX_NAME, MAX_TEXT } from './limits.ts';
import {
  type CountryList,
  findCountryCode,
  findStateCode,
  readCountry,
  reportCountry,
  reportState,
} from './places.ts';

// National birth files; XX is any state abroad.
const UNKNOWN_PARTS: Readonly<Partial<Record<keyof Address, RegExp>>> = {
  state: /^(?:ZZ|XX)$/i,
  country: /^ZZZ?$/i,
  postal_code: /^99999(?:-?9999)?$/,
};

export const isUnknownPart = (name: keyof Address, text: string): boolean =>
  UNKNOWN_PARTS[name]?.test(text) === true;

/** Abroad, the state may be a province. */
export const isAbroad = (country: string | null): boolean => {
  const text = country?.trim() ?? '';
  return (
    text !== '' &&
    !statesUnknown(text) &&
    !isUnknownPart('country', text) &&
    findCountryCode(text) !== 'US'
  );
};

export const readAddressPart = (
  name: keyof Address,
  text: string,
  abroad: boolean,
  list: CountryList = 'ISO 3166',
): string => {
  if (name === 'country') return readCountry(text, list) ?? text;
  return name === 'state' && !abroad ? (findStateCode(text) ?? text) : text;
};

/** Part of an address as sent, with its maximum length in UTF-16 units. */
interface SentPart {
  readonly name: keyof Address;
  readonly value: unknown;
  readonly element: unknown;
  readonly maxLength: number;
  readonly list: CountryList;
}

const NAMES = [
  ['city', 'city'],
  ['county', 'district'],
  ['state', 'state'],
  ['postal_code', 'postalCode'],
] as const;

type ReadAddress = readonly {
  readonly name: keyof Address;
  readonly reading: Reading<string>;
}[];

/** Finds the first address that says anything. */
export const findStatedAddress = (
  addresses: readonly JsonObject[],
  list: CountryList,
): { readonly address: JsonObject; readonly parts: ReadAddress } | null =>
  firstMatch(addresses, (address) => {
    const parts = readAddress(address, list);
    return parts.some(({ reading }) => reading.kind !== 'none') ? { address, parts } : null;
  });

/** A line without a value is put together from its extensions, else from those of the address. */
const readAddress = (address: JsonObject, list: CountryList): ReadAddress => {
  const lines = readLines(address);
  const line: SentPart = {
    name: 'line',
    value: lines === '' ? joinStreetParts(address) : lines,
    element: lines === '' ? undefined : asArray(address['_line'])[0],
    maxLength: MAX_TEXT,
    list,
  };
  const toPart = (name: keyof Address, of: string): SentPart => ({
    name,
    value: address[of],
    element: address[`_${of}`],
    maxLength: MAX_NAME,
    list,
  });
  const country = toPart('country', 'country');
  // Read first: the meaning of a state depends on its country.
  const readCountry = readPart(country, null);
  const countryText =
    readCountry.kind === 'value' ? readCountry.value : readPrimitiveText(country.value);
  return [
    { name: line.name, reading: readLine(line, address) },
    ...NAMES.map(([name, of]) => toPart(name, of)).map((one) => ({
      name: one.name,
      reading: readPart(one, countryText),
    })),
    { name: country.name, reading: readCountry },
  ];
};

/** An address that is only text cannot be split reliably. */
const readLine = (line: SentPart, { text }: JsonObject): Reading<string> => {
  const reading = readPart(line, null);
  const whole = asText(text);
  return reading.kind === 'none' && whole !== null && !isUnknownText('line', whole)
    ? leaveOut(whole, 'not-understood')
    : reading;
};

const readLines = ({ line, _line: beside }: JsonObject): string => {
  const [sent, elements] = [asArray(line), asArray(beside)];
  const lines = Array.from({ length: Math.max(sent.length, elements.length) }, (_, index) =>
    readPrimitiveText(sent[index]) === null
      ? joinStreetParts(elements[index])
      : String(sent[index]).trim(),
  );
  return joinTexts(', ', ...lines);
};

/** Extensions of a line, of ISO 21090. @see https://hl7.org/fhir/R4/iso21090.html */
const LINE_EXTENSION = /^iso21090-ADXP-/;

export const STREET_PARTS = {
  line: ['streetAddressLine', 'deliveryAddressLine'],
  number: ['houseNumber', 'houseNumberNumeric', 'StreetNumber'],
  numberSuffix: ['buildingNumberSuffix'],
  direction: ['direction'],
  before: ['PreDirectional'],
  street: ['streetName', 'StreetName'],
  base: ['streetNameBase'],
  type: ['streetNameType', 'StreetDesignator'],
  after: ['PostDirectional'],
  unitType: ['unitType'],
  unit: ['unitID', 'UnitOrAptNumber'],
  locator: ['additionalLocator'],
  box: ['postBox'],
} as const;

type StreetPart = keyof typeof STREET_PARTS;

const PART_NAMES: ReadonlyMap<string, StreetPart> = new Map(
  (Object.keys(STREET_PARTS) as StreetPart[]).flatMap((part) =>
    STREET_PARTS[part].map((name) => [name, part] as const),
  ),
);

type StreetParts = ReadonlyMap<StreetPart, string>;

const readStreetParts = (element: unknown): StreetParts => {
  const parts = new Map<StreetPart, string>();
  for (const extension of asObjects(asObject(element)['extension'])) {
    const url = asText(extension['url']) ?? '';
    const part = PART_NAMES.get(url.slice(url.lastIndexOf('/') + 1).replace(LINE_EXTENSION, ''));
    const {
      texts,
      conceptTexts,
      codings,
      numbers,
      isAbsent: saysAbsent,
    } = collectStatedValues(extension);
    const text = readPrimitiveText(
      texts[0] ?? conceptTexts[0] ?? codings[0]?.display ?? codings[0]?.code ?? numbers[0],
    );
    if (part === undefined || text === null || saysAbsent || isUnknownText('line', text)) continue;
    const known = parts.get(part);
    if (known !== text) parts.set(part, joinTexts(' ', known, text));
  }
  return parts;
};

const NUMBERED = ['number', 'unit', 'box'] as const;

/** Numbers that the street line lacks, although parts of the street beside it have them. */
export const listLackingNumbers = (address: JsonObject): readonly string[] => {
  const lines = readLines(address);
  if (lines === '') return [];
  const known = new Set(listDigits(lines));
  return [...asArray(address['_line']), address]
    .map(readStreetParts)
    .flatMap((parts) => NUMBERED.flatMap((one) => parts.get(one) ?? []))
    .filter((part) => listDigits(part).some((digits) => !known.has(digits)));
};

const listDigits = (text: string): readonly string[] => text.match(/\d+/g) ?? [];

/** As US mail writes it; empty if the element has no parts of one. */
const joinStreetParts = (element: unknown): string => {
  const parts = readStreetParts(element);
  const whole = parts.get('line');
  if (whole !== undefined) return whole;
  const street = parts.get('street') ?? parts.get('base') ?? '';
  const type = parts.get('type');
  const isTyped = type === undefined || street.toLowerCase().endsWith(` ${type.toLowerCase()}`);
  const order = [...parts.keys()];
  const place = order.indexOf('direction');
  const isBehind = order.slice(0, place).some((part) => part === 'street' || part === 'base');
  const direction = parts.get('direction');
  const suffix = parts.get('numberSuffix');
  const isFraction = /^\d/.test(suffix ?? '');
  const box = parts.get('box');
  return joinTexts(
    ', ',
    joinTexts(
      ' ',
      joinTexts(isFraction ? ' ' : '', parts.get('number'), suffix),
      parts.get('before'),
      isBehind ? '' : direction,
      street,
      isTyped ? '' : type,
      isBehind ? direction : '',
      parts.get('after'),
    ),
    joinTexts(' ', parts.get('unitType'), parts.get('unit')),
    parts.get('locator'),
    box !== undefined && /^\d{1,9}$/.test(box) ? `PO Box ${box}` : box,
  );
};

const joinTexts = (separator: string, ...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== '').join(separator);

/** @param country null when reading the country itself */
const readPart = (
  { name, value, element, maxLength, list }: SentPart,
  country: string | null,
): Reading<string> => {
  const text = readPrimitiveText(value);
  if (text === null)
    return typeof value === 'object' && value !== null ? leaveOut(null, 'not-understood') : ABSENT;
  if (isVerbatim(element)) return readText(typeof value === 'string' ? value : text, maxLength);
  const original = readRecordedBeside(element, (one) => isExportOf(text, name, one, country));
  if (original !== null) return readText(original, maxLength);
  if (isUnknownText(name, text) || readUnrecorded(element).has(name)) return ABSENT;
  if (isAbsent(element)) return leaveOut(text, 'said-absent');
  const stored = readAddressPart(name, text, isAbroad(country), list);
  return readText(stored === text && typeof value === 'string' ? value : stored, maxLength);
};

const isExportOf = (
  text: string,
  name: keyof Address,
  stored: string,
  country: string | null,
): boolean =>
  readAddressPart(name, stored, isAbroad(country)) === text ||
  (name === 'state' && reportState({ state: stored, country }) === text) ||
  (name === 'country' && reportCountry(stored) === text);

/** True if part of an address means "unknown". Two letters can be a code, such as NA for Namibia. */
export const isUnknownText = (name: keyof Address, text: string): boolean =>
  (text.length > 2 && statesUnknown(text)) || isUnknownPart(name, text);

/** Accepts a number as text, such as an unquoted ZIP code. */
const readPrimitiveText = (value: unknown): string | null =>
  typeof value === 'number' ? String(value) : asText(value);

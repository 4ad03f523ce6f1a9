import {
  getUse,
  type HeldAgainst,
  type Rank,
  rankByUse,
  sortByUse,
} from '../../fhir/current-elements.ts';
import { getFamilyName, getGivenNames, readKnownName } from '../../fhir/human-names.ts';
import { asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import { isMedicalRecordNumber } from './patient-values.ts';

const MAIDEN = 'maiden';

const BY_USE_OF_NAME = rankByUse(['official', 'usual', null, 'nickname', 'anonymous', 'temp']);

/**
 * The name of a person that counts, of those that say one: official, usual, none, nickname, temporary,
 * then those that are over. A name before marriage only where there is no other. Null: no name.
 * @param saysAName whether a name is one
 */
export const nameInUse = (
  names: unknown,
  day: HeldAgainst,
  saysAName: (name: JsonObject) => boolean = isKnown,
): JsonObject | null => {
  const inOrder = sortByUse(names, day, BY_USE_OF_NAME);
  const others = inOrder.filter((name) => getUse(name) !== MAIDEN);
  const candidates = others.length > 0 ? others : inOrder;
  return candidates.find(saysAName) ?? null;
};

/** The name before marriage; that it is over is why it is there. */
export const findMaidenName = (names: unknown): JsonObject | null =>
  asObjects(names).find((name) => getUse(name) === MAIDEN && isKnown(name)) ?? null;

const isKnown = (name: JsonObject): boolean =>
  getFamilyName(name) !== null ||
  getGivenNames(name).length > 0 ||
  readKnownName(name['text']) !== null;

const BY_USE_OF_PHONE = rankByUse(['mobile', 'home', null, 'temp', 'work']);

// The sender's own order stands before the use, except that of a place of work.
const byWork: Rank = (phone) => Number(getUse(phone) === 'work');
const byRank: Rank = ({ rank }) =>
  typeof rank === 'number' && rank >= 1 ? rank : Number.MAX_SAFE_INTEGER;
const byMobileOrHome: Rank = (phone) => Math.max(1, BY_USE_OF_PHONE(phone));

/**
 * The phone numbers of a person in the order in which they count: the sender's ranks, then mobile and
 * home, then without a use, those of work last, and behind them those that are over.
 */
export const phonesInUse = (telecoms: unknown, day: HeldAgainst): readonly JsonObject[] =>
  sortByUse(asObjects(telecoms).filter(isPhone), day, byWork, byRank, byMobileOrHome);

const isPhone = ({ system, value }: JsonObject): boolean =>
  asText(system)?.toLowerCase() === 'phone' && asText(value) !== null;

const BY_USE_OF_NUMBER = rankByUse(['usual', 'official', null, 'secondary', 'temp']);

/**
 * The medical record numbers of a person in the order in which they count: the usual one, the official
 * one, the others, then those that are over. Social security numbers are never read.
 */
export const recordNumbersInUse = (identifiers: unknown, day: HeldAgainst): readonly JsonObject[] =>
  sortByUse(asObjects(identifiers).filter(isRecordNumber), day, BY_USE_OF_NUMBER);

const isRecordNumber = (identifier: JsonObject): boolean =>
  isMedicalRecordNumber(identifier) && asText(identifier['value']) !== null;

const BY_USE_OF_ADDRESS = rankByUse(['home', null, 'temp', 'work']);

const byBills: Rank = (address) => Number(getUse(address) === 'billing');
const byMail: Rank = ({ type }) => Number(asText(type)?.toLowerCase() === 'postal');

/**
 * The addresses of a person in the order in which they count: the home where she can be visited, other
 * homes, those without a use, then those for bills, and behind them those that are over.
 */
export const addressesInUse = (addresses: unknown, day: HeldAgainst): readonly JsonObject[] =>
  sortByUse(addresses, day, byBills, BY_USE_OF_ADDRESS, byMail);

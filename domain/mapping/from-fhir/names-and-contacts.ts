import {
  getUse,
  type Rank,
  type ReferenceDay,
  rankByUse,
  sortByUse,
} from '../../fhir/current-elements.ts';
import { getFamilyName, getGivenNames, getSuffix, readKnownName } from '../../fhir/human-names.ts';
import { asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import { isMedicalRecordNumber } from './patient-values.ts';

const MAIDEN = 'maiden';

const BY_USE_OF_NAME = rankByUse(['official', 'usual', null, 'nickname', 'anonymous', 'temp']);

/**
 * Official, usual, none, nickname, temporary, then expired ones; a maiden name only without any other.
 */
export const nameInUse = (
  names: unknown,
  day: ReferenceDay,
  saysAName: (name: JsonObject) => boolean = isKnown,
): JsonObject | null => {
  const inOrder = sortByUse(names, day, BY_USE_OF_NAME);
  const others = inOrder.filter((name) => getUse(name) !== MAIDEN);
  const candidates = others.length > 0 ? others : inOrder;
  return candidates.find(saysAName) ?? null;
};

/** Finds the maiden name. Its period may be over, as is normal for one. */
export const findMaidenName = (names: unknown): JsonObject | null =>
  asObjects(names).find((name) => getUse(name) === MAIDEN && isKnown(name)) ?? null;

const isKnown = (name: JsonObject): boolean =>
  getFamilyName(name) !== null ||
  getGivenNames(name).length > 0 ||
  getSuffix(name) !== null ||
  readKnownName(name['text']) !== null;

const BY_USE_OF_PHONE = rankByUse(['mobile', 'home', null, 'temp', 'work']);

// The sender's own rank has priority over the use, except for work.
const byWork: Rank = (phone) => Number(getUse(phone) === 'work');
const byRank: Rank = ({ rank }) =>
  typeof rank === 'number' && rank >= 1 ? rank : Number.MAX_SAFE_INTEGER;
const byMobileOrHome: Rank = (phone) => Math.max(1, BY_USE_OF_PHONE(phone));

/** The sender's ranks, then mobile and home, no use, and work, then expired ones. */
export const phonesInUse = (telecoms: unknown, day: ReferenceDay): readonly JsonObject[] =>
  sortByUse(asObjects(telecoms).filter(isPhone), day, byWork, byRank, byMobileOrHome);

const isPhone = ({ system, value }: JsonObject): boolean =>
  asText(system)?.toLowerCase() === 'phone' && asText(value) !== null;

const BY_USE_OF_NUMBER = rankByUse(['usual', 'official', null, 'secondary', 'temp']);

/** Usual, official, others, then expired ones. Social security numbers are never read. */
export const recordNumbersInUse = (
  identifiers: unknown,
  day: ReferenceDay,
): readonly JsonObject[] =>
  sortByUse(asObjects(identifiers).filter(isRecordNumber), day, BY_USE_OF_NUMBER);

const isRecordNumber = (identifier: JsonObject): boolean =>
  isMedicalRecordNumber(identifier) && asText(identifier['value']) !== null;

const BY_USE_OF_ADDRESS = rankByUse(['home', null, 'temp', 'work']);

const byBills: Rank = (address) => Number(getUse(address) === 'billing');
const byMail: Rank = ({ type }) => Number(asText(type)?.toLowerCase() === 'postal');

/** The physical home, other homes, no use, and billing, then expired ones. */
export const addressesInUse = (addresses: unknown, day: ReferenceDay): readonly JsonObject[] =>
  sortByUse(addresses, day, byBills, BY_USE_OF_ADDRESS, byMail);

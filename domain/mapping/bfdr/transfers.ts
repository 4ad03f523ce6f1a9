import { type Child, emptyTransfer, type Transfer } from '../../course/course.ts';
import { MAX_NAME, MAX_TRANSFERS } from '../../course/limits.ts';
import { readCodes, readCoding, readCodings, statesUnknown } from '../../fhir/coded-values.ts';
import { isAbsent, isVerbatim, readUnrecorded } from '../../fhir/extensions.ts';
import {
  asObject,
  asObjects,
  asText,
  cacheBy,
  firstMatch,
  isObject,
  type JsonObject,
} from '../../fhir/json.ts';
import type { Document } from '../../fhir/references.ts';
import { getProfiles, parseProfileName } from '../../fhir/resources.ts';
import { findEncounters } from './encounters.ts';
import { findSubject, type People } from './people.ts';
import { LOCATION_ROLES } from './place-of-birth.ts';
import { countHoursOfStay, readTransferDetails } from './transfer-details.ts';
import type { WarningCollector } from './warning-collector.ts';

/** Admit source of a transfer in. @see http://terminology.hl7.org/CodeSystem/admit-source */
export const TRANSFERRED_IN = 'hosp-trans';

/** @see http://terminology.hl7.org/CodeSystem/discharge-disposition */
export const TRANSFERRED_OUT = 'other-hcf';

/** Codes of the BFDR guide, and SNOMED CT. */
export const TRANSFER_CODES: ReadonlyMap<string, Transfer['direction']> = new Map([
  [TRANSFERRED_IN, 'in'],
  [TRANSFERRED_OUT, 'out'],
  ['19712007', 'out'],
  ['107724000', null],
]);

/** Matched as whole words in any case. */
type TransferText = {
  readonly pattern: RegExp;
  readonly type: Transfer['type'];
  /** True if the word also describes a move within the facility. */
  readonly isAnyMove?: true;
};

const TRANSFER_TEXTS: readonly TransferText[] = [
  { pattern: /\bmaternal transfer\b/, type: 'mother' },
  { pattern: /\b(?:infant|newborn|neonatal) transfer\b/, type: 'infant' },
  { pattern: /\btransfer of care\b/, type: null },
  { pattern: /\btransfer(?:red)? (?:in|out|from|to)\b/, type: null, isAnyMove: true },
];

const DENIED =
  /\b(?:no|not|non|never|without|didn t)(?: \w+){0,3} transfer|\bnot (?:done|needed|required|indicated|performed)\b/;
const OF_SOMETHING_ELSE =
  /\b(?:embryos?|blastocysts?|gametes?|oocytes?|eggs?|zygotes?|fet|ivf|records?|documents?)\b/;
const WITHIN_THE_HOUSE = /\b(?:room|bed|chair|ward|floor|unit|nursery|nicu|postpartum|recovery)\b/;
const ANOTHER_HOUSE = /\b(?:hospital|facility|center|centre|clinic|home)\b/;

/**
 * Admission from another hospital (mother, in), discharge to another facility (infant, out), or a
 * recognized type or class. An embryo transfer and an unknown facility do not count.
 * @param children as read, by position
 * @see spec "Provider identity (partner lane only)", transfer of care
 */
export const readTransfers = (
  document: Document,
  people: People,
  children: readonly Child[],
  notes: WarningCollector,
): readonly Transfer[] => {
  const encounters = findEncounters(document);
  const read = readFacilities(encounters, document);
  const readDetails = (stated: NamedTransfer, encounter: JsonObject): Partial<Transfer> => {
    const subject = findSubject(encounter, document, people);
    const child = subject.kind === 'child' ? children[subject.child] : undefined;
    return {
      ...(child === undefined ? {} : readChildMoved(stated, encounter, child, children)),
      ...readTransferDetails(encounter, notes),
    };
  };
  const distinct = new Map<string, Transfer>();
  for (const encounter of encounters)
    for (const { isUnknown, ...stated } of listTransfers(encounter, document, people, read)) {
      const transfer = { ...emptyTransfer(), ...stated, ...readDetails(stated, encounter) };
      if (isUnknown) notes.warn('transfers.facility', null, null, 'facility-unknown');
      else distinct.set(JSON.stringify([transfer, findRepeat(encounter)]), transfer);
    }
  return [...distinct.values()].slice(0, MAX_TRANSFERS);
};

/** Which of several children it was, and when: a stay that ended with the transfer says so. */
const readChildMoved = (
  { direction }: NamedTransfer,
  encounter: JsonObject,
  child: Child,
  children: readonly Child[],
): Partial<Transfer> => {
  const disposition = asObject(encounter['hospitalization'])['dischargeDisposition'];
  const endsStay = direction === 'out' && names(disposition, TRANSFERRED_OUT);
  return {
    child_birth_order: children.length > 1 ? child.birth_order : null,
    hours_after_birth: endsStay ? countHoursOfStay(child, encounter) : null,
  };
};

export interface TransferAnswers {
  /** False if her stay says that she came from elsewhere than another hospital. */
  readonly mother: boolean | null;
  /** By position: true if the child was discharged to another facility within a day, which the guide's code means. */
  readonly children: readonly (boolean | null)[];
}

/** @see https://github.com/HL7/fhir-bfdr/blob/master/input/pagecontent/usage.md "Transfer" */
export const readTransferAnswers = (document: Document, people: People): TransferAnswers => {
  let isMotherMoved = false;
  let cameFromElsewhere = false;
  const children = people.children.map((): boolean | null => null);
  for (const encounter of findEncounters(document)) {
    const stay = asObject(encounter['hospitalization']);
    const subject = findSubject(encounter, document, people);
    if (findWho(encounter, document, people) === 'mother') {
      const admitted = stay['admitSource'];
      isMotherMoved ||= names(admitted, TRANSFERRED_IN);
      cameFromElsewhere ||= denies(admitted, TRANSFERRED_IN) && isAnswer(admitted, MOTHER_ANSWER);
    }
    if (subject.kind !== 'child') continue;
    const discharged = stay['dischargeDisposition'];
    if (!isAnswer(discharged, CHILD_ANSWER)) continue;
    if (names(discharged, TRANSFERRED_OUT)) children[subject.child] = true;
    else if (denies(discharged, TRANSFERRED_OUT)) children[subject.child] ??= false;
  }
  return { mother: cameFromElsewhere && !isMotherMoved ? false : null, children };
};

/** Fields without an answer of their own if a code is marked so: it follows from details of a transfer. */
export const MOTHER_ANSWER = 'mother_transfer';
export const CHILD_ANSWER = 'transfer_within_day';

const isAnswer = (concept: unknown, field: string): boolean => !readUnrecorded(concept).has(field);

/** True if the concept has a code, but not this one. */
const denies = (concept: unknown, code: string): boolean => {
  const codes = readCodes(concept).filter((one) => one !== null && !statesUnknown(one));
  return codes.length > 0 && !codes.includes(code);
};

/**
 * For equal but separate transfers, such as of twins. Without identifiers, equal Encounters count as
 * one.
 */
export const REPEATED_TRANSFERS = 'urn:birth-registry:transfers';

const findRepeat = (encounter: JsonObject): string | null =>
  firstMatch(asObjects(encounter['identifier']), ({ system, value }) =>
    system === REPEATED_TRANSFERS ? asText(value) : null,
  );

/** Other facility of a transfer, as sent. */
type Facility = { readonly facility: string | null; readonly isUnknown: boolean };

type StatedTransfer = NamedTransfer & Facility;

const listTransfers = (
  encounter: JsonObject,
  document: Document,
  people: People,
  read: ReadFacility,
): readonly StatedTransfer[] => {
  const stay = asObject(encounter['hospitalization']);
  const moved = findWho(encounter, document, people);
  const from = (): Facility => read(stay['origin'], encounter, LOCATION_ROLES.transferFrom);
  const to = (): Facility => read(stay['destination'], encounter, LOCATION_ROLES.transferTo);
  const transfers: StatedTransfer[] = [];
  if (states(stay['admitSource'], TRANSFERRED_IN))
    transfers.push({ type: moved ?? 'mother', direction: 'in', ...from() });
  if (states(stay['dischargeDisposition'], TRANSFERRED_OUT))
    transfers.push({ type: moved ?? 'infant', direction: 'out', ...to() });
  const named = readTransferByType(encounter);
  if (named === null) return transfers;
  const { type, ...way } = named;
  const { direction } = way;
  const isKnown = transfers.some((known) => direction === null || known.direction === direction);
  if (isKnown) return transfers;
  const other =
    direction === null ? mergeTransfers(stay, encounter, read) : { in: from, out: to }[direction]();
  transfers.push({ type: moved ?? type, ...way, ...other });
  return transfers;
};

// If the direction is unknown, the role of a Location cannot identify the facility.
const mergeTransfers = (stay: JsonObject, encounter: JsonObject, read: ReadFacility): Facility => {
  const stated = [
    read(stay['origin'], encounter, null),
    read(stay['destination'], encounter, null),
  ];
  return (
    stated.find(({ facility }) => facility !== null) ??
    stated.find(({ isUnknown }) => isUnknown) ??
    NO_FACILITY
  );
};

/** Not if the registry wrote it for an answer, without a transfer that is recorded. */
const states = (concept: unknown, code: string): boolean =>
  names(concept, code) && !readUnrecorded(concept).has('transfers');

const names = (concept: unknown, code: string): boolean => readCodes(concept).includes(code);

const findWho = (encounter: JsonObject, document: Document, people: People): Transfer['type'] => {
  const subject = findSubject(encounter, document, people).kind;
  if (subject === 'mother') return 'mother';
  if (subject === 'child') return 'infant';
  const profiles = getProfiles(encounter).map(parseProfileName);
  if (profiles.some((profile) => profile.endsWith('maternity'))) return 'mother';
  return profiles.some((profile) => profile.endsWith('birth')) ? 'infant' : null;
};

type NamedTransfer = Pick<Transfer, 'type' | 'direction'> & Partial<Pick<Transfer, 'place'>>;

const readTransferByType = (encounter: JsonObject): NamedTransfer | null => {
  const types = asObjects(encounter['type']);
  const codings = [
    ...readCodings(types),
    ...asObjects(encounter['class']).map(readCoding),
    ...readCodings(encounter['class']),
  ];
  const codes = new Set(codings.map(({ code }) => code));
  for (const [code, direction] of TRANSFER_CODES)
    if (codes.has(code)) return { type: null, direction };
  const texts = [...types.map((type) => asText(type['text'])), ...codings.map((c) => c.display)];
  return firstMatch(texts, (text) => (text === null ? null : readTransferInWords(text)));
};

const readTransferInWords = (text: string): NamedTransfer | null => {
  const lower = text.toLowerCase();
  // Fast path: all patterns contain this word, and few texts do.
  if (!lower.includes('transfer')) return null;
  const words = lower.replace(/[^a-z0-9]+/g, ' ');
  const named = TRANSFER_TEXTS.find(({ pattern }) => pattern.test(words));
  if (named === undefined || DENIED.test(words) || OF_SOMETHING_ELSE.test(words)) return null;
  if (named.isAnyMove === true && WITHIN_THE_HOUSE.test(words) && !ANOTHER_HOUSE.test(words))
    return null;
  const direction = readDirection(words);
  return { type: named.type, direction, place: readPlace(words, direction) };
};

const readDirection = (words: string): Transfer['direction'] => {
  if (/\bfrom\b|\btransfer(?:red)? in\b/.test(words)) return 'in';
  return /\bto\b|\btransfer(?:red)? out\b/.test(words) ? 'out' : null;
};

const PLACES: readonly (readonly [pattern: string, place: Transfer['place']])[] = [
  ['home', 'home'],
  ['birth(?:ing)? cent(?:er|re)', 'birth center'],
  ['hospital', 'hospital'],
];

const readPlace = (words: string, direction: Transfer['direction']): Transfer['place'] => {
  const before = direction === 'in' ? 'from' : 'to';
  const isNamed = (pattern: string): boolean =>
    new RegExp(`\\b${before} (?:a |the |her |another )?${pattern}\\b`).test(words);
  return PLACES.find(([pattern]) => isNamed(pattern))?.[1] ?? null;
};

/** @param role of the Location to use if there is no reference to one */
type ReadFacility = (
  reference: unknown,
  encounter: JsonObject,
  role: (typeof LOCATION_ROLES)[keyof typeof LOCATION_ROLES] | null,
) => Facility;

const NO_FACILITY: Facility = { facility: null, isUnknown: false };

const readFacilities = (encounters: readonly JsonObject[], document: Document): ReadFacility => {
  // Read once, because many transfers may lead to one Location.
  const nameOf = cacheBy(readPlaceName);
  const free = new Map<string, Facility>();
  return (reference, encounter, role) => {
    const resolved = document.resolve(reference, encounter);
    const display = isObject(reference) ? asText(reference['display']) : null;
    if (resolved !== null) return readFacility(nameOf(resolved), display);
    if (display !== null || role === null) return readFacility(NO_NAME, display);
    const facility = free.get(role) ?? findFreeFacility(role, encounters, document);
    free.set(role, facility);
    return facility;
  };
};

// A Location that one transfer refers to is not available to another.
const findFreeFacility = (
  role: string,
  encounters: readonly JsonObject[],
  document: Document,
): Facility => {
  const [only, ...others] = document
    .ofType('Location')
    .filter((location) => names(location['type'], role));
  if (only === undefined || others.length > 0) return NO_FACILITY;
  const isReferredTo = encounters.some((encounter) => {
    const { origin, destination } = asObject(encounter['hospitalization']);
    return [origin, destination].some((one) => document.resolve(one, encounter) === only);
  });
  return isReferredTo ? NO_FACILITY : readFacility(readPlaceName(only), null);
};

interface PlaceName {
  readonly name: string | null;
  readonly isAbsent: boolean;
  readonly isVerbatim: boolean;
}

const NO_NAME: PlaceName = { name: null, isAbsent: false, isVerbatim: false };

const readPlaceName = ({ name, _name: element }: JsonObject): PlaceName => ({
  name: asText(name),
  isAbsent: isAbsent(element),
  isVerbatim: isVerbatim(element),
});

const readFacility = (place: PlaceName, display: string | null): Facility => {
  const name = place.name ?? display;
  // No name of an unknown place is that long.
  const isKnown = name === null || name.length > MAX_NAME || !isUnknownPlace(name);
  if (place.isAbsent || (!isKnown && !place.isVerbatim)) return { facility: null, isUnknown: true };
  return { facility: name !== null && name.length <= MAX_NAME ? name : null, isUnknown: false };
};

export const isUnknownPlace = (name: string): boolean =>
  statesUnknown(name) ||
  /^(?:unknown|not known)(?: (?:hospital|facility|location|place))?$/i.test(name);

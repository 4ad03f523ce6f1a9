import { readCoding } from '../../fhir/coded-values.ts';
import { asObject, asObjects, type JsonObject } from '../../fhir/json.ts';
import { type Moment, readPeriod } from '../../fhir/moments.ts';
import { isPlanned, isVoid } from '../../fhir/resources.ts';
import { isAttendant } from '../from-fhir/attendants.ts';
import {
  type BirthWindow,
  type ChartTimeline,
  isPlausibleBirthDay,
  TERM_DAYS,
} from './birth-window.ts';
import { isDeliveryDiagnosis } from './diagnosis-codes.ts';
import type { PrefillHint } from './prefill.ts';
import { type PrefillBuilder, readFromWhole, readShortText } from './prefill-builder.ts';

/** Classes of stays that can include a birth. @see v3-ActCode */
export const STAYS: ReadonlySet<string> = new Set(['IMP', 'ACUTE', 'NONAC', 'OBSENC']);
/** Class of an outpatient visit. @see v3-ActCode */
export const VISIT = 'AMB';
/** Other classes of v3-ActCode, which cannot include a birth, even for the launch's own encounter. */
export const NO_STAYS: ReadonlySet<string> = new Set(['EMER', 'FLD', 'HH', 'PRENC', 'SS', 'VR']);
const MAX_STAY_DAYS = 60;

/** Returns the Encounters that took place or are planned, and the number of void ones. */
export const readEncounters = (
  encounters: readonly JsonObject[],
): { readonly standing: readonly JsonObject[]; readonly leftOut: number } => {
  const standing = encounters.filter((encounter) => !isVoid(encounter));
  return { standing, leftOut: encounters.length - standing.length };
};

const readClass = (encounter: JsonObject): string =>
  readCoding(asObject(encounter['class'])).code?.toUpperCase() ?? '';

/**
 * True if the launch's own encounter can be the delivery, judging by its class. Local classes are
 * accepted.
 */
const canBeAStay = (encounter: JsonObject): boolean => {
  const code = readClass(encounter);
  return code !== VISIT && !NO_STAYS.has(code);
};

const hasDeliveryReason = (encounter: JsonObject): boolean =>
  asObjects(encounter['reasonCode']).some(isDeliveryDiagnosis);

/** Returns the days of a stay. An open stay ends today. */
const readDays = (encounter: JsonObject, today: number): BirthWindow | null => {
  const { start, end } = readPeriod(encounter);
  if (start?.day === null || start === null) return null;
  const latest = Math.max(start.day, Math.min(end?.day ?? today, start.day + MAX_STAY_DAYS));
  return { earliest: start.day, latest, isExact: false };
};

/** Finds the stay in which the mother gave birth, used if nothing else states the time. */
export const findBirthByEncounter = (
  encounters: readonly JsonObject[],
  launchedIn: string | null,
  today: string,
  todayNumber: number,
): BirthWindow | null => {
  const stays = encounters
    .filter((one) => hasDeliveryReason(one) || (one['id'] === launchedIn && canBeAStay(one)))
    .map((one) => ({ days: readDays(one, todayNumber), isNamed: hasDeliveryReason(one) }))
    .filter(({ days }) => days !== null && isPlausibleBirthDay(days.earliest, today))
    .sort(
      (first, second) =>
        Number(second.isNamed) - Number(first.isNamed) ||
        (second.days?.earliest ?? 0) - (first.days?.earliest ?? 0),
    );
  return stays[0]?.days ?? null;
};

const covers = (encounter: JsonObject, { birth, today }: ChartTimeline): boolean => {
  const days = readDays(encounter, today);
  return (
    birth !== null &&
    days !== null &&
    days.earliest <= birth.latest &&
    days.latest >= birth.earliest
  );
};

/**
 * Finds the stay that covers the birth. Actual stays have priority over planned ones, then those
 * for a delivery, then the launch's own.
 */
const findDeliveryStay = (
  encounters: readonly JsonObject[],
  launchedIn: string | null,
  times: ChartTimeline,
): JsonObject | null => {
  const rankOf = (one: JsonObject): number =>
    Number(!isPlanned(one)) * 4 +
    Number(hasDeliveryReason(one)) * 2 +
    Number(one['id'] === launchedIn);
  const stays = encounters.filter(
    (one) =>
      (STAYS.has(readClass(one)) ||
        hasDeliveryReason(one) ||
        (one['id'] === launchedIn && canBeAStay(one))) &&
      covers(one, times),
  );
  return [...stays].sort((first, second) => rankOf(second) - rankOf(first))[0] ?? null;
};

/** Adds hints from the delivery's stay and earlier visits: place, attendant, and first visit. */
export const addEncounterHints = (
  encounters: readonly JsonObject[],
  launchedIn: string | null,
  times: ChartTimeline,
  as: 'mother' | 'newborn',
  findings: PrefillBuilder,
): void => {
  const delivery = findDeliveryStay(encounters, launchedIn, times);
  if (delivery !== null) {
    const start = readPeriod(delivery).start;
    const from = readFromWhole(delivery, start);
    for (const text of listPlaces(delivery))
      findings.addHint({
        kind: 'place',
        path: 'place_of_birth',
        ...guessPlace(text),
        text,
        from,
      });
    for (const text of listAttendants(delivery))
      findings.addHint({ kind: 'attendant', path: 'attendant_name', value: text, text, from });
    if (start !== null) findings.addHint({ kind: 'admission', path: null, text: start.text, from });
  }
  if (as === 'mother') addVisitHint(encounters, times, findings);
};

const PLACES: readonly (readonly [RegExp, string])[] = [
  [/\bbirth(?:ing)? cent(?:er|re)\b/i, 'Birth center'],
  [/\bhospital\b/i, 'Hospital'],
  [/\bclinic\b/i, 'Clinic'],
  [/\bhome\b/i, 'Home'],
];

/** Guesses the kind of place from a name. A user has to accept it. */
const guessPlace = (text: string): Pick<PrefillHint, 'value'> => {
  const named = PLACES.find(([words]) => words.test(text));
  return named === undefined ? {} : { value: named[1] };
};

// Planned places are used only if the actual place is not stated.
const listPlaces = (encounter: JsonObject): readonly string[] => {
  const stays = asObjects(encounter['location']);
  const facts = stays.filter((stay) => !isPlanned(stay));
  return [
    ...(facts.length > 0 ? facts : stays).map(({ location }) => location),
    encounter['serviceProvider'],
  ]
    .map((reference) => readShortText(asObject(reference)['display']))
    .filter((display) => display !== null);
};

/** Lists participants with ATND in any code system. @see spec "Provider identity" */
const listAttendants = (encounter: JsonObject): readonly string[] =>
  (isPlanned(encounter) ? [] : asObjects(encounter['participant']))
    .filter(isAttendant)
    .map(({ individual }) => readShortText(asObject(individual)['display']))
    .filter((display) => display !== null);

const addVisitHint = (
  encounters: readonly JsonObject[],
  { birth }: ChartTimeline,
  findings: PrefillBuilder,
): void => {
  if (birth === null) return;
  const days = (moment: Moment | null) => moment?.day ?? null;
  const visits = encounters.filter((one) => {
    const day = days(readPeriod(one).start);
    const isBefore = day !== null && day < birth.earliest && day >= birth.earliest - TERM_DAYS;
    return readClass(one) === VISIT && one['status'] === 'finished' && isBefore;
  });
  const [first] = visits;
  if (first === undefined) return;
  const text = `${visits.length} outpatient ${visits.length === 1 ? 'visit' : 'visits'} in the nine months before the birth, of any kind.`;
  const from = readFromWhole(first, readPeriod(first).start);
  const value = String(visits.length);
  findings.addHint({ kind: 'prenatal-visits', path: 'prenatal_visits', value, text, from });
};

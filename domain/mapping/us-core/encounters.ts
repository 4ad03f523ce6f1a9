import { readCoding, readCodings } from '../../fhir/coded-values.ts';
import { asObject, asObjects, type JsonObject } from '../../fhir/json.ts';
import { findFirstMoment, type Moment } from '../../fhir/moments.ts';
import { formatResourceName, isPlanned, isVoid } from '../../fhir/resources.ts';
import { spendBudget } from '../../fhir/steps.ts';
import { isAttendant } from '../from-fhir/attendants.ts';
import {
  type BirthWindow,
  type ChartTimeline,
  isPlausibleBirthDay,
  TERM_DAYS,
} from './birth-window.ts';
import { type LocalTimes, pickTimes } from './chart-clock.ts';
import { isDeliveryDiagnosis } from './diagnosis-codes.ts';
import type { PrefillHint } from './prefill.ts';
import {
  addDate,
  createWholeSource,
  type PrefillBuilder,
  readShortText,
  type UndatedSource,
} from './prefill-builder.ts';

/** Classes of stays that can include a birth. @see v3-ActCode */
export const STAYS: ReadonlySet<string> = new Set(['IMP', 'ACUTE', 'NONAC', 'OBSENC']);
/** Class of an outpatient visit. @see v3-ActCode */
export const VISIT = 'AMB';
/** Other classes of v3-ActCode, which cannot include a birth, even for the launch's own encounter. */
export const NO_STAYS: ReadonlySet<string> = new Set(['EMER', 'FLD', 'HH', 'PRENC', 'SS', 'VR']);
const MAX_STAY_DAYS = 60;

export interface ReadEncounter {
  readonly from: UndatedSource;
  readonly start: Moment | null;
  /** Null while it continues. */
  readonly end: Moment | null;
  readonly classCode: string;
  readonly isDelivery: boolean;
  readonly isPlanned: boolean;
  readonly isFinished: boolean;
  readonly isLaunched: boolean;
  readonly places: readonly string[];
  readonly attendants: readonly string[];
}

export interface UndatedEncounter extends Omit<ReadEncounter, 'start' | 'end'> {
  /** Text that may be its start, or none. */
  readonly began: readonly string[];
  readonly ended: readonly string[];
}

export const readEncounters = (
  encounters: readonly JsonObject[],
  launchedIn: string | null,
): { readonly undated: readonly UndatedEncounter[]; readonly leftOut: number } => {
  const standing = encounters.filter((encounter) => !isVoid(encounter));
  return {
    undated: standing.map((encounter) => readOne(encounter, launchedIn)),
    leftOut: encounters.length - standing.length,
  };
};

const readOne = (encounter: JsonObject, launchedIn: string | null): UndatedEncounter => {
  const { start, end } = asObject(encounter['period']);
  return {
    from: createWholeSource(formatResourceName(encounter)),
    classCode: findClassCode(encounter['class'])?.toUpperCase() ?? '',
    isDelivery: asObjects(encounter['reasonCode']).some(isDeliveryDiagnosis),
    isPlanned: isPlanned(encounter),
    isFinished: encounter['status'] === 'finished',
    isLaunched: encounter['id'] === launchedIn,
    places: listPlaces(encounter),
    attendants: listAttendants(encounter),
    began: pickTimes([start]),
    ended: pickTimes([end]),
  };
};

// Many EHRs send a CodeableConcept instead of a Coding.
const findClassCode = (kind: unknown): string | null =>
  [readCoding(asObject(kind)), ...readCodings(asObject(kind))].find(({ code }) => code !== null)
    ?.code ?? null;

export const dateEncounters = (
  encounters: readonly UndatedEncounter[],
  { toLocal }: LocalTimes,
): readonly ReadEncounter[] => {
  spendBudget(encounters.length);
  return encounters.map(({ began, ended, ...undated }) => ({
    ...undated,
    start: findFirstMoment(...began.map(toLocal)),
    end: findFirstMoment(...ended.map(toLocal)),
  }));
};

/** Local classes are accepted. */
const canBeLaunchedStay = ({ isLaunched, classCode }: ReadEncounter): boolean =>
  isLaunched && classCode !== VISIT && !NO_STAYS.has(classCode);

/** Returns the days of a stay. An open stay ends today. */
const readDays = ({ start, end }: ReadEncounter, today: number): BirthWindow | null => {
  if (start?.day === null || start === null) return null;
  const latest = Math.max(start.day, Math.min(end?.day ?? today, start.day + MAX_STAY_DAYS));
  return { earliest: start.day, latest, isExact: false };
};

export const findBirthByEncounter = (
  encounters: readonly ReadEncounter[],
  today: string,
  todayNumber: number,
): BirthWindow | null => {
  spendBudget(encounters.length);
  const stays = encounters
    .filter((one) => one.isDelivery || canBeLaunchedStay(one))
    .map((one) => ({ days: readDays(one, todayNumber), isNamed: one.isDelivery }))
    .filter(({ days }) => days !== null && isPlausibleBirthDay(days.earliest, today))
    .sort(
      (first, second) =>
        Number(second.isNamed) - Number(first.isNamed) ||
        (second.days?.earliest ?? 0) - (first.days?.earliest ?? 0),
    );
  return stays[0]?.days ?? null;
};

const covers = (encounter: ReadEncounter, { birth, today }: ChartTimeline): boolean => {
  const days = readDays(encounter, today);
  return (
    birth !== null &&
    days !== null &&
    days.earliest <= birth.latest &&
    days.latest >= birth.earliest
  );
};

/** Actual stays first, then those for a delivery, then the launch's own. */
const findDeliveryStay = (
  encounters: readonly ReadEncounter[],
  times: ChartTimeline,
): ReadEncounter | null => {
  const getRank = (one: ReadEncounter): number =>
    Number(!one.isPlanned) * 4 + Number(one.isDelivery) * 2 + Number(one.isLaunched);
  const stays = encounters.filter(
    (one) =>
      (STAYS.has(one.classCode) || one.isDelivery || canBeLaunchedStay(one)) && covers(one, times),
  );
  return stays.sort((first, second) => getRank(second) - getRank(first))[0] ?? null;
};

export const addEncounterHints = (
  encounters: readonly ReadEncounter[],
  times: ChartTimeline,
  as: 'mother' | 'newborn',
  findings: PrefillBuilder,
): void => {
  spendBudget(encounters.length);
  const delivery = findDeliveryStay(encounters, times);
  if (delivery !== null) {
    const { start, places, attendants } = delivery;
    const from = addDate(delivery.from, start);
    spendBudget(places.length + attendants.length);
    for (const text of places)
      findings.addHint({
        kind: 'place',
        path: 'place_of_birth',
        ...guessPlace(text),
        text,
        from,
      });
    for (const text of attendants)
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
  encounters: readonly ReadEncounter[],
  { birth }: ChartTimeline,
  findings: PrefillBuilder,
): void => {
  if (birth === null) return;
  const visits = encounters.filter(({ start, classCode, isFinished }) => {
    const day = start?.day ?? null;
    const isBefore = day !== null && day < birth.earliest && day >= birth.earliest - TERM_DAYS;
    return classCode === VISIT && isFinished && isBefore;
  });
  const [first] = visits;
  if (first === undefined) return;
  const text = `${visits.length} outpatient ${visits.length === 1 ? 'visit' : 'visits'} in the nine months before the birth, of any kind.`;
  const from = addDate(first.from, first.start);
  const value = String(visits.length);
  findings.addHint({ kind: 'prenatal-visits', path: 'prenatal_visits', value, text, from });
};

import { asObject, asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import { findFirstMoment, listObservationTimes, type Moment } from '../../fhir/moments.ts';
import { leaveOut, type Reading } from '../../fhir/readings.ts';
import { formatResourceName, isFinal, parseReferencedId } from '../../fhir/resources.ts';
import { collectStatedValues } from '../../fhir/stated-values.ts';
import { spendBudget } from '../../fhir/steps.ts';
import { ownParts } from '../from-fhir/observed-values.ts';
import { type LocalTimes, pickTimes } from './chart-clock.ts';
import { findChartKind, type ObservationKind } from './observation-kinds.ts';
import type { EhrSourceWithDisplay } from './prefill.ts';
import { addDate, readCodedSource, type UndatedSource } from './prefill-builder.ts';

export interface ReadObservation {
  readonly kind: ObservationKind;
  readonly reading: Reading<string | number | boolean>;
  readonly moment: Moment | null;
  readonly from: EhrSourceWithDisplay;
  /** Value in the EHR's own words; null if there is none, or if it is too long to show. */
  readonly said: string | null;
  /** Such as a child in its mother's chart. Observations about the same patients share one list. */
  readonly focus: readonly string[];
}

/** Observation whose day depends on the time zone of a practice. */
export interface UndatedObservation extends Omit<ReadObservation, 'moment' | 'from'> {
  readonly from: UndatedSource;
  readonly whole: WholeObservation;
}

interface WholeObservation {
  readonly resource: string;
  /** Texts that may be its time, best first. */
  readonly times: readonly string[];
  readonly focus: readonly string[];
  readonly isCorrection: boolean;
  readonly updatedAt: string;
}

/** Components included. Our choice: far more than charts have. */
export const MAX_OBSERVATIONS = 3_000;

/** Omits superseded ones and those that were never final. */
export const readObservations = (
  observations: readonly JsonObject[],
  issuer: string,
): {
  readonly undated: readonly UndatedObservation[];
  readonly leftOut: number;
  readonly isComplete: boolean;
} => {
  const replaced = new Set(observations.flatMap((one) => findReplaced(one, issuer)));
  const current = observations.filter(
    (one) => isFinal(one) && !replaced.has(formatResourceName(one)),
  );
  const focuses = new Map<string, readonly string[]>();
  const parts = current.map((one) => readParts(one, issuer, focuses));
  const all = parts.flat();
  const absent = current.filter(
    (one, index) => parts[index]?.length === 0 && one['dataAbsentReason'] !== undefined,
  );
  const undated = all.slice(0, MAX_OBSERVATIONS);
  const tooMany = all.length - undated.length;
  return {
    undated,
    leftOut: observations.length - current.length + absent.length + tooMany,
    isComplete: tooMany === 0,
  };
};

/** Latest first, without those that were corrected. */
export const dateObservations = (
  observations: readonly UndatedObservation[],
  { toLocal }: LocalTimes,
): { readonly read: readonly ReadObservation[]; readonly leftOut: number } => {
  spendBudget(observations.length);
  const moments = new Map<WholeObservation, Moment | null>();
  const findMoment = (whole: WholeObservation): Moment | null => {
    const known = moments.get(whole);
    if (known !== undefined) return known;
    const moment = findFirstMoment(...whole.times.map(toLocal));
    moments.set(whole, moment);
    return moment;
  };
  const sorted = observations
    .map(({ whole, ...undated }): Ranked => {
      const moment = findMoment(whole);
      return { one: { ...undated, moment, from: addDate(undated.from, moment) }, whole };
    })
    .sort(compareByTime);
  const corrections = indexCorrections(sorted);
  const standing = sorted.filter((one) => !isCorrected(one, corrections));
  return {
    read: standing.map(({ one }) => one),
    leftOut: sorted.length - standing.length,
  };
};

interface Ranked {
  readonly one: ReadObservation;
  readonly whole: WholeObservation;
}

/** R4 has only an extension for it. @see https://hl7.org/fhir/R4/extension-observation-replaces.html */
const findReplaced = (observation: JsonObject, issuer: string): readonly string[] => {
  if (!isFinal(observation)) return [];
  return asObjects(observation['extension'])
    .filter(({ url }) => asText(url)?.endsWith('/observation-replaces') === true)
    .map(({ valueReference }) => parseReferencedId(valueReference, 'Observation', issuer))
    .flatMap((id) => (id === null ? [] : [`Observation/${id}`]));
};

/** Components of the panel's own kind remain part of its value. */
const readParts = (
  observation: JsonObject,
  issuer: string,
  focuses: Map<string, readonly string[]>,
): readonly UndatedObservation[] => {
  const own = findChartKind(observation['code'])?.kind ?? null;
  const isOwn = (component: JsonObject): boolean =>
    isSameKind(findChartKind(component['code'])?.kind ?? null, own);
  const whole: WholeObservation = {
    resource: formatResourceName(observation),
    times: pickTimes(listObservationTimes(observation)),
    focus: readFocus(observation, issuer, focuses),
    isCorrection: observation['status'] !== 'final',
    updatedAt: asText(asObject(observation['meta'])['lastUpdated']) ?? '',
  };
  return [
    ownParts(observation, isOwn),
    ...asObjects(observation['component']).filter((component) => !isOwn(component)),
  ]
    .map((part) => readOne(part, whole))
    .filter((one) => one !== null);
};

const isSameKind = (one: ObservationKind | null, other: ObservationKind | null): boolean =>
  one !== null &&
  other !== null &&
  (one === other ||
    (one.group === 'gestation' && other.group === 'gestation') ||
    ('path' in one && 'path' in other && one.path === other.path));

const readFocus = (
  observation: JsonObject,
  issuer: string,
  focuses: Map<string, readonly string[]>,
): readonly string[] => {
  const ids = asObjects(observation['focus'])
    .map((reference) => parseReferencedId(reference, 'Patient', issuer))
    .filter((id) => id !== null);
  const key = ids.join();
  const focus = focuses.get(key) ?? ids;
  focuses.set(key, focus);
  return focus;
};

const readOne = (part: JsonObject, whole: WholeObservation): UndatedObservation | null => {
  const match = findChartKind(part['code']);
  if (match === null) return null;
  const reading = match.kind.read(part);
  if (reading.kind === 'none') return null;
  return {
    kind: match.kind,
    reading: match.isOfOtherSystem ? leaveOut(null, 'system-unknown') : reading,
    said: formatStatedValue(part),
    from: readCodedSource(whole.resource, part['code'], match.code),
    focus: whole.focus,
    whole,
  };
};

const compareByTime = (first: Ranked, second: Ranked): number =>
  compareTexts(getOrder(second), getOrder(first)) ||
  Number(second.whole.isCorrection) - Number(first.whole.isCorrection) ||
  compareTexts(second.whole.updatedAt, first.whole.updatedAt);

const getOrder = ({ one }: Ranked): string => one.moment?.order ?? '';

const compareTexts = (first: string, second: string): number => {
  if (first === second) return 0;
  return first < second ? -1 : 1;
};

/** Codes and times of corrections, by the focus that they share. */
type Corrections = ReadonlyMap<readonly string[], ReadonlySet<string>>;

const indexCorrections = (all: readonly Ranked[]): Corrections => {
  const corrections = new Map<readonly string[], Set<string>>();
  for (const { one, whole } of all) {
    if (!whole.isCorrection || one.moment === null) continue;
    const known = corrections.get(one.focus) ?? new Set();
    corrections.set(one.focus, known.add(formatCodeAndTime(one)));
  }
  return corrections;
};

const formatCodeAndTime = ({ from, moment }: ReadObservation): string =>
  `${moment?.order} ${from.code}`;

const isCorrected = ({ one, whole }: Ranked, corrections: Corrections): boolean =>
  !whole.isCorrection && corrections.get(one.focus)?.has(formatCodeAndTime(one)) === true;

const MAX_SAID = 60;

const formatStatedValue = (observation: JsonObject): string | null => {
  const { quantities, numbers, texts, booleans } = collectStatedValues(observation);
  const [quantity = {}] = quantities;
  const number = quantity['value'] ?? numbers[0];
  if (typeof number === 'number' || typeof number === 'string') {
    const unit = asText(quantity['unit']) ?? asText(quantity['code']);
    return limitText(unit === null ? String(number) : `${number} ${unit}`);
  }
  return limitText(texts[0] ?? String(booleans[0] ?? ''));
};

const limitText = (text: string): string | null =>
  text === '' || text.length > MAX_SAID ? null : text;

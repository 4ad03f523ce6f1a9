import { findExtension } from '../../fhir/extensions.ts';
import { asObject, asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import { type Moment, readObservationMoment } from '../../fhir/moments.ts';
import type { Reading } from '../../fhir/readings.ts';
import { formatResourceName, isFinal, parseReferencedId } from '../../fhir/resources.ts';
import { collectStatedValues } from '../../fhir/stated-values.ts';
import { ownParts } from '../from-fhir/observed-values.ts';
import { findChartKind, type ObservationKind } from './observation-kinds.ts';
import type { EhrSourceWithDisplay } from './prefill.ts';
import { readFromCoded } from './prefill-builder.ts';

/** Parsed Observation of a known kind. */
export interface ReadObservation {
  readonly kind: ObservationKind;
  readonly reading: Reading<string | number | boolean>;
  readonly moment: Moment | null;
  readonly from: EhrSourceWithDisplay;
  /** Value in the EHR's own words, shortened; null if it is not a number or text. */
  readonly said: string | null;
  /** Patients it is about in addition to the subject: a child in its mother's chart. */
  readonly focus: readonly string[];
}

/**
 * Reads the Observations of known kinds, latest first. Omits superseded ones and those that were
 * never final.
 */
export const readObservations = (
  observations: readonly JsonObject[],
  issuer: string,
): { readonly read: readonly ReadObservation[]; readonly leftOut: number } => {
  const replaced = new Set(observations.flatMap((one) => findReplaced(one, issuer)));
  const current = observations.filter(
    (one) => isCurrent(one) && !replaced.has(formatResourceName(one)),
  );
  const read = current
    .flatMap(splitComponents)
    .map((part) => readOne(part, issuer))
    .filter((one) => one !== null);
  const sorted = [...read].sort(compareByTime);
  const standing = sorted.filter((one) => !isCorrected(one, sorted));
  return {
    read: standing.map(({ one }) => one),
    leftOut: observations.length - current.length + sorted.length - standing.length,
  };
};

interface Ranked {
  readonly one: ReadObservation;
  /** True if it replaces an earlier final Observation. */
  readonly isCorrection: boolean;
  readonly updatedAt: string;
}

const isCurrent = (observation: JsonObject): boolean =>
  isFinal(observation) && observation['dataAbsentReason'] === undefined;

/** R4 has only an extension for it. @see https://hl7.org/fhir/R4/extension-observation-replaces.html */
const findReplaced = (observation: JsonObject, issuer: string): readonly string[] => {
  if (!isCurrent(observation)) return [];
  const replaces = findExtension(observation, 'observation-replaces')?.['valueReference'];
  const id = parseReferencedId(replaces, 'Observation', issuer);
  return id === null ? [] : [`Observation/${id}`];
};

/**
 * Splits the components of a panel into separate Observations. Components of the panel's own kind
 * remain part of its value.
 */
const splitComponents = (observation: JsonObject): readonly JsonObject[] => {
  const own = findChartKind(observation['code'])?.kind ?? null;
  const isOwn = (component: JsonObject): boolean =>
    isSameKind(findChartKind(component['code'])?.kind ?? null, own);
  return [
    ownParts(observation, isOwn),
    ...asObjects(observation['component'])
      .filter((component) => findChartKind(component['code']) !== null && !isOwn(component))
      .map((component) => ({
        ...component,
        ...Object.fromEntries(INHERITED.map((name) => [name, observation[name]])),
      })),
  ];
};

const isSameKind = (one: ObservationKind | null, other: ObservationKind | null): boolean =>
  one !== null &&
  other !== null &&
  (one === other ||
    (one.group === 'gestation' && other.group === 'gestation') ||
    ('path' in one && 'path' in other && one.path === other.path));

const INHERITED = [
  'resourceType',
  'id',
  'status',
  'subject',
  'focus',
  'meta',
  'effectiveDateTime',
  'effectivePeriod',
  'effectiveInstant',
];

const readOne = (observation: JsonObject, issuer: string): Ranked | null => {
  const match = findChartKind(observation['code']);
  if (match === null) return null;
  const reading = match.kind.read(observation);
  if (reading.kind === 'none') return null;
  const moment = readObservationMoment(observation);
  return {
    one: {
      kind: match.kind,
      reading,
      moment,
      said: formatStatedValue(observation),
      from: readFromCoded(observation, match.code, moment),
      focus: asObjects(observation['focus'])
        .map((reference) => parseReferencedId(reference, 'Patient', issuer))
        .filter((id) => id !== null),
    },
    isCorrection: observation['status'] !== 'final',
    updatedAt: asText(asObject(observation['meta'])['lastUpdated']) ?? '',
  };
};

const compareByTime = (first: Ranked, second: Ranked): number =>
  compareTexts(getOrder(second), getOrder(first)) ||
  Number(second.isCorrection) - Number(first.isCorrection) ||
  compareTexts(second.updatedAt, first.updatedAt);

const getOrder = ({ one }: Ranked): string => one.moment?.order ?? '';

const compareTexts = (first: string, second: string): number => {
  if (first === second) return 0;
  return first < second ? -1 : 1;
};

/** True if a correction has the same code, person, and time. */
const isCorrected = (one: Ranked, all: readonly Ranked[]): boolean =>
  !one.isCorrection &&
  all.some(
    (other) =>
      other.isCorrection &&
      other.one.from.code === one.one.from.code &&
      other.one.moment !== null &&
      getOrder(other) === getOrder(one) &&
      other.one.focus.join() === one.one.focus.join(),
  );

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

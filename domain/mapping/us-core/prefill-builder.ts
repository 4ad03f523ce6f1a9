import { findChildIndex } from '../../course/course-paths.ts';
import { toWeeksAndDays } from '../../course/gestational-age.ts';
import { MAX_CHILDREN, MAX_TEXT } from '../../course/limits.ts';
import { readCodings } from '../../fhir/coded-values.ts';
import { asObject, asText } from '../../fhir/json.ts';
import type { Moment } from '../../fhir/moments.ts';
import type {
  EhrSourceWithDisplay,
  Prefill,
  PrefillHint,
  PrefillValue,
  SkippedValue,
} from './prefill.ts';

/** The path determines the person it describes. */
export interface Candidate {
  readonly value: PrefillValue['value'];
  readonly from: EhrSourceWithDisplay;
  readonly derived?: string | null;
  readonly caution?: string | null;
}

export interface PrefillBuilder {
  /** Offers a value for a field. Offering the same value again has no effect. */
  addCandidate(path: string, offer: Candidate): void;
  offerGestation(path: string, days: number, offer: Omit<Candidate, 'value'>): void;
  has(path: string): boolean;
  addHint(hint: PrefillHint): void;
  skip(entry: SkippedValue): void;
  countOmitted(count: number): void;
  ensureChildren(count: number): void;
  result(as: Prefill['as']): Prefill;
}

// Our choice: more would hide what matters.
const MAX_CANDIDATES = 5;
const MAX_LISTED = 40;

const describe = (path: string) => {
  const child = findChildIndex(path);
  return child === null
    ? ({ subject: 'mother', child } as const)
    : ({ subject: 'child', child } as const);
};

export const createPrefillBuilder = (): PrefillBuilder => {
  const values = new Map<string, PrefillValue[]>();
  const hints: PrefillHint[] = [];
  const notTaken: SkippedValue[] = [];
  let leftOut = 0;
  let children = 0;

  const add = (path: string, { value, from, derived = null, caution = null }: Candidate): void => {
    const description = describe(path);
    if (description.child !== null) {
      if (description.child >= MAX_CHILDREN) return;
      children = Math.max(children, description.child + 1);
    }
    values.set(path, [
      ...(values.get(path) ?? []),
      { ...description, value, from, derived, caution },
    ]);
  };
  const getCandidates = (path: string): readonly PrefillValue[] => values.get(path) ?? [];

  return {
    addCandidate(path, offer) {
      const known = getCandidates(path);
      const isNew = known.every(
        ({ value }) => JSON.stringify(value) !== JSON.stringify(offer.value),
      );
      if (isNew && known.length < MAX_CANDIDATES) add(path, offer);
    },
    offerGestation(path, days, offer) {
      const { weeks, days: rest } = toWeeksAndDays(days);
      const [weeksPath, daysPath] = [
        `${path}gestational_age_weeks`,
        `${path}gestational_age_days`,
      ] as const;
      const [knownWeeks, knownDays] = [getCandidates(weeksPath), getCandidates(daysPath)];
      const isNew = knownWeeks.every(
        ({ value }, index) => value !== weeks || knownDays[index]?.value !== rest,
      );
      if (!isNew || knownWeeks.length >= MAX_CANDIDATES) return;
      add(weeksPath, { ...offer, value: weeks });
      add(daysPath, { ...offer, value: rest });
    },
    has: (path) => values.has(path),
    addHint(hint) {
      const isNew = hints.every(({ kind, text }) => kind !== hint.kind || text !== hint.text);
      if (isNew && hints.length < MAX_LISTED) hints.push(hint);
    },
    skip(entry) {
      if (notTaken.length < MAX_LISTED) notTaken.push(entry);
    },
    countOmitted(count) {
      leftOut += count;
    },
    ensureChildren(count) {
      children = Math.max(children, Math.min(count, MAX_CHILDREN));
    },
    result: (as) => ({
      as,
      hints,
      notTaken,
      leftOut,
      children,
      values: Object.fromEntries(values),
    }),
  };
};

export const readShortText = (value: unknown): string | null => {
  const text = asText(value);
  return text === null || text.length > MAX_TEXT ? null : text;
};

export const readConceptText = (concept: unknown): string | null =>
  readShortText(asObject(concept)['text']) ??
  readCodings(concept)
    .map(({ display }) => readShortText(display))
    .find((display) => display !== null) ??
  null;

export type UndatedSource = Omit<EhrSourceWithDisplay, 'date'>;

export const readCodedSource = (
  resource: string,
  concept: unknown,
  code: string | null,
): UndatedSource => ({
  resource,
  code: readShortText(code),
  display: readConceptText(concept),
});

export const createWholeSource = (resource: string): UndatedSource => ({
  resource,
  code: null,
  display: null,
});

export const addDate = (source: UndatedSource, moment: Moment | null): EhrSourceWithDisplay => ({
  ...source,
  date: moment?.text ?? null,
});

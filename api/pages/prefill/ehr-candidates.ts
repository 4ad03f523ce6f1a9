import { findFieldAt } from '../../../domain/course/fields.ts';
import type { OffsetAt } from '../../../domain/course/practice-clock.ts';
import { gestationInWords } from '../../../domain/format-measures.ts';
import type { FormValues } from '../../../domain/intake/form/form-fields.ts';
import { formatEntries } from '../../../domain/intake/form/format-course.ts';
import type { Prefill, PrefillValue } from '../../../domain/intake/us-core/prefill.ts';
import {
  buildPrefilledCourse,
  type CandidateChoices,
} from '../../../domain/intake/us-core/prefilled-course.ts';
import { listed, shownValues, withFirstChild } from '../birth-form/form-values.ts';
import { placeAtPath } from '../words/field-labels.ts';
import { valueInWords } from '../words/values-in-words.ts';

/** A value that the EHR offers for a field of the form. */
export interface EhrCandidate {
  /** Its place among the EHR's candidates for the field. */
  readonly index: number;
  /** As it stands in the field. */
  readonly text: string;
  /** As it stood there in release 0.1: coded answers by their names. */
  readonly names: string;
  readonly offer: PrefillValue;
  /** As people write it. @param timeZone IANA name */
  readonly inWords: (timeZone: string) => string;
}

/** What the EHR offers, by the keys of the form; the best first. */
export type EhrCandidates = ReadonlyMap<string, readonly EhrCandidate[]>;

const WEEKS = 'gestational_age_weeks';
const DAYS = 'gestational_age_days';

/**
 * The form as the EHR fills it in, before it is touched: where it contradicts itself a person chooses.
 * @param offsetAt of the practice's zone
 */
export const offeredValues = (prefill: Prefill, offsetAt: OffsetAt): FormValues => {
  const open = [...ehrCandidates(prefill, offsetAt)].filter(([, offered]) => offered.length > 1);
  const choices = Object.fromEntries(open.map(([key]) => [key, null] as const));
  return {
    ...withFirstChild(shownValues(buildPrefilledCourse(prefill, choices), offsetAt)),
    // A chart says nothing of it: the person chooses, and the form does not choose for them.
    'consent.granted': '',
  };
};

/** Every value that the EHR offers, as the form would show it. @param offsetAt of the practice's zone */
export const ehrCandidates = (prefill: Prefill, offsetAt: OffsetAt): EhrCandidates => {
  const offered = withFirstChild(shownValues(buildPrefilledCourse(prefill), offsetAt));
  return new Map(
    Object.entries(prefill.values)
      // Said with the weeks, in one field.
      .filter(([path]) => !path.endsWith(DAYS))
      .map(([path, offers]) => [
        path,
        offers
          .map((offer, index) => {
            const course = buildPrefilledCourse(prefill, { [path]: index });
            return {
              index,
              offer,
              text: (index === 0 ? offered : shownValues(course, offsetAt))[path] ?? '',
              names: formatEntries(course)[path] ?? '',
              inWords: wordsFor(prefill, path, index),
            };
          })
          .filter(isNew),
      ]),
  );
};

/** Two values that the form shows alike are one to choose. */
const isNew = ({ text }: EhrCandidate, place: number, all: readonly EhrCandidate[]): boolean =>
  all.findIndex((other) => other.text === text) === place;

const wordsFor =
  (prefill: Prefill, path: string, index: number) =>
  (timeZone: string): string => {
    const value = prefill.values[path]?.[index]?.value;
    const place = placeAtPath(path);
    if (path.endsWith(WEEKS) && typeof value === 'number') {
      const days = prefill.values[path.replace(WEEKS, DAYS)]?.[index]?.value;
      return gestationInWords(value, typeof days === 'number' ? days : null);
    }
    if (place === null) return String(value);
    const field = findFieldAt(place.field);
    // Names stand side by side, as people write them.
    if (field.type === 'texts' && Array.isArray(value)) return value.join(' ');
    return valueInWords(place.field, value, { timeZone }) ?? '';
  };

/** Which candidate stands in a field; -1: none of them. */
export const standingCandidate = (
  candidates: readonly EhrCandidate[],
  text: string | undefined,
): number => candidates.findIndex((candidate) => isSame(candidate, text ?? ''));

const isSame = ({ text, names, offer }: EhrCandidate, typed: string): boolean =>
  isSameText(text, typed) ||
  isSameText(names, typed) ||
  (!Array.isArray(offer.value) && String(offer.value) === typed.trim());

/** The same answers in another order are the same. */
const isSameText = (one: string, other: string): boolean =>
  one.trim() === other.trim() ||
  (one.includes(';') && listed(one).toSorted().join(';') === listed(other).toSorted().join(';'));

/** The candidates that stand in a form: all others are not taken. */
export const choicesIn = (candidates: EhrCandidates, values: FormValues): CandidateChoices =>
  Object.fromEntries(
    [...candidates].map(([key, offered]) => {
      const standing = offered[standingCandidate(offered, values[key])];
      return [key, standing?.index ?? null] as const;
    }),
  );

/** What a form holds that the EHR does not offer there: it was typed. */
export const typedBeside = (candidates: EhrCandidates, values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, text]) =>
        text.trim() !== '' && standingCandidate(candidates.get(key) ?? [], text) === -1,
    ),
  );

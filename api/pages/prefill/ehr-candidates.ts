import { findFieldAt } from '../../../domain/course/fields.ts';
import type { OffsetAt } from '../../../domain/course/local-times.ts';
import { gestationInWords } from '../../../domain/format-measures.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { formatEntries } from '../../../domain/mapping/form/format-course.ts';
import type { Prefill, PrefillValue } from '../../../domain/mapping/us-core/prefill.ts';
import {
  buildPrefilledCourse,
  type CandidateChoices,
} from '../../../domain/mapping/us-core/prefilled-course.ts';
import {
  addFirstChild,
  formatFormValues,
  splitList,
} from '../parts/birth-form/form/form-values.ts';
import { parseValuePlace } from '../text/field-labels.ts';
import type { TimeFormat } from '../text/format-times.ts';
import { formatValue } from '../text/format-values.ts';

export interface EhrCandidate {
  /** Index among the EHR's candidates for the field. */
  readonly index: number;
  readonly text: string;
  /** Text with the names of coded answers, as a person may type it. */
  readonly names: string;
  readonly offer: PrefillValue;
  readonly inWords: (times: TimeFormat) => string;
}

/** EHR candidates by form key, best first. */
export type EhrCandidates = ReadonlyMap<string, readonly EhrCandidate[]>;

const WEEKS = 'gestational_age_weeks';
const DAYS = 'gestational_age_days';

/** Conflicts are left to a person. @param offsetAt of the practice's time zone */
export const listOfferedValues = (prefill: Prefill, offsetAt: OffsetAt): FormValues => {
  const open = [...buildEhrCandidates(prefill, offsetAt)].filter(
    ([, offered]) => offered.length > 1,
  );
  const choices = Object.fromEntries(open.map(([key]) => [key, null] as const));
  return {
    ...addFirstChild(formatFormValues(buildPrefilledCourse(prefill, choices), offsetAt)),
    // Charts do not state consent, so the form has no default.
    'consent.granted': '',
  };
};

/** @param offsetAt of the practice's time zone */
export const buildEhrCandidates = (prefill: Prefill, offsetAt: OffsetAt): EhrCandidates => {
  const offered = addFirstChild(formatFormValues(buildPrefilledCourse(prefill), offsetAt));
  return new Map(
    Object.entries(prefill.values)
      // Part of the field for weeks.
      .filter(([path]) => !path.endsWith(DAYS))
      .map(([path, offers]) => [
        path,
        offers
          .map((offer, index) => {
            const course = buildPrefilledCourse(prefill, { [path]: index });
            return {
              index,
              offer,
              text: (index === 0 ? offered : formatFormValues(course, offsetAt))[path] ?? '',
              names: formatEntries(course)[path] ?? '',
              inWords: formatCandidate(prefill, path, index),
            };
          })
          .filter(isNew),
      ]),
  );
};

/** Values with the same text are one choice. */
const isNew = ({ text }: EhrCandidate, place: number, all: readonly EhrCandidate[]): boolean =>
  all.findIndex((other) => other.text === text) === place;

const formatCandidate =
  (prefill: Prefill, path: string, index: number) =>
  (times: TimeFormat): string => {
    const value = prefill.values[path]?.[index]?.value;
    const place = parseValuePlace(path);
    if (path.endsWith(WEEKS) && typeof value === 'number') {
      const days = prefill.values[path.replace(WEEKS, DAYS)]?.[index]?.value;
      return gestationInWords(value, typeof days === 'number' ? days : null);
    }
    if (place === null) return String(value);
    const field = findFieldAt(place.field);
    // People separate names by spaces.
    if (field.type === 'texts' && Array.isArray(value))
      return value.join(field.maxTexts === undefined ? ' ' : '; ');
    return formatValue(place.field, value, times) ?? '';
  };

/** Index of the candidate in a field; -1 if none. */
export const findCurrentCandidate = (
  candidates: readonly EhrCandidate[],
  text: string | undefined,
): number => candidates.findIndex((candidate) => isSame(candidate, text ?? ''));

const isSame = ({ text, names, offer }: EhrCandidate, typed: string): boolean =>
  isSameText(text, typed) ||
  isSameText(names, typed) ||
  (!Array.isArray(offer.value) && String(offer.value) === typed.trim());

/** The order of answers does not matter. */
const isSameText = (one: string, other: string): boolean =>
  one.trim() === other.trim() ||
  (one.includes(';') &&
    splitList(one).toSorted().join(';') === splitList(other).toSorted().join(';'));

export const readChoices = (candidates: EhrCandidates, values: FormValues): CandidateChoices =>
  Object.fromEntries(
    [...candidates].map(([key, offered]) => {
      const standing = offered[findCurrentCandidate(offered, values[key])];
      return [key, standing?.index ?? null] as const;
    }),
  );

/** Typed values: those in the form that the EHR does not offer. */
export const listTypedValues = (candidates: EhrCandidates, values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, text]) =>
        text.trim() !== '' && findCurrentCandidate(candidates.get(key) ?? [], text) === -1,
    ),
  );

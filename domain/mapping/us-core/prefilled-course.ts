import {
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  type ValueSource,
} from '../../course/course.ts';
import { findChildIndex, setValue, toFieldPath } from '../../course/course-paths.ts';
import type { Prefill, PrefillValue } from './prefill.ts';

/** Index of the selected candidate by path. If absent, the first is selected; `null` selects none. */
export type CandidateChoices = Readonly<Record<string, number | null>>;

const DAYS = 'gestational_age_days';
const WEEKS = 'gestational_age_weeks';

/** At least one row for a child. @see spec "Pull lane (EHR launch); no API key" */
export const buildPrefilledCourse = (
  prefill: Prefill,
  choices: CandidateChoices = {},
): CourseOfCare => {
  const selection = Object.entries(prefill.values).flatMap(([path, candidates]) => {
    const value = findCandidate(candidates, choices, path);
    return value === null ? [] : [{ path, value }];
  });
  const empty: CourseOfCare = {
    ...emptyCourseOfCare(),
    children: Array.from({ length: Math.max(1, prefill.children) }, emptyChild),
  };
  const course = selection
    .filter(({ path }) => (findChildIndex(path) ?? 0) < empty.children.length)
    .reduce((built, { path, value }) => setValue(built, path, value.value), empty);
  return { ...course, sources: selection.map(({ path, value }) => toMark(path, value)) };
};

const findCandidate = (
  candidates: readonly PrefillValue[],
  choices: CandidateChoices,
  path: string,
): PrefillValue | null => {
  const chosenBy = path.endsWith(DAYS) ? path.replace(DAYS, WEEKS) : path;
  const choice = choices[chosenBy];
  return choice === null ? null : (candidates[choice ?? 0] ?? null);
};

const toMark = (path: string, { subject, child, from }: PrefillValue): ValueSource => ({
  field: toFieldPath(path),
  subject,
  child,
  source: 'ehr_pull',
  // The EHR's label is not stored: the record has its own labels.
  from: { resource: from.resource, code: from.code, date: from.date },
});

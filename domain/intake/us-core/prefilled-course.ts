import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  type ValueSource,
} from '../../course/course.ts';
import type { Prefill, PrefillValue } from './prefill.ts';

/** Which candidate is taken, by path; absent: the first; null: none of them. */
export type CandidateChoices = Readonly<Record<string, number | null>>;

const CHILD_PATH = /^children\.(\d+)\.([a-z_]+)$/;
const DAYS = 'gestational_age_days';
const WEEKS = 'gestational_age_weeks';

/**
 * A course of care with what the EHR offers, each value marked as `ehr_pull` and tied to the mother
 * or child that it describes. It has one row at least for a child.
 * @see spec "Pull lane (EHR launch); no API key"
 */
export const buildPrefilledCourse = (
  prefill: Prefill,
  choices: CandidateChoices = {},
): CourseOfCare => {
  const taken = Object.entries(prefill.values).flatMap(([path, candidates]) => {
    const value = findCandidate(candidates, choices, path);
    return value === null ? [] : [{ path, value }];
  });
  const course = emptyCourseOfCare();
  const children: Child[] = Array.from({ length: Math.max(1, prefill.children) }, emptyChild);
  const mother: Record<string, unknown> = { ...course.mother };
  const address: Record<string, unknown> = { ...course.mother.address };
  const own: Record<string, unknown> = {};
  for (const { path, value } of taken) {
    const [, row, name = ''] = CHILD_PATH.exec(path) ?? [];
    const held = children[Number(row)];
    if (row !== undefined) {
      if (held !== undefined) children[Number(row)] = { ...held, [name]: value.value };
    } else if (path.startsWith(ADDRESS)) address[path.slice(ADDRESS.length)] = value.value;
    else if (path.startsWith(MOTHER)) mother[path.slice(MOTHER.length)] = value.value;
    else own[path] = value.value;
  }
  return {
    ...course,
    ...own,
    children,
    mother: {
      ...(mother as CourseOfCare['mother']),
      address: address as CourseOfCare['mother']['address'],
    },
    sources: taken.map(({ path, value }) => toMark(path, value)),
  };
};

const MOTHER = 'mother.';
const ADDRESS = 'mother.address.';

/** Weeks and days are chosen together. */
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
  field: path.replace(/^children\.\d+\./, 'children.'),
  subject,
  child,
  source: 'ehr_pull',
  // What the EHR calls it is not kept: the record names its fields itself.
  from: { resource: from.resource, code: from.code, date: from.date },
});

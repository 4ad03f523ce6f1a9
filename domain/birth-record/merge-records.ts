import { recomputeAge } from '../course/age-at-delivery.ts';
import {
  type CourseOfCare,
  emptyTransfer,
  type FieldFlag,
  type Transfer,
  type ValueSource,
} from '../course/course.ts';
import { findDifferences, setValue, toFieldPath, toValuePath } from '../course/course-paths.ts';
import { sortFlags } from '../course/edit-flags.ts';
import { findField } from '../course/fields.ts';
import { maskForPartner } from '../course/mask.ts';
import { completeOrigins } from '../course/origins.ts';
import { accept, type Decision, refuse } from '../decision.ts';
import { ATTRIBUTED_PARTS } from '../provider/details.ts';
import { removeRepeatedProviders } from './attribution.ts';
import {
  findNewMatches,
  fingerprintsAfterAmendment,
  hasMatch,
  type Matches,
  omitMatch,
} from './decide.ts';
import { isCandidatePair, isDismissedPair } from './duplicate-decisions.ts';
import type { CourseFingerprints } from './duplicates/fingerprint.ts';
import type { BirthRecordEvent } from './events.ts';
import type { BirthRecord, KnownBirthRecord } from './state.ts';

export interface MergeChoice {
  /**
   * Such as `mother.birth_date`, `children.0.sex`, or `custom.<id>`. Values that only make sense
   * together share a choice, such as date and time of birth.
   */
  readonly path: string;
  readonly paths: readonly string[];
  readonly isConflict: boolean;
}

type MergedRecord = Pick<KnownBirthRecord, 'course' | 'keyKind'>;

/** A de-identified record must remain de-identified. */
export const toMergeableCourse = (survivor: MergedRecord, other: MergedRecord): CourseOfCare =>
  survivor.keyKind === 'partner' ? maskForPartner(other.course) : other.course;

/** In field order. Values that a record lacks because it is de-identified are not conflicts. */
export const listMergeChoices = (
  survivor: MergedRecord,
  other: MergedRecord,
): readonly MergeChoice[] => {
  const choices = new Map<string, MergeChoice>();
  for (const { path: value, from, to } of findDifferences(
    survivor.course,
    toMergeableCourse(survivor, other),
  )) {
    if (to === null || !isMergeable(value, survivor, other)) continue;
    const path = findChoice(value, survivor.course);
    const { paths = [], isConflict = false } = choices.get(path) ?? {};
    choices.set(path, { path, paths: [...paths, value], isConflict: isConflict || from !== null });
  }
  return [...choices.values()];
};

const isMergeable = (path: string, survivor: MergedRecord, other: MergedRecord): boolean => {
  // The age is computed from two birth dates, so it follows them.
  if (path === 'chart_number' || path === 'mother.age_at_delivery') return false;
  const isYear = other.keyKind === 'partner' && survivor.keyKind !== 'partner';
  return !(isYear && findField(toFieldPath(path))?.mask === 'year');
};

const findChoice = (path: string, { children }: CourseOfCare): string => {
  const [parent = '', index = '', name] = path.split('.');
  if (parent === 'consent') return parent;
  if (name === undefined || (parent !== 'children' && parent !== 'transfers')) return path;
  if (parent === 'transfers' || Number(index) >= children.length) return `${parent}.${index}`;
  return `${parent}.${index}.${TOGETHER[name] ?? name}`;
};

const TOGETHER: Readonly<Record<string, string>> = {
  birth_time: 'birth_date',
  gestational_age_days: 'gestational_age_weeks',
};

export interface MergedCourse {
  readonly course: CourseOfCare;
  readonly paths: readonly string[];
}

export const mergeCourses = (
  survivor: MergedRecord,
  other: MergedRecord,
  taken: readonly string[],
): MergedCourse => {
  const choicePaths = new Set(
    listMergeChoices(survivor, other)
      .map(({ path }) => path)
      .filter((path) => taken.includes(path)),
  );
  const isTaken = (path: string): boolean => choicePaths.has(findChoice(path, survivor.course));
  const offered = toMergeableCourse(survivor, other);
  let course = survivor.course;
  for (const { path, to } of findDifferences(survivor.course, offered))
    if (isTaken(path)) course = setValue(course, path, to);
  const age =
    recomputeAge(course.mother, course.children, survivor.course) ??
    (course.mother.birth_date === null ? offered.mother.age_at_delivery : null);
  course = {
    ...course,
    mother: { ...completeOrigins(course.mother), age_at_delivery: age },
    transfers: removeRepeats(course.transfers, survivor.course.transfers, offered.transfers),
  };
  const isTakenMark = ({ field, child }: Pick<ValueSource, 'field' | 'child'>) =>
    isTaken(toValuePath(field, child));
  const mergeMarks = <Mark extends ValueSource | FieldFlag>(
    own: readonly Mark[],
    others: readonly Mark[],
  ): readonly Mark[] => [
    ...own.filter((mark) => !isTakenMark(mark)),
    ...others.filter(isTakenMark),
  ];
  return {
    course: {
      ...course,
      sources: mergeMarks(survivor.course.sources, offered.sources),
      edit_flags: sortFlags(mergeMarks(survivor.course.edit_flags, offered.edit_flags)),
      warnings: survivor.course.warnings.filter((warning) => !isTakenMark(warning)),
    },
    paths: findDifferences(survivor.course, course).map(({ path }) => path),
  };
};

/** Keeps as many as the list with the most: twins can have identical transfers. */
const removeRepeats = (
  merged: readonly Transfer[],
  ...lists: readonly (readonly Transfer[])[]
): readonly Transfer[] => {
  const countTransfers = (transfer: Transfer, list: readonly Transfer[]): number =>
    list.filter((one) => isSameTransfer(one, transfer)).length;
  return merged.filter(
    (transfer, at) =>
      countTransfers(transfer, merged.slice(0, at)) <
      Math.max(...lists.map((list) => countTransfers(transfer, list))),
  );
};

const isSameTransfer = (one: Transfer, other: Transfer): boolean =>
  TRANSFER_FIELDS.every((name) => one[name] === other[name]);

const TRANSFER_FIELDS = Object.keys(emptyTransfer()) as readonly (keyof Transfer)[];

export interface MergeInto extends CourseFingerprints {
  readonly other: BirthRecord;
  readonly taken: readonly string[];
  readonly existingFingerprints?: readonly string[];
  readonly matches: Matches;
  readonly stamp: string | null;
}

/** No new version if nothing is copied. `voidRecord` then voids the duplicate. */
export const decideMerge = (
  command: MergeInto,
  state: BirthRecord,
): Decision<BirthRecordEvent<'BirthAmended'>> => {
  const { other, taken, matches, stamp } = command;
  if (state.status === 'none' || other.status === 'none') return refuse({ code: 'no-record' });
  if (!isCandidatePair(state, other) || isDismissedPair(state, other))
    return refuse({ code: 'not-a-match' });
  const { course, paths } = mergeCourses(state, other, taken);
  if (paths.length === 0) return accept();
  const fingerprints = fingerprintsAfterAmendment({ ...command, keyKind: null }, state, course);
  const others = omitMatch(matches, other.submissionUuid);
  if (hasMatch(findNewMatches(others, fingerprints, state)))
    return refuse({ code: 'merged-looks-like-another' });
  const named = other.providers.filter(({ providerId }) =>
    ATTRIBUTED_PARTS.some((part) => paths.includes(part) && course[part] === providerId),
  );
  const { submissionUuid, practiceId, version } = state;
  return accept({
    type: 'BirthAmended',
    data: {
      submissionUuid,
      practiceId,
      version: version + 1,
      source: 'manual',
      keyKind: null,
      course: { ...course, stamp },
      providers: removeRepeatedProviders([...state.providers, ...named]),
      stamp,
      fingerprints,
      mark: null,
      mergedFrom: { submissionUuid: other.submissionUuid, paths },
    },
  });
};

import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyTransfer,
  type Mother,
  type Transfer,
} from '../course/course.ts';
import { sortFlags } from '../course/edit-flags.ts';
import { FIELDS, type Field, findField } from '../course/fields.ts';
import { completeOrigins } from '../course/origins.ts';

/**
 * A user's version declares no version of the implementation guide, so the last declared one is kept.
 * Our choice: a partner knows less, so it must not erase values that it is not
 * allowed to send.
 */
export const amendCourse = (
  current: CourseOfCare,
  sent: CourseOfCare,
  keyKind: 'native' | 'partner' | null,
): CourseOfCare =>
  keyKind === 'partner'
    ? applyMaskedAmendment(current, sent)
    : {
        ...sent,
        // An amendment does not change the attribution.
        attendant: current.attendant,
        certifier: current.certifier,
        // Omitted values are kept; a value that a user removed is null.
        custom: { ...current.custom, ...sent.custom },
        ig_version: keyKind === null ? (sent.ig_version ?? current.ig_version) : sent.ig_version,
      };

const findDropped = (parent: Field['parent']): readonly string[] =>
  FIELDS.filter((field) => field.parent === parent && field.mask === 'dropped').map(
    ({ name }) => name,
  );

const DROPPED = {
  course: findDropped(''),
  mother: findDropped('mother'),
  address: findDropped('mother.address'),
  children: findDropped('children'),
  transfers: findDropped('transfers'),
} as const;

const keepFields = <T extends object>(current: T, sent: T, names: readonly string[]): T => ({
  ...sent,
  ...Object.fromEntries(names.map((name) => [name, (current as Record<string, unknown>)[name]])),
});

const applyMaskedAmendment = (current: CourseOfCare, sent: CourseOfCare): CourseOfCare => ({
  ...keepFields(current, sent, DROPPED.course),
  mother: {
    // A text that is kept answers a question that a partner may leave open.
    ...completeOrigins(keepFields(current.mother, sent.mother, DROPPED.mother)),
    age_at_delivery: sent.mother.age_at_delivery ?? retainAge(current.mother),
    address: keepFields(current.mother.address, sent.mother.address, DROPPED.address),
  },
  children: sent.children.map((child, position) =>
    amendMaskedChild(matchChild(current.children, child, position), child),
  ),
  transfers: sent.transfers.map((transfer, position) =>
    keepFields(matchTransfer(current.transfers, transfer, position), transfer, DROPPED.transfers),
  ),
  // A flag that the mask drops belongs to a value that is kept.
  edit_flags: sortFlags([
    ...sent.edit_flags,
    ...current.edit_flags.filter(({ field }) => findField(field)?.mask === 'dropped'),
  ]),
});

// The age reveals nothing beyond the birth date, which is kept.
const retainAge = ({ birth_date, age_at_delivery }: Mother): number | null =>
  birth_date === null ? null : age_at_delivery;

/** By birth order, preferring the same position, else by position. */
const matchChild = (current: readonly Child[], sent: Child, position: number): Child => {
  const atPosition = current[position];
  if (atPosition !== undefined && atPosition.birth_order === sent.birth_order) return atPosition;
  const withBirthOrder =
    sent.birth_order === null
      ? undefined
      : current.find(({ birth_order }) => birth_order === sent.birth_order);
  if (withBirthOrder !== undefined) return withBirthOrder;
  // A different birth order means a different child.
  const isAnother = sent.birth_order !== null && atPosition?.birth_order != null;
  return atPosition === undefined || isAnother ? emptyChild() : atPosition;
};

const YEAR_LENGTH = 4;

const amendMaskedChild = (current: Child, sent: Child): Child => ({
  ...keepFields(current, sent, DROPPED.children),
  // A partner sends only the year. A full date in the same year is still valid, and more precise.
  birth_date: isSameYear(current.birth_date, sent.birth_date)
    ? current.birth_date
    : sent.birth_date,
  // The time contains a date, which must not be in another year.
  birth_time:
    sent.birth_date === null || isSameYear(current.birth_time, sent.birth_date)
      ? current.birth_time
      : null,
});

const isSameYear = (date: string | null, year: string | null): boolean =>
  year !== null && date?.slice(0, YEAR_LENGTH) === year;

// If several transfers match, the one at the same position.
const matchTransfer = (
  current: readonly Transfer[],
  sent: Transfer,
  position: number,
): Transfer => {
  const alike = current.filter(
    ({ type, direction }) => type === sent.type && direction === sent.direction,
  );
  const atPosition = alike.find((one) => one === current[position]);
  return atPosition ?? alike[0] ?? emptyTransfer();
};

import type { Child, CourseOfCare, Transfer } from './course.ts';

/** Transfers of the mother to the place of birth. */
export const listMotherIn = ({ transfers }: Pick<CourseOfCare, 'transfers'>): readonly Transfer[] =>
  transfers.filter(({ type, direction }) => type === 'mother' && direction === 'in');

/**
 * True if the mother came from another facility, as a transfer says unless the answer denies it: she may have come
 * from home. `null` if it is not stated.
 */
export const wasMotherMoved = (
  course: Pick<CourseOfCare, 'mother_transfer' | 'transfers'>,
): boolean | null => course.mother_transfer ?? (listMotherIn(course).length > 0 ? true : null);

export const hasTransfer = ({
  mother_transfer,
  transfers,
  children,
}: Pick<CourseOfCare, 'mother_transfer' | 'transfers' | 'children'>): boolean =>
  transfers.length > 0 ||
  mother_transfer === true ||
  children.some(({ transfer_within_day }: Child) => transfer_within_day === true);

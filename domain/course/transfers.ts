import type { Child, CourseOfCare, Transfer } from './course.ts';

type Moves = Pick<CourseOfCare, 'mother_transfer' | 'transfers'>;
type Family = Pick<CourseOfCare, 'children' | 'transfers'>;

const HOURS_IN_DAY = 24;

/** Certificates ask about transfers between facilities. */
const isHome = ({ place }: Transfer): boolean => place === 'home';

const isAfterBirth = ({ timing, hours_after_birth }: Transfer): boolean =>
  timing === 'after birth' || (timing === null && hours_after_birth !== null);

const isMotherIn = (transfer: Transfer): boolean =>
  transfer.type === 'mother' && transfer.direction === 'in' && !isAfterBirth(transfer);

/** Transfers of the mother from another facility to the place of birth, for the delivery. */
export const listMotherIn = ({ transfers }: Pick<Moves, 'transfers'>): readonly Transfer[] =>
  transfers.filter((transfer) => isMotherIn(transfer) && !isHome(transfer));

/** As transfers alone say: false if she came from home only. `null` if there are none. */
export const findMotherMoved = (course: Pick<Moves, 'transfers'>): boolean | null => {
  if (listMotherIn(course).length > 0) return true;
  return course.transfers.some(isMotherIn) ? false : null;
};

/** True if the mother came from another facility, as the answer says, else the transfers. `null` if it is not stated. */
export const wasMotherMoved = (course: Moves): boolean | null =>
  course.mother_transfer ?? findMotherMoved(course);

/** Position of the child that was transferred; `null` if it is not known. */
export const findChildMoved = (
  { type, child_birth_order: order }: Transfer,
  children: readonly Child[],
): number | null => {
  if (type !== 'infant') return null;
  if (children.length === 1) return 0;
  const [found, ...others] = [...children.keys()].filter(
    (position) => children[position]?.birth_order === order,
  );
  return order === null || found === undefined || others.length > 0 ? null : found;
};

/** Transfers of the child to another facility, at any time. */
export const listChildOut = ({ transfers, children }: Family, child: Child): readonly Transfer[] =>
  transfers.filter((transfer) => {
    const moved = findChildMoved(transfer, children);
    return transfer.direction === 'out' && !isHome(transfer) && moved === children.indexOf(child);
  });

export const isWithinDay = ({ hours_after_birth: hours }: Transfer): boolean | null =>
  hours === null ? null : hours <= HOURS_IN_DAY;

/**
 * Transfers of the child to another facility that can be the one within a day of birth: if an answer alone says that
 * there was one, later ones too.
 */
export const listChildOutInDay = (course: Family, child: Child): readonly Transfer[] => {
  const all = listChildOut(course, child);
  const likely = all.filter((transfer) => isWithinDay(transfer) !== false);
  return likely.length > 0 ? likely : all;
};

/** As the answer says, else true if the hours of a transfer say so. `null` if it is not stated. */
export const wasMovedWithinDay = (course: Family, child: Child): boolean | null =>
  child.transfer_within_day ?? (listChildOut(course, child).some(isWithinDay) ? true : null);

export const hasTransfer = ({
  mother_transfer,
  transfers,
  children,
}: Pick<CourseOfCare, 'mother_transfer' | 'transfers' | 'children'>): boolean =>
  transfers.length > 0 ||
  mother_transfer === true ||
  children.some(({ transfer_within_day }: Child) => transfer_within_day === true);

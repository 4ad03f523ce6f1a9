import { findMotherMoved, isWithinDay, listChildOut, listMotherIn } from '../transfers.ts';
import type { ChildEdit, CourseEdit, TransferEdit } from './edit.ts';

const CONTRADICTED = 'transfer-contradicted';

export const MOTHER_TRANSFER: CourseEdit = {
  id: CONTRADICTED,
  at: 'mother_transfer',
  beside: ['transfers.type', 'transfers.direction', 'transfers.place', 'transfers.timing'],
  when: 'The answer about a transfer of the mother from another facility contradicts where a transfer is from.',
  source: 'guide',
  ask: ({ course }) => {
    const { mother_transfer: answer } = course;
    if (answer === true && findMotherMoved(course) === false)
      return 'The mother is entered as transferred from another facility, but the transfer is from home. Check which is right.';
    return answer === false && listMotherIn(course).some(({ place }) => place !== null)
      ? 'The mother is entered as not transferred from another facility, but a transfer from one is entered. Check which is right.'
      : null;
  },
};

export const CHILD_TRANSFER: ChildEdit = {
  id: CONTRADICTED,
  at: 'children.transfer_within_day',
  beside: [
    'transfers.type',
    'transfers.direction',
    'transfers.place',
    'transfers.child_birth_order',
    'transfers.hours_after_birth',
  ],
  when: 'The answer about a transfer of the infant within 24 hours contradicts the hours of a transfer.',
  source: 'guide',
  ask: ({ child, course }) => {
    const answer = child.transfer_within_day;
    const areWithinDay = listChildOut(course, child).map(isWithinDay);
    const contradicts =
      answer === true
        ? areWithinDay.length > 0 && areWithinDay.every((isWithin) => isWithin === false)
        : answer === false && areWithinDay.includes(true);
    return contradicts
      ? 'The answer about a transfer within 24 hours contradicts the hours of the transfer. Check which is right.'
      : null;
  },
};

export const TRANSFER_EDITS: readonly TransferEdit[] = [
  {
    id: 'transfer-before-birth',
    at: 'transfers.timing',
    beside: ['transfers.type', 'transfers.hours_after_birth'],
    when: 'A transfer of an infant, or one with hours after birth, is said to be before or during labor.',
    source: 'ours',
    ask: ({ transfer: { type, timing, hours_after_birth: hours } }) => {
      if (timing === null || timing === 'after birth') return null;
      if (type === 'infant')
        return `The transfer of an infant is entered as ${timing}. Check who was transferred, and when.`;
      return hours === null
        ? null
        : `The transfer is entered as ${timing}, and with hours after birth. Check which is right.`;
    },
  },
  {
    id: 'transfer-of-unknown-child',
    at: 'transfers.child_birth_order',
    beside: ['transfers.type'],
    ofSiblings: ['children.birth_order'],
    when: 'A transfer has a birth order that no child has, or it is of the mother.',
    source: 'ours',
    ask: ({ transfer: { type, child_birth_order: order }, course: { children } }) => {
      if (order === null) return null;
      if (type === 'mother')
        return 'The transfer is entered as one of the mother, and with the birth order of an infant. Check which is right.';
      const orders = children.map(({ birth_order }) => birth_order ?? (children[1] ? null : 1));
      return orders.includes(order)
        ? null
        : 'No child of this birth has the birth order that the transfer names. Check both.';
    },
  },
];

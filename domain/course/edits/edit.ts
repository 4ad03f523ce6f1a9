import type { Child, CourseOfCare, Transfer } from '../course.ts';
import type { MessageId } from '../field-messages.ts';
import type { FieldPath } from '../fields.ts';

/** Sources of the limits of an edit. */
export const EDIT_SOURCES = {
  NCHS: 'NCHS, File In-Processing Documentation, Natality 2003 Revision',
  guide: 'CDC, Guide to Completing the Facility Worksheets',
  ours: 'our choice',
} as const;

export interface CourseFacts {
  readonly course: CourseOfCare;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  /** Date of the first child that has one; a masked record has only its year. */
  readonly born: string | null;
}

export interface ChildFacts extends CourseFacts {
  readonly child: Child;
}

export interface TransferFacts extends CourseFacts {
  readonly transfer: Transfer;
}

/** A rule about values that are hard to believe. It asks, and refuses nothing. */
export interface Edit<Facts> {
  /** Permanent, because the log stores it. */
  readonly id: MessageId;
  /** Field of the question. */
  readonly at: FieldPath;
  /** Other fields that the rule reads. In an edit of a child or transfer, they are those of the same one. */
  readonly beside?: readonly FieldPath[];
  /** When it asks, in the words of an integrator. */
  readonly when: string;
  readonly source: keyof typeof EDIT_SOURCES;
  /** Edit flag of the confirmed values in the state file, if it is not 1: values that contradict each other. */
  readonly confirmedAs?: '2';
  /** Returns the question on a page, or null if there is none. */
  readonly ask: (facts: Facts) => string | null;
}

export type CourseEdit = Edit<CourseFacts>;

export interface ChildEdit extends Edit<ChildFacts> {
  /** Fields of all children that the rule reads. */
  readonly ofSiblings?: readonly FieldPath[];
}

export interface TransferEdit extends Edit<TransferFacts>, Pick<ChildEdit, 'ofSiblings'> {}

import type { GivenReason } from '../../domain/birth-record/item-reasons.ts';
import type { StoredAnswer } from '../../domain/birth-record/unusual-values.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import type { CamelRow } from '../read-model.ts';

export interface ExportableRecord
  extends Pick<
    CamelRow<'birth_record'>,
    'submissionUuid' | 'status' | 'version' | 'keyKind' | 'stamp' | 'changedAt' | 'providers'
  > {
  /** Log position of its last event, in decimal digits. */
  readonly position: string;
  readonly course: CourseOfCare;
  /** Answers to questions about its values, of earlier versions too, in their order. */
  readonly answers: readonly StoredAnswer[];
  /** Why certificate items are missing. */
  readonly reasons: readonly GivenReason[];
}

export interface ListedForExport
  extends Pick<CamelRow<'birth_record'>, 'submissionUuid' | 'status' | 'children'> {
  readonly transfers: number;
  /** True if a question about its values is open. */
  readonly isQuestioned: boolean;
}

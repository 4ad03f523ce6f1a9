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
}

export interface ListedForExport
  extends Pick<CamelRow<'birth_record'>, 'submissionUuid' | 'status' | 'children'> {
  readonly transfers: number;
}

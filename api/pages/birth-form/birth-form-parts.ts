import type { CourseOfCare } from '../../../domain/course-of-care/canonical-record.ts';
import type { Drafts } from '../../../domain/course-of-care/entering/drafts.ts';
import type {
  NameRecords,
  NameRecordsUnder,
} from '../../../domain/course-of-care/finding/named-record.ts';
import type { KnownBirthRecord } from '../../../domain/course-of-care/state.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { AccessNotes } from '../../access-log/access-notes.ts';
import type { SaveCourse } from '../../write-path/save-course.ts';

/** What entering and correcting births works with. */
export interface BirthFormParts {
  readonly saveCourse: SaveCourse;
  readonly drafts: Drafts;
  /** The fields that the practice has defined for itself, retired ones too. */
  readonly customFields: (practiceId: string) => Promise<readonly CustomField[]>;
  /** A record as the log holds it; null if the practice has no such record. */
  readonly findRecord: (
    practiceId: string,
    submissionUuid: string,
  ) => Promise<KnownBirthRecord | null>;
  /** What a record said at a version; null if it never had that version. */
  readonly findVersion: (
    practiceId: string,
    submissionUuid: string,
    version: number,
  ) => Promise<CourseOfCare | null>;
  readonly nameRecords: NameRecords;
  readonly nameRecordsUnder: NameRecordsUnder;
  readonly accessNotes: Pick<AccessNotes, 'recordsShown'>;
  /** Names a new form. */
  readonly newFormId: () => string;
  readonly now: () => Date;
}

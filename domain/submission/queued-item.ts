import type { BirthIdentity } from '../birth-record/birth-identity.ts';
import type { CourseFingerprints } from '../birth-record/duplicates/fingerprint.ts';
import type { CourseReference } from '../course/chart-number.ts';
import type { CourseOfCare } from '../course/course.ts';
import type { Rejection } from '../course/rejections.ts';
import type { NamedProvider } from '../provider/details.ts';

/** Record of another woman that a user saw and wants to replace. */
export interface ConfirmedReplacement {
  readonly version: number;
  readonly whose: BirthIdentity;
}

export type QueuedItem = CourseReference & {
  readonly position: number;
} & (
    | (CourseFingerprints & {
        readonly kind: 'course';
        /** Keyed hash of the chart number; `null` without one. */
        readonly recordHash: string | null;
        readonly stamp: string | null;
        readonly course: CourseOfCare;
        readonly providers: readonly NamedProvider[];
        /** Partner of these providers; `null` in the native lane. */
        readonly partnerId: string | null;
        /** Only for rows of a file; if absent, the row cannot replace another woman's record. */
        readonly replaces?: ConfirmedReplacement;
      })
    | {
        readonly kind: 'retraction';
        readonly recordHash: string | null;
        readonly stamp: string | null;
      }
    | { readonly kind: 'rejected'; readonly rejections: readonly Rejection[] }
  );

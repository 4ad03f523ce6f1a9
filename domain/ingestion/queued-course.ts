import type { CourseOfCare } from '../course-of-care/canonical-record.ts';
import type { CourseFingerprints } from '../course-of-care/duplicates/fingerprint.ts';
import type { NamedProvider } from '../course-of-care/events.ts';
import type { Rejection } from '../rejections.ts';

/** What the door made of one course of care of a submission; it waits like this in the queue. */
export type QueuedCourse = {
  /** Zero-based position in the submission. */
  readonly position: number;
  /** Chart number, or `record[N]`, as the receipt names it. */
  readonly reference: string;
} & (
  | (CourseFingerprints & {
      readonly kind: 'course';
      /** Keyed hash of the chart number; null without one. */
      readonly recordHash: string | null;
      readonly stamp: string | null;
      readonly course: CourseOfCare;
      readonly providers: readonly NamedProvider[];
      /** The partner whose providers these are; null in the native lane. */
      readonly partnerId: string | null;
    })
  | {
      readonly kind: 'retraction';
      readonly recordHash: string | null;
      readonly stamp: string | null;
    }
  | { readonly kind: 'rejected'; readonly rejections: readonly Rejection[] }
);

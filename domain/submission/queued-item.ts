import type { BirthIdentity } from '../birth-record/birth-identity.ts';
import type { CourseFingerprints } from '../birth-record/duplicates/fingerprint.ts';
import type { CourseReference } from '../course/chart-number.ts';
import type { CourseOfCare } from '../course/course.ts';
import type { Rejection } from '../course/rejections.ts';
import type { NamedProvider } from '../provider/details.ts';

/** The record of another woman that a person, who saw it, wants to have replaced. */
export interface ConfirmedReplacement {
  /** The version that was shown. */
  readonly version: number;
  /** Identity of the birth in that version. */
  readonly whose: BirthIdentity;
}

/** A chart number that was sent with invisible characters. */
interface SentChartNumber {
  /** As sent. */
  readonly chartNumber: string;
  /** Keyed hash of that. */
  readonly recordHash: string;
}

/** Item of a submission as the intake endpoint mapped it. The queue stores it in this form. */
export type QueuedItem = CourseReference & {
  /** Zero-based position in the submission. */
  readonly position: number;
  /**
   * Present where the chart number lost invisible characters: a record from before they were dropped may
   * be stored under the number as sent.
   */
  readonly chartNumberAsSent?: SentChartNumber;
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
        /** Of a row of a file only; absent: it may replace no other woman's record. */
        readonly replaces?: ConfirmedReplacement;
      })
    | {
        readonly kind: 'retraction';
        readonly recordHash: string | null;
        readonly stamp: string | null;
      }
    | { readonly kind: 'rejected'; readonly rejections: readonly Rejection[] }
  );

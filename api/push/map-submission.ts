import type { FingerprintKeys } from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import { formatReference, WHOLE_BUNDLE } from '../../domain/course/chart-number.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import { maskForPartner } from '../../domain/course/mask.ts';
import { COURSE_TOO_LONG, type Rejection } from '../../domain/course/rejections.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { splitSubmission } from '../../domain/mapping/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { buildFingerprints, isTooLongToStore } from '../admission/course-content.ts';
import type { CourseReading } from '../reading/read-pieces.ts';

export interface MappingContext extends CourseReading {
  readonly practiceId: string;
  /** `null` for a native key. */
  readonly partnerId: string | null;
  readonly recordHash: (practiceId: string, chartNumber: string) => string;
  readonly fingerprintKeys: FingerprintKeys;
  /** `null` if the practice has set no time zone. */
  readonly offsetAt: OffsetAt | null;
  readonly providerId: (practiceId: string, partnerId: string, identity: string) => string;
}

export const getRegistryCodeSystem = (baseUrl: string): string =>
  `${baseUrl}/fhir/CodeSystem/registry`;

/**
 * Keeps the order sent. A Bundle refused as a whole becomes a single rejected item `Bundle`.
 * @param textBytes as for `mapCourse`
 */
export const mapSubmission = (
  bundle: JsonObject,
  context: MappingContext,
  textBytes?: number,
): readonly QueuedItem[] => {
  const steps = mapInSteps(() => bundle, context, textBytes);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
};

/** One course in each step. @param readBundle is part of the first step */
export function* mapInSteps(
  readBundle: () => JsonObject,
  context: MappingContext,
  textBytes?: number,
): Generator<undefined, readonly QueuedItem[]> {
  const submission = splitSubmission(readBundle());
  if (submission.kind === 'refused') return rejectWhole(submission.rejection);
  const { keyKind, registryCodeSystems } = context;
  const items: QueuedItem[] = [];
  for (const submitted of submission.courses) {
    if (items.length > 0) yield;
    const mapped = mapCourse(submitted, keyKind, registryCodeSystems, textBytes);
    items.push(toQueuedItem(mapped, context));
  }
  return items;
}

export const rejectWhole = (rejection: Rejection): readonly QueuedItem[] => [
  { kind: 'rejected', position: 0, ...WHOLE_BUNDLE, rejections: [rejection] },
];

/** Adds keyed hashes to a course of care, and masks it for a partner. */
export const toQueuedItem = (mapped: MappedCourse, context: MappingContext): QueuedItem => {
  const { practiceId, keyKind } = context;
  const { position, stamp, chart_number } = mapped;
  const reference = formatReference(chart_number, position);
  const recordHash = chart_number === null ? null : context.recordHash(practiceId, chart_number);
  switch (mapped.kind) {
    case 'rejected':
      return { kind: 'rejected', position, ...reference, rejections: mapped.rejections };
    case 'retraction':
      return { kind: 'retraction', position, ...reference, recordHash, stamp };
    case 'course': {
      // Fingerprints need the names, so they are computed before masking.
      const { fingerprintKeys, offsetAt } = context;
      const fingerprints = buildFingerprints(mapped.course, practiceId, fingerprintKeys, offsetAt);
      const course = keyKind === 'partner' ? maskForPartner(mapped.course) : mapped.course;
      const findProviderId = createFindProviderId(context);
      const attributed = {
        ...course,
        attendant: findProviderId(course.attendant),
        certifier: findProviderId(course.certifier),
      };
      const providers = mapped.providers.flatMap((provider) => {
        const providerId = findProviderId(provider.identity);
        return providerId === null ? [] : [{ providerId, ...provider }];
      });
      if (isTooLongToStore({ attributed, providers }))
        return { kind: 'rejected', position, ...reference, rejections: [COURSE_TOO_LONG] };
      return {
        kind: 'course',
        position,
        ...reference,
        recordHash,
        stamp,
        ...fingerprints,
        providers,
        partnerId: context.partnerId,
        course: attributed,
      };
    }
  }
};

/** Unique within a practice and partner; `null` without a partner. */
const createFindProviderId =
  ({ practiceId, partnerId, providerId }: MappingContext) =>
  (identity: string | null): string | null =>
    identity === null || partnerId === null ? null : providerId(practiceId, partnerId, identity);

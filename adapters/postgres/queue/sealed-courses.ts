import { compactCourse, expandCourse } from '../../../domain/course/compact-course.ts';
import type { QueuedItem } from '../../../domain/submission/queued-item.ts';
import { type AssociatedData, openJson, type RowCipher, sealJson } from '../../crypto/sealing.ts';

/** The compact form keeps a small course below the size of TOAST, which costs extra. */
export const sealCourses = (
  cipher: RowCipher,
  courses: readonly QueuedItem[],
  binding: AssociatedData,
): Buffer => {
  const stored = courses.map((queued) =>
    queued.kind === 'course' ? { ...queued, course: compactCourse(queued.course) } : queued,
  );
  return sealJson(cipher, stored, binding);
};

/** @throws SealedRowUnreadable */
export const openCourses = async (
  cipher: RowCipher,
  sealed: Buffer,
  binding: AssociatedData,
): Promise<readonly QueuedItem[]> => {
  const stored = await openJson<QueuedItem[]>(cipher, sealed, binding);
  return stored.map((queued) =>
    queued.kind === 'course' ? { ...queued, course: expandCourse(queued.course) } : queued,
  );
};

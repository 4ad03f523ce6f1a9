import { sparseCourse, wholeCourse } from '../../../domain/course-of-care/sparse-course.ts';
import type { QueuedCourse } from '../../../domain/ingestion/queued-course.ts';
import type { ChunkBinding, QueueCipher } from '../../crypto/queue-cipher.ts';
import { openJson, sealJson } from '../../crypto/sealed-json.ts';

/**
 * Seals a chunk of courses for the queue. They wait sparse: a chunk of one small course then
 * stays under the 2 KB beyond which Postgres puts a value aside, at twice the work.
 */
export const sealCourses = (
  cipher: QueueCipher,
  courses: readonly QueuedCourse[],
  binding: ChunkBinding,
): Buffer => {
  const stored = courses.map((queued) =>
    queued.kind === 'course' ? { ...queued, course: sparseCourse(queued.course) } : queued,
  );
  return sealJson(cipher, stored, binding);
};

/** Opens what {@link sealCourses} has sealed. @throws QueuedChunkUnreadable */
export const openCourses = (
  cipher: QueueCipher,
  sealed: Buffer,
  binding: ChunkBinding,
): readonly QueuedCourse[] => {
  const stored = openJson<QueuedCourse[]>(cipher, sealed, binding);
  return stored.map((queued) =>
    queued.kind === 'course' ? { ...queued, course: wholeCourse(queued.course) } : queued,
  );
};

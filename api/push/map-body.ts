import type { MappedCourse } from '../../domain/intake/bfdr/course-mapper.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { createYielder } from '../process/yielder.ts';
import { bodyTooCostly, bodyWaitsForOthers } from '../reading/body-problems.ts';
import { parseBundle } from '../reading/parse-bundle.ts';
import { type Reader, ReaderBusy, ReadingTooCostly } from '../reading/reader.ts';
import { type MappingContext, mapSubmission, rejectWhole, toQueuedItem } from './map-submission.ts';
import type { Body } from './read-body.ts';

/**
 * Maps a body to its courses of care, in the order sent. Long bodies are read by another thread, to
 * keep requests from waiting.
 * @param owner the practice, which takes turns with others
 * @throws RequestProblem 400, 413, 503 with a fixed text, since a parser's message would quote the
 * body
 */
export const mapBody = async (
  body: Body,
  context: MappingContext,
  reader: Reader,
  owner: string,
): Promise<readonly QueuedItem[]> => {
  if (Buffer.isBuffer(body)) return mapSubmission(parseBundle(body), context, body.length);
  const { keyKind, registryCodeSystems } = context;
  const reading = { keyKind, registryCodeSystems };
  const submission = await reader
    .read(owner, { kind: 'body', pieces: body.pieces, reading })
    .catch((error: unknown) => {
      if (error instanceof ReadingTooCostly) throw bodyTooCostly();
      if (error instanceof ReaderBusy) throw bodyWaitsForOthers();
      throw error;
    });
  return submission.kind === 'refused'
    ? rejectWhole(submission.rejection)
    : toQueuedItems(submission.courses, context);
};

/** Yields between courses, because keyed hashes take time. */
const toQueuedItems = async (
  courses: readonly MappedCourse[],
  context: MappingContext,
): Promise<readonly QueuedItem[]> => {
  const yieldIfDue = createYielder();
  const items: QueuedItem[] = [];
  for (const course of courses) {
    items.push(toQueuedItem(course, context));
    await yieldIfDue();
  }
  return items;
};

import type { MappedCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import type { RunInTurn } from '../process/turns.ts';
import { parseBundle } from '../reading/parse-bundle.ts';
import { ReadingTooCostly } from '../reading/read-pieces.ts';
import { type Reader, ReaderBusy } from '../reading/reader.ts';
import { type MappingContext, mapInSteps, rejectWhole, toQueuedItem } from './map-submission.ts';
import type { Body } from './read-body.ts';

/**
 * Keeps the order sent. Long bodies are read by another thread.
 * @param owner the practice, which takes turns with others
 * @param runInTurn for the work of this thread
 * @throws RequestProblem 400, 413, 503 with a fixed text, since a parser's message would quote the
 * body
 */
export const mapBody = async (
  body: Body,
  context: MappingContext,
  reader: Reader,
  owner: string,
  runInTurn: RunInTurn,
): Promise<readonly QueuedItem[]> => {
  if (Buffer.isBuffer(body))
    return runInTurn(
      owner,
      mapInSteps(() => parseBundle(body), context, body.length),
    );
  const { keyKind, registryCodeSystems } = context;
  const reading = { keyKind, registryCodeSystems };
  const submission = await reader
    .read(owner, { kind: 'body', pieces: body.pieces, reading })
    .catch((error: unknown) => {
      if (error instanceof ReadingTooCostly)
        throw new RequestProblem(REQUEST_PROBLEMS['body-too-costly']);
      if (error instanceof ReaderBusy) throw new RequestProblem(REQUEST_PROBLEMS['body-waits']);
      throw error;
    });
  return submission.kind === 'refused'
    ? rejectWhole(submission.rejection)
    : runInTurn(owner, toQueuedItems(submission.courses, context));
};

/** One course in each step, because keyed hashes take time. */
function* toQueuedItems(
  courses: readonly MappedCourse[],
  context: MappingContext,
): Generator<undefined, readonly QueuedItem[]> {
  const items: QueuedItem[] = [];
  for (const course of courses) {
    items.push(toQueuedItem(course, context));
    yield;
  }
  return items;
}

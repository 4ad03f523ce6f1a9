import { startOpening } from '../../domain/bfdr/submission.ts';
import type { QueuedCourse } from '../../domain/ingestion/queued-course.ts';
import { newTimeSlices } from '../time-slices.ts';
import { type EntryCuts, scanBody } from './body-outline.ts';
import { type MappingContext, mapOne, mapSubmission, refusedWhole } from './map-submission.ts';
import { asBundle, isBundle, parseBundle, parseJson, textStart } from './parse-bundle.ts';
import { bodyNotJson } from './problems.ts';

/** From so many bytes on a body is mapped in parts: 256 KiB at once take 1.2 ms. */
export const IN_PARTS_FROM = 256 * 1024;

/** Bytes looked at between two glances at the clock, under 0.2 ms. */
const SCANNED_AT_ONCE = 256 * 1024;

/**
 * Maps a body to the courses of care of its Bundle, in the order sent. A large one in parts, so
 * that it neither keeps others waiting nor is held as a whole beside its bytes: 18.9 MB of a
 * hundred real Bundles would stall everybody for 200 ms.
 * @throws RequestProblem 400, 413 with a fixed text: a parser's message would quote the body
 */
export const mapBody = async (
  body: Buffer,
  context: MappingContext,
): Promise<readonly QueuedCourse[]> =>
  body.length < IN_PARTS_FROM
    ? mapSubmission(parseBundle(body), context, body.length)
    : mapInParts(body, context);

/** The same answers and refusals as of `mapSubmission`, part by part. */
export const mapInParts = async (
  body: Buffer,
  context: MappingContext,
): Promise<readonly QueuedCourse[]> => {
  const rest = newTimeSlices();
  const from = textStart(body);
  const { entries, goOn } = scanBody(body, from);
  while (goOn(SCANNED_AT_ONCE)) await rest();

  const outer = parseJson(withoutElements(body, from, entries));
  // Of a repeated key the last value counts. All the others must be JSON too.
  const counting = isBundle(outer) && Array.isArray(outer['entry']) ? entries.at(-1) : undefined;
  const opening = startOpening();
  const mapped: QueuedCourse[] = [];
  // The elements before the first Bundle: without any Bundle the outer one needs them.
  const elements: unknown[] = [];
  for (const cuts of entries) {
    for (const part of partsOf(body, cuts)) {
      await rest();
      if (cuts !== counting) continue;
      for (const element of part.elements) {
        for (const course of opening.open(element)) {
          mapped.push(mapOne(course, context, part.bytes));
          await rest();
        }
        if (opening.isBatch()) elements.length = 0;
        else elements.push(element);
      }
    }
  }
  const bundle = asBundle(outer);
  const ended = opening.end(() => ({ ...bundle, entry: elements }));
  if (ended.kind === 'refused') return refusedWhole(ended.rejection);
  return [...mapped, ...ended.courses.map((course) => mapOne(course, context, body.length))];
};

/** The text of a body with nothing between the brackets of `entry`. */
const withoutElements = (body: Buffer, from: number, entries: readonly EntryCuts[]): string => {
  let text = '';
  let at = from;
  for (const cuts of entries) {
    text += body.toString('utf8', at, (cuts[0] ?? at) + 1);
    at = cuts.at(-1) ?? at;
  }
  return text + body.toString('utf8', at);
};

/** Elements of `entry`, and how many bytes of the body they were. */
interface Part {
  readonly elements: readonly unknown[];
  readonly bytes: number;
}

/** The elements of `entry` from cut to cut; one part is held at a time. */
function* partsOf(body: Buffer, cuts: EntryCuts): Generator<Part> {
  for (let index = 1; index < cuts.length; index += 1) {
    const from = (cuts[index - 1] ?? 0) + 1;
    const to = cuts[index] ?? from;
    const elements = parseJson(`[${body.toString('utf8', from, to)}]`) as readonly unknown[];
    // Beside a comma there has to be an element.
    if (elements.length === 0 && cuts.length > 2) throw bodyNotJson();
    yield { elements, bytes: to - from };
  }
}

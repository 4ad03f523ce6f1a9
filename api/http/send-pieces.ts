import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createYielder } from '../process/yielder.ts';

const MAX_LISTENERS = 20;

/** Writing costs about as much for a small piece as for one of this size. */
const SLICE_CHARACTERS = 32 * 1024;

/** Lets other requests be answered between two slices. */
async function* toSlices(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  const rest = createYielder();
  let slice = '';
  for await (const piece of pieces) {
    slice += piece;
    while (slice.length >= SLICE_CHARACTERS) {
      const end = endsInPair(slice) ? SLICE_CHARACTERS - 1 : SLICE_CHARACTERS;
      yield slice.slice(0, end);
      slice = slice.slice(end);
      await rest();
    }
  }
  if (slice !== '') yield slice;
}

const endsInPair = (text: string): boolean =>
  (text.codePointAt(SLICE_CHARACTERS - 1) ?? 0) > 0xffff;

/** A client that disconnects before the end is no fault. */
export const sendPieces = async (
  res: ServerResponse,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> => {
  // Every middleware adds a listener for the end, and the stream adds several.
  res.setMaxListeners(MAX_LISTENERS);
  try {
    await pipeline(Readable.from(toSlices(pieces)), res);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
};

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const MAX_LISTENERS = 20;

/** Sends a body while it is built. A client that disconnects before its end is no fault. */
export const sendPieces = async (
  res: ServerResponse,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> => {
  // Every middleware adds a listener for the end, and the stream adds several.
  res.setMaxListeners(MAX_LISTENERS);
  try {
    await pipeline(Readable.from(pieces), res);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
};

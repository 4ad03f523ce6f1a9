import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

const MOST_LISTENERS = 20;

/** Sends a CSV file as it is written, to be saved under a name. */
export const sendCsv = (
  res: Response,
  fileName: string,
  pieces: AsyncIterable<string>,
): Promise<void> => sendFile(res, fileName, 'text/csv', pieces);

/** The same for a file of any type. */
export const sendFile = async (
  res: Response,
  fileName: string,
  mediaType: string,
  pieces: AsyncIterable<string>,
): Promise<void> => {
  res.attachment(fileName).type(mediaType).set('Cache-Control', 'no-store');
  // Each layer before this one listens for the end once, and so does the stream, several times.
  res.setMaxListeners(MOST_LISTENERS);
  try {
    await pipeline(Readable.from(pieces), res);
  } catch (error) {
    // The client is gone: nothing is left to send.
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
};

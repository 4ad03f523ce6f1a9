import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/** Sends a CSV file as it is written, to be saved under a name. */
export const sendCsv = async (
  res: Response,
  fileName: string,
  pieces: AsyncIterable<string>,
): Promise<void> => {
  res.attachment(fileName).type('text/csv').set('Cache-Control', 'no-store');
  try {
    await pipeline(Readable.from(pieces), res);
  } catch (error) {
    // The client is gone: nothing is left to send.
    if ((error as { code?: unknown }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
};

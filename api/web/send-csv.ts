import type { Response } from 'express';
import { sendPieces } from '../http/send-pieces.ts';

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
  await sendPieces(res, pieces);
};

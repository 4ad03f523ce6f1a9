import type { Response } from 'express';
import { sendPieces } from '../../http/send-pieces.ts';

export const sendCsv = (
  res: Response,
  fileName: string,
  pieces: AsyncIterable<string>,
): Promise<void> => sendFile(res, fileName, 'text/csv', pieces);

export const sendFile = async (
  res: Response,
  fileName: string,
  mediaType: string,
  pieces: AsyncIterable<string>,
): Promise<void> => {
  res.attachment(fileName).type(mediaType).set('Cache-Control', 'no-store');
  await sendPieces(res, pieces);
};

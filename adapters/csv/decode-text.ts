import { setImmediate } from 'node:timers/promises';
import { type FileRefusal, refusedFile } from '../../domain/csv/header.ts';

/** The texts of a file one after the other, or why it cannot be read; a sentence for a person. */
export type DecodedText =
  | { readonly kind: 'text'; readonly parts: readonly string[] }
  | FileRefusal;

const SLICE_BYTES = 512 * 1024;
const SAVE_AS_UTF8 =
  'In Excel choose File, Save As and the type "CSV UTF-8 (Comma delimited)"; in other programs choose the encoding UTF-8. Then import the file again.';

/** Why a file of plain characters is not read. */
export const OLDER_ENCODING_MESSAGE = `The file is in an older encoding, not UTF-8: it was probably saved as plain "CSV". ${SAVE_AS_UTF8}`;

/** Why a workbook is not read. */
export const WORKBOOK_MESSAGE = `The file is a workbook, not a CSV file. ${SAVE_AS_UTF8}`;

/** Why a file with the mark of UTF-16 is not read. */
export const UTF_16_MESSAGE = `The file is UTF-16, not UTF-8. ${SAVE_AS_UTF8}`;

/** Why a file with a NUL is not read. */
export const NOT_UTF_8_MESSAGE = `The file is not a CSV file in UTF-8. ${SAVE_AS_UTF8}`;
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const OLD_OFFICE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
const BYTE_ORDER_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/**
 * Decodes UTF-8, with or without byte order mark, in slices that leave the event loop free.
 * Everything else is refused with a sentence that says how to save the file.
 */
export const decodeText = async (bytes: Buffer): Promise<DecodedText> => {
  const known = knownAsOther(bytes);
  if (known !== null) return known;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  try {
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      parts.push(decoder.decode(bytes.subarray(from, from + SLICE_BYTES), { stream: true }));
      await setImmediate();
    }
    parts.push(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return refusedFile('older-encoding', OLDER_ENCODING_MESSAGE);
  }
  return { kind: 'text', parts };
};

const knownAsOther = (bytes: Buffer): FileRefusal | null => {
  const startsWith = (mark: Buffer) => bytes.subarray(0, mark.length).equals(mark);
  if (startsWith(ZIP) || startsWith(OLD_OFFICE)) return refusedFile('workbook', WORKBOOK_MESSAGE);
  if (BYTE_ORDER_MARKS.some(startsWith)) return refusedFile('utf-16', UTF_16_MESSAGE);
  // No text holds a NUL; UTF-16 without a mark is full of them.
  return bytes.includes(0) ? refusedFile('not-utf-8', NOT_UTF_8_MESSAGE) : null;
};

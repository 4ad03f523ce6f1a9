import { setImmediate } from 'node:timers/promises';
import { type FileRefusal, refuseFile } from '../../domain/intake/csv/header.ts';

/** The texts of a file one after the other, or why it cannot be read; a sentence for a person. */
export type DecodedText =
  | { readonly kind: 'text'; readonly parts: readonly string[] }
  | FileRefusal;

const SLICE_BYTES = 512 * 1024;
const SAVE_AS_UTF8 =
  'In Excel choose File, Save As and the type "CSV UTF-8 (Comma delimited)"; in other programs choose the encoding UTF-8. Then import the file again.';

/** Why a file of plain characters is not read. */
export const OLDER_ENCODING_MESSAGE = `The file is in an older encoding, not UTF-8: it was probably saved as plain "CSV". ${SAVE_AS_UTF8}`;

/** How to make a workbook that is read. */
export const SAVE_AS_XLSX =
  'Open it in Excel, choose File, Save As and the type "Excel Workbook (.xlsx)", and import that file.';

/** Why a workbook of an older Excel is not read. */
export const OLD_WORKBOOK_MESSAGE = `The file is an Excel workbook of an older kind (.xls). ${SAVE_AS_XLSX}`;

/** Why a workbook with a password is not read. */
export const PROTECTED_WORKBOOK_MESSAGE =
  'The workbook is protected with a password. In Excel choose File, Info, Protect Workbook, Encrypt with Password, and remove the password. Save it, and import it again.';

/** Why a page or a document is not read. */
export const NOT_A_SPREADSHEET_MESSAGE = `The file is neither an Excel workbook (.xlsx) nor a CSV file, whatever its name says. ${SAVE_AS_XLSX}`;

/** Why a file with the mark of UTF-16 is not read. */
export const UTF_16_MESSAGE = `The file is UTF-16, not UTF-8. ${SAVE_AS_UTF8}`;

/** Why a file with a NUL is not read. */
export const NOT_UTF_8_MESSAGE = `The file is neither an Excel workbook (.xlsx) nor a CSV file in UTF-8. ${SAVE_AS_UTF8}`;
const OLD_OFFICE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
/** The part of a protected workbook that holds the other one. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
/** PDF, RTF, web pages and XML: some programs give web pages the name of a workbook. */
const OTHER_KINDS =
  /^(?:\u00ef\u00bb\u00bf)?\s{0,100}(?:%PDF-|\{\\rtf|<(?:!doctype|\?xml|html|head|body|table|meta)\b)/i;
const START_BYTES = 200;
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
    return refuseFile('older-encoding', OLDER_ENCODING_MESSAGE);
  }
  return { kind: 'text', parts };
};

const knownAsOther = (bytes: Buffer): FileRefusal | null => {
  const startsWith = (mark: Buffer) => bytes.subarray(0, mark.length).equals(mark);
  if (startsWith(OLD_OFFICE))
    return bytes.includes(ENCRYPTED)
      ? refuseFile('workbook-protected', PROTECTED_WORKBOOK_MESSAGE)
      : refuseFile('workbook', OLD_WORKBOOK_MESSAGE);
  if (OTHER_KINDS.test(bytes.toString('latin1', 0, START_BYTES)))
    return refuseFile('not-a-spreadsheet', NOT_A_SPREADSHEET_MESSAGE);
  if (BYTE_ORDER_MARKS.some(startsWith)) return refuseFile('utf-16', UTF_16_MESSAGE);
  // No text holds a NUL; UTF-16 without a mark is full of them.
  return bytes.includes(0) ? refuseFile('not-utf-8', NOT_UTF_8_MESSAGE) : null;
};

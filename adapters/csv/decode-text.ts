import { setImmediate } from 'node:timers/promises';
import { type FileRefusal, refuseFile } from '../../domain/mapping/csv/header.ts';

export type DecodedText =
  | { readonly kind: 'text'; readonly parts: readonly string[] }
  | FileRefusal;

const SLICE_BYTES = 512 * 1024;
const SAVE_AS_UTF8 =
  'In Excel choose File, Save As and the type "CSV UTF-8 (Comma delimited)"; in other programs choose the encoding UTF-8. Then import the file again.';

export const OLDER_ENCODING_MESSAGE = `The file is in an older encoding, not UTF-8: it was probably saved as plain "CSV". ${SAVE_AS_UTF8}`;

export const SAVE_AS_XLSX =
  'Open it in Excel, choose File, Save As and the type "Excel Workbook (.xlsx)", and import that file.';

export const OLD_WORKBOOK_MESSAGE = `The file is an Excel workbook of an older kind (.xls). ${SAVE_AS_XLSX}`;

export const PROTECTED_WORKBOOK_MESSAGE =
  'The workbook is protected with a password. In Excel choose File, Info, Protect Workbook, Encrypt with Password, and remove the password. Save it, and import it again.';

export const NOT_A_SPREADSHEET_MESSAGE = `The file is neither an Excel workbook (.xlsx) nor a CSV file, whatever its name says. ${SAVE_AS_XLSX}`;

export const UTF_16_MESSAGE = `The file is UTF-16, not UTF-8. ${SAVE_AS_UTF8}`;

/** Refusal of a file that contains a NUL. */
export const NOT_UTF_8_MESSAGE = `The file is neither an Excel workbook (.xlsx) nor a CSV file in UTF-8. ${SAVE_AS_UTF8}`;
const OLD_OFFICE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
/** Stream of a protected workbook that contains the encrypted one. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
/** PDF, RTF, web pages, and XML. Some programs save web pages with a workbook's file name. */
const OTHER_KINDS =
  /^(?:\u00ef\u00bb\u00bf)?\s{0,100}(?:%PDF-|\{\\rtf|<(?:!doctype|\?xml|html|head|body|table|meta)\b)/i;
const START_BYTES = 200;
const BYTE_ORDER_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** UTF-8 only, with or without byte order mark. Works in slices that do not block the event loop. */
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
  // Text contains no NUL, but UTF-16 without a mark is full of them.
  return bytes.includes(0) ? refuseFile('not-utf-8', NOT_UTF_8_MESSAGE) : null;
};

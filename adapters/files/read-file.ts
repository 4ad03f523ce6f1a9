import { createReadStream } from 'node:fs';

/** May be a pipe. `null` if it is larger than the limit, without reading all of it. */
export const readFileUpTo = async (file: string, mostBytes: number): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const BYTE_ORDER_MARKS = [
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
] as const;

/** Decodes UTF-8, or UTF-16 with a byte order mark, as PowerShell writes it. Removes the mark. */
export const decodeText = (bytes: Buffer): string => {
  const [, encoding = 'utf-8'] =
    BYTE_ORDER_MARKS.find(([mark]) => bytes.subarray(0, mark.length).equals(mark)) ?? [];
  return new TextDecoder(encoding).decode(bytes);
};

export const readTextUpTo = async (file: string, mostBytes: number): Promise<string | null> => {
  const bytes = await readFileUpTo(file, mostBytes);
  return bytes === null ? null : decodeText(bytes);
};

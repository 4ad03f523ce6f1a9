import { createReadStream, type Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MAX_BODY_BYTES } from '../../api/http/limits.ts';

export interface PushItem {
  /** Line number included if the file has several Bundles; never a submitted value. */
  readonly name: string;
  /** Bytes of the Bundle; `null` if it exceeds the registry's limit. */
  readonly content: Buffer | null;
}

export interface PushInput {
  /** Number of Bundles; `null` if unknown before the end. */
  readonly total: number | null;
  readonly items: () => AsyncGenerator<PushItem>;
  readonly outbox: string;
}

/** A file or directory cannot be pushed; the message explains why. */
export class InputUnusable extends Error {
  override readonly name = 'InputUnusable';
}

const STANDARD_INPUT = '-';
const OUTBOX_OF_STANDARD_INPUT = 'registry-push.outbox';
const OUTBOX_OF_DIRECTORY = '.registry-push.outbox';
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * A file contains one Bundle, or one per line (NDJSON). A directory is read by file name.
 * @throws InputUnusable if there is nothing to push
 */
export const openInput = async (
  path: string,
  standardInput: AsyncIterable<Buffer>,
): Promise<PushInput> => {
  if (path === STANDARD_INPUT)
    return {
      total: null,
      items: () => splitBundles('line', standardInput),
      outbox: OUTBOX_OF_STANDARD_INPUT,
    };
  const found = await stat(path).catch((cause: unknown) => {
    throw new InputUnusable('The file or directory cannot be read.', { cause });
  });
  if (!found.isDirectory()) {
    requireRegularFile(path, found);
    return {
      total: await countBundles(path),
      items: () => readFileItems(path, basename(path)),
      outbox: `${path}.outbox`,
    };
  }
  const files = (await listFiles(path)).toSorted();
  if (files.length === 0)
    throw new InputUnusable('The directory holds no file that ends in .json or .ndjson.');
  let total = 0;
  for (const file of files) total += isNdjson(file) ? await countBundles(join(path, file)) : 1;
  return {
    total,
    async *items() {
      for (const file of files) yield* readFileItems(join(path, file), file);
    },
    outbox: join(path, OUTBOX_OF_DIRECTORY),
  };
};

/** @throws InputUnusable for a pipe or device, which might never end */
const requireRegularFile = (name: string, found: Stats): void => {
  if (!found.isFile())
    throw new InputUnusable(
      `${name} is not a regular file. To push what another program writes, give - and redirect it.`,
    );
};

/**
 * Each comes once, however many links lead to it.
 * @throws InputUnusable for one that is not a regular file
 */
const listFiles = async (root: string): Promise<readonly string[]> => {
  const seen = new Set<string>();
  const files: string[] = [];
  const isNew = ({ dev, ino }: Stats): boolean => {
    const identity = `${dev}:${ino}`;
    const known = seen.has(identity);
    seen.add(identity);
    return !known;
  };
  const list = async (directory: string): Promise<void> => {
    const entries = await readdir(join(root, directory), { withFileTypes: true });
    // A link comes last, so that a file keeps its own name.
    const [own, links] = [
      entries.filter((one) => !one.isSymbolicLink()),
      entries.filter((one) => one.isSymbolicLink()),
    ];
    for (const { name } of [...own, ...links]) {
      const file = join(directory, name);
      const isBundle = /\.(nd)?json$/i.test(name);
      const found = await stat(join(root, file)).catch((cause: unknown) => {
        if (!isBundle) return null;
        throw new InputUnusable(`${file} cannot be read.`, { cause });
      });
      if (found?.isDirectory()) {
        if (isNew(found)) await list(file);
      } else if (found !== null && isBundle) {
        requireRegularFile(file, found);
        if (isNew(found)) files.push(file);
      }
    }
  };
  isNew(await stat(root));
  await list('');
  return files;
};

const isNdjson = (file: string): boolean => /\.ndjson$/i.test(file);

const readFileItems = (path: string, name: string): AsyncGenerator<PushItem> =>
  splitBundles(name, createReadStream(path));

const countBundles = async (path: string): Promise<number> => {
  let total = 0;
  for await (const _item of readFileItems(path, '')) total += 1;
  return total;
};

/** One per line if the first line is complete JSON, otherwise a single one. */
async function* splitBundles(
  name: string,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<PushItem> {
  let isNdjsonInput = null as boolean | null;
  let number = 0;
  let line: Buffer[] = [];
  let size = 0;
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size <= MAX_BODY_BYTES) line.push(piece);
    else line = [];
  };
  const take = (itemName: string): PushItem | null => {
    const content = size <= MAX_BODY_BYTES ? Buffer.concat(line) : null;
    [line, size] = [[], 0];
    return content !== null && isBlank(content) ? null : { name: itemName, content };
  };
  for await (const piece of pieces) {
    let from = 0;
    while (isNdjsonInput !== false) {
      const end = piece.indexOf(LINE_FEED, from);
      if (end === -1) break;
      add(piece.subarray(from, end + 1));
      from = end + 1;
      const first = isNdjsonInput === null ? Buffer.concat(line) : null;
      if (first !== null && !isBlank(first)) isNdjsonInput = isJson(first);
      if (isNdjsonInput === false) break;
      number += 1;
      const item = take(`${name}:${number}`);
      if (item !== null) yield item;
    }
    add(piece.subarray(from));
  }
  const last = take(isNdjsonInput === true ? `${name}:${number + 1}` : name);
  if (last !== null) yield last;
}

const isBlank = (content: Buffer): boolean => content.every((byte) => byte <= SPACE);

const isJson = (content: Buffer): boolean => {
  try {
    JSON.parse(content.toString('utf8'));
    return true;
  } catch {
    return false;
  }
};

import { createHmac, randomBytes } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { publishFile } from '../../adapters/files/publish-file.ts';
import type { PushItem } from './read-items.ts';

/** `failed`: the registry stopped retrying, and the next run sends it again. */
export type Outcome = 'accepted' | 'rejected' | 'failed';

export interface SentItem {
  /** Number of failures; each attempt has its own Idempotency-Key. */
  readonly failures: number;
  /** Address of its receipt; absent if the answer to the push never arrived. */
  readonly receipt?: string;
  readonly outcome?: Outcome;
  readonly diagnostics?: readonly string[];
}

/** Contains no submitted value and no API key. */
export interface Outbox {
  /** Id of a Bundle in the outbox, derived from its bytes and its place in the input. */
  readonly identify: (item: PushItem) => string;
  readonly find: (id: string) => SentItem;
  /** Independent of the API key: all keys of a practice share Idempotency-Keys. */
  readonly idempotencyKey: (id: string) => string;
  readonly record: (id: string, sent: SentItem) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The file cannot be used as an outbox. */
export class OutboxUnusable extends Error {
  override readonly name = 'OutboxUnusable';
}

const SEED_BYTES = 32;
const NEW: SentItem = { failures: 0 };

/** @param recipient address of the registry and API key @throws OutboxUnusable */
export const openOutbox = async (path: string, recipient: readonly string[]): Promise<Outbox> => {
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isFile())
    throw new OutboxUnusable(`${path} is no outbox of this command. Move it away.`);
  if (found === null)
    await makeOutbox(path).catch((cause: unknown) => {
      throw new OutboxUnusable(
        'The outbox beside the input cannot be written. Put the input into a directory where it can.',
        { cause },
      );
    });
  const [first = '', ...lines] = (await readFile(path, 'utf8')).split('\n');
  const seed = readSeed(first);
  if (seed === null)
    throw new OutboxUnusable(`${path} is no outbox of this command. Move it away.`);
  const hash = (...parts: readonly (string | Buffer)[]): string => {
    const hmac = createHmac('sha256', seed);
    for (const part of parts) hmac.update(`${part.length}:`).update(part);
    return hmac.digest('base64url');
  };
  const to = hash(...recipient);
  const sent = new Map<string, SentItem>();
  for (const line of lines) {
    const { id, to: sentTo, ...one } = parse(line) ?? {};
    if (typeof id === 'string' && sentTo === to) sent.set(id, one as unknown as SentItem);
  }
  const file = await open(path, 'a');
  // The last line of an interrupted run may be incomplete.
  if (lines.at(-1) !== '') await file.appendFile('\n');
  const find = (id: string): SentItem => sent.get(id) ?? NEW;
  return {
    identify: ({ name, content }) => hash(name, content ?? ''),
    find,
    idempotencyKey: (id) => hash(id, String(find(id).failures)),
    async record(id, one) {
      sent.set(id, one);
      await file.appendFile(`${JSON.stringify({ id, to, ...one })}\n`);
    },
    close: () => file.close(),
  };
};

/** Atomic; keeps an outbox that another run creates at the same time. */
const makeOutbox = async (path: string): Promise<void> => {
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    const seed = randomBytes(SEED_BYTES).toString('base64');
    await file.appendFile(`${JSON.stringify({ seed })}\n`);
    await file.sync();
    await publishFile(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
};

const parse = (line: string): Readonly<Record<string, unknown>> | null => {
  try {
    return JSON.parse(line);
  } catch {
    return null; // Incomplete line.
  }
};

const readSeed = (line: string): Buffer | null => {
  const seed = parse(line)?.['seed'];
  const bytes = typeof seed === 'string' ? Buffer.from(seed, 'base64') : null;
  return bytes?.length === SEED_BYTES ? bytes : null;
};

import { createHmac, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readFile, rm } from 'node:fs/promises';
import type { PushItem } from './read-items.ts';

/** What became of a Bundle. `failed`: the registry has given it up, and the next run sends it again. */
export type Outcome = 'accepted' | 'rejected' | 'failed';

/** What is known of a Bundle that was sent. */
export interface SentItem {
  /** Times that the registry gave it up: each try has an Idempotency-Key of its own. */
  readonly failures: number;
  /** Address of its receipt; absent if the answer to the push never arrived. */
  readonly receipt?: string;
  readonly outcome?: Outcome;
  /** Why it was not accepted. */
  readonly diagnostics?: readonly string[];
}

/**
 * What was sent of an input, in a file: a run that was cut off goes on where it was. It holds no submitted value
 * and no API key.
 */
export interface Outbox {
  /** Name of a Bundle in the outbox: the same for the same bytes in the same place. */
  readonly identify: (item: PushItem) => string;
  /** What was sent to this registry with this API key. */
  readonly find: (id: string) => SentItem;
  /**
   * The Idempotency-Key of the next try. It does not depend on the API key, which may be replaced: the keys of a
   * practice share their Idempotency-Keys.
   */
  readonly idempotencyKey: (id: string) => string;
  readonly record: (id: string, sent: SentItem) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The outbox holds something else. */
export class OutboxUnusable extends Error {
  override readonly name = 'OutboxUnusable';
}

const SEED_BYTES = 32;
const NEW: SentItem = { failures: 0 };

/**
 * Opens the outbox in a file, which is made if there is none.
 * @param recipient what is sent to: the address of the registry and the API key
 * @throws OutboxUnusable
 */
export const openOutbox = async (path: string, recipient: readonly string[]): Promise<Outbox> => {
  if (!existsSync(path))
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
  // The last line of a run that was cut off may lack its end.
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

/** Makes an outbox with a seed, whole or not at all; leaves one that another run makes meanwhile. */
const makeOutbox = async (path: string): Promise<void> => {
  const draft = `${path}.${process.pid}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    const seed = randomBytes(SEED_BYTES).toString('base64');
    await file.appendFile(`${JSON.stringify({ seed })}\n`);
    await file.sync();
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await file.close();
    await rm(draft);
  }
};

const parse = (line: string): Readonly<Record<string, unknown>> | null => {
  try {
    return JSON.parse(line);
  } catch {
    return null; // A line that was cut off.
  }
};

const readSeed = (line: string): Buffer | null => {
  const seed = parse(line)?.['seed'];
  const bytes = typeof seed === 'string' ? Buffer.from(seed, 'base64') : null;
  return bytes?.length === SEED_BYTES ? bytes : null;
};

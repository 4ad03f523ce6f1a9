import { createHmac, randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
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
  /** Name of a Bundle in the outbox: the same for the same Bundle, place, registry and API key. */
  readonly identify: (item: PushItem) => string;
  readonly find: (id: string) => SentItem;
  /** The Idempotency-Key of the next try. */
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
  const file = await open(path, 'a+', 0o600).catch((cause: unknown) => {
    throw new OutboxUnusable(
      'The outbox beside the input cannot be written. Push from a directory where it can.',
      { cause },
    );
  });
  const [first, ...lines] = (await readFile(path, 'utf8')).split('\n');
  const seed = first === '' || first === undefined ? randomBytes(SEED_BYTES) : readSeed(first);
  if (seed === null) {
    await file.close();
    throw new OutboxUnusable(`${path} is no outbox of this command. Move it away.`);
  }
  const sent = new Map<string, SentItem>();
  for (const line of lines) {
    const entry = readEntry(line);
    if (entry !== null) sent.set(...entry);
  }
  if (first === '' || first === undefined)
    await file.appendFile(`${JSON.stringify({ seed: seed.toString('base64') })}\n`);
  // The last line of a run that was cut off may lack its end.
  else if (lines.at(-1) !== '') await file.appendFile('\n');
  const hash = (...parts: readonly (string | Buffer)[]): string => {
    const hmac = createHmac('sha256', seed);
    for (const part of parts) hmac.update(`${part.length}:`).update(part);
    return hmac.digest('base64url');
  };
  const to = hash(...recipient);
  const find = (id: string): SentItem => sent.get(id) ?? NEW;
  return {
    identify: ({ name, content }) => hash(to, name, content ?? ''),
    find,
    idempotencyKey: (id) => hash(id, String(find(id).failures)),
    async record(id, one) {
      sent.set(id, one);
      await file.appendFile(`${JSON.stringify({ id, ...one })}\n`);
    },
    close: () => file.close(),
  };
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

const readEntry = (line: string): [string, SentItem] | null => {
  const { id, ...one } = parse(line) ?? {};
  return typeof id === 'string' ? [id, one as unknown as SentItem] : null;
};

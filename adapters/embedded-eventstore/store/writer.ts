import pg from 'pg';
import { connectWriter, tryLock } from './connections.ts';
import { NO_STREAM, TOMBSTONE } from './decide.ts';
import { describeError, LogUnavailable, type Outcome } from './errors.ts';
import { countEventBytes, getBaseStream, isMetastream, type RecordedEvent } from './event.ts';
import { type Committed, planGroup, type Write } from './group.ts';
import { getStreamState, Heads, MISSING_HEAD } from './heads.ts';
import { insertEvents } from './insert.ts';
import type { Reader } from './reader.ts';
import { RecentEvents, RecentIds, StreamsWithMetadataOrTombstone } from './recent.ts';
import { createSchema } from './schema.ts';

const GROUP_WRITES = 512;
const GROUP_BYTES = 2 * 1024 * 1024;
const ROW_BYTES = 64;
const SWEEP_MS = 100;
const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 1_000;

interface Queued extends Write {
  readonly bytes: number;
  readonly deadline: number;
  /** True if we assume without a lookup that the stream is missing. A wrong guess collides. */
  isPresumedNew: boolean;
  readonly settle: (outcome: Outcome) => void;
  isSettled: boolean;
}

const settle = (write: Queued, outcome: Outcome): void => {
  if (write.isSettled) return;
  write.isSettled = true;
  write.settle(outcome);
};

const getSqlState = (thrown: unknown): string =>
  thrown instanceof pg.DatabaseError ? (thrown.code ?? '') : '';

// Connection, resources, operator intervention, system, and a read-only server; other errors would recur.
const isTransient = (thrown: unknown): boolean =>
  /^(?:08|53|57|58|25006)/u.test(getSqlState(thrown));
const UNIQUE_VIOLATION = '23505';

interface WriterOptions {
  readonly databaseUrl: string;
  readonly reader: Reader;
  readonly onLog: (line: object) => void;
  readonly onLocked: (client: pg.Client) => Promise<void>;
}

/** Group commit: writes that arrive during a commit form the next group, and each group is one transaction. */
export class Writer {
  readonly heads: Heads;
  readonly recent = new RecentEvents();
  readonly #ids = new RecentIds();
  readonly #special = new StreamsWithMetadataOrTombstone();
  readonly #options: WriterOptions;
  #client: pg.Client | null = null;
  #queue: Queued[] = [];
  #group: readonly Queued[] = [];
  #isRunning = false;
  #isStopped = false;
  #committed = 0n;
  #watchers = new Set<() => void>();
  #sweeper: NodeJS.Timeout | null = null;
  #retry: NodeJS.Timeout | null = null;
  #idle: (() => void)[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
    this.heads = new Heads((streams) => options.reader.heads(streams));
  }

  get isReady(): boolean {
    return this.#client !== null;
  }

  /** Position of the last event that readers may see. Throws while the log is unavailable. */
  get committed(): bigint {
    this.assertReady();
    return this.#committed;
  }

  /** Throws {@link LogUnavailable} while heads and positions in memory may be outdated. */
  assertReady(): void {
    if (this.#client === null) throw new LogUnavailable('The event log is not available');
  }

  /** Connects and acquires the lock. Returns false if another node has it, or if the connection ended. */
  async open(): Promise<boolean> {
    const client = await connectWriter(this.#options.databaseUrl);
    let hasEnded = false;
    client.once('end', () => {
      hasEnded = true;
      this.#dropClient(client);
    });
    client.on('error', () => this.#dropClient(client));
    try {
      if (!(await tryLock(client))) {
        await client.end();
        return false;
      }
      await createSchema(client);
      await this.#load(client);
      await this.#options.onLocked(client);
    } catch (cause) {
      await client.end().catch(() => undefined);
      throw cause;
    }
    if (this.#isStopped || hasEnded) {
      await client.end().catch(() => undefined);
      return false;
    }
    this.#client = client;
    for (const watcher of this.#takeWatchers()) watcher();
    return true;
  }

  submit(write: Write, deadline = Number.POSITIVE_INFINITY): Promise<Outcome> {
    return new Promise((resolve) => {
      if (this.#client === null || this.#isStopped) {
        resolve({ kind: 'unavailable' });
        return;
      }
      if (deadline <= Date.now()) {
        resolve({ kind: 'timeout' });
        return;
      }
      const isPresumedNew = this.#isPresumablyNew(write);
      // The commit loads it again after an error.
      if (!isPresumedNew) this.heads.ensure(write.stream)?.catch(() => undefined);
      const { stream, expected, intent, events } = write;
      let bytes = 0;
      for (const event of events) bytes += ROW_BYTES + countEventBytes(event);
      this.#queue.push({
        stream,
        expected,
        intent,
        events,
        bytes,
        deadline,
        isPresumedNew,
        settle: resolve,
        isSettled: false,
      });
      this.#sweeper ??= setInterval(() => this.#sweep(), SWEEP_MS);
      if (this.#isRunning) return;
      this.#isRunning = true;
      // Wait one iteration of the event loop, so requests that arrived together share a group.
      setImmediate(() => void this.#run());
    });
  }

  /** Calls back once after the next commit, or when the log becomes unavailable or available. */
  onChange(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Refuses new writes, waits for pending ones, and releases the lock. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#isRunning) await new Promise<void>((resolve) => this.#idle.push(resolve));
    if (this.#sweeper !== null) clearInterval(this.#sweeper);
    const client = this.#client;
    this.#client = null;
    for (const watcher of this.#takeWatchers()) watcher();
    await client?.end().catch(() => undefined);
  }

  /** True for an append that creates a stream we know nothing about, the usual case. */
  #isPresumablyNew({ stream, expected, intent, events }: Write): boolean {
    const [first] = events;
    if (intent !== 'append' || expected !== NO_STREAM || first === undefined) return false;
    if (isMetastream(stream) || !this.#special.excludes(stream)) return false;
    return this.heads.peek(stream) === undefined && this.#ids.find(first.id) === undefined;
  }

  #takeWatchers(): Set<() => void> {
    const watchers = this.#watchers;
    this.#watchers = new Set();
    return watchers;
  }

  async #load(client: pg.Client): Promise<void> {
    const last = await client.query<{ position: string | null }>(
      'select max(position)::text as position from eventstore.event',
    );
    const ids = await client.query<[string, string, string, string]>({
      text: `select id::text, stream, revision::text, position::text
        from (select id, stream, revision, position from eventstore.event
          order by position desc limit $1) as newest order by newest.position`,
      values: [this.#ids.capacity],
      rowMode: 'array',
    });
    const special = await client.query<[string]>({
      text: `(select stream from eventstore.event where revision = ${TOMBSTONE} limit $1)
        union all
        (select substr(stream, 3) from eventstore.event
          where stream >= '$$' and stream < '$%' limit $1)`,
      values: [this.#special.capacity + 1],
      rowMode: 'array',
    });
    this.#special.reset(special.rows.map(([name]) => name));
    if (special.rows.length > this.#special.capacity) this.#special.forget();
    this.heads.clear();
    this.#ids.clear();
    for (const [id, stream, revision, position] of ids.rows) {
      this.#ids.add({ id, stream, revision: BigInt(revision), position: BigInt(position) });
    }
    this.#committed = BigInt(last.rows[0]?.position ?? 0);
    this.recent.reset(this.#committed);
  }

  #dropClient(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.end().catch(() => undefined);
    // Pending writes may or may not be stored. The client finds out by retrying.
    for (const write of [...this.#group, ...this.#queue]) settle(write, { kind: 'unavailable' });
    this.#queue = [];
    if (this.#isStopped) return;
    this.#options.onLog({ level: 'warn', event: 'writer-connection-lost' });
    for (const watcher of this.#takeWatchers()) watcher();
    this.#reopen(RECONNECT_MIN_MS);
  }

  #reopen(delayMs: number): void {
    this.#retry = setTimeout(() => {
      this.open()
        .then((isOpen) => {
          if (this.#isStopped) return;
          if (isOpen) this.#options.onLog({ level: 'info', event: 'writer-connection-found' });
          else this.#reopen(Math.min(delayMs * 2, RECONNECT_MAX_MS));
        })
        .catch((cause: unknown) => {
          if (this.#isStopped) return;
          this.#options.onLog({
            level: 'warn',
            event: 'writer-reconnect-failed',
            ...describeError(cause),
          });
          this.#reopen(Math.min(delayMs * 2, RECONNECT_MAX_MS));
        });
    }, delayMs);
  }

  #sweep(): void {
    const now = Date.now();
    for (const write of this.#group) if (write.deadline <= now) settle(write, { kind: 'timeout' });
    for (const write of this.#queue) if (write.deadline <= now) settle(write, { kind: 'timeout' });
    if (this.#isRunning || this.#sweeper === null) return;
    clearInterval(this.#sweeper);
    this.#sweeper = null;
  }

  #takeGroup(): Queued[] {
    const now = Date.now();
    const group: Queued[] = [];
    let bytes = 0;
    let taken = 0;
    for (const write of this.#queue) {
      if (group.length === GROUP_WRITES || (group.length > 0 && bytes + write.bytes > GROUP_BYTES))
        break;
      taken += 1;
      if (write.deadline <= now) settle(write, { kind: 'timeout' });
      if (write.isSettled) continue;
      bytes += write.bytes;
      group.push(write);
    }
    this.#queue = taken === this.#queue.length ? [] : this.#queue.slice(taken);
    return group;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      this.#group = this.#takeGroup();
      if (this.#group.length > 0) await this.#commitOrSplit(this.#group);
      this.#group = [];
    }
    this.#isRunning = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** One failing request must not fail the others. If streams were assumed new, retries with lookups. */
  async #commitOrSplit(group: readonly Queued[]): Promise<void> {
    try {
      await this.#commit(group);
      return;
    } catch (thrown) {
      this.#handleFailure(group, thrown);
      if (group.every(({ isSettled }) => isSettled)) return;
      if (group.some(({ isPresumedNew }) => isPresumedNew)) {
        for (const write of group) write.isPresumedNew = false;
        await this.#commitOrSplit(group);
        return;
      }
    }
    for (const write of group) {
      if (write.isSettled) continue;
      try {
        await this.#commit([write]);
      } catch (thrown) {
        this.#handleFailure([write], thrown);
        settle(write, { kind: 'failed' });
      }
    }
  }

  #handleFailure(group: readonly Queued[], thrown: unknown): void {
    const isCollision = getSqlState(thrown) === UNIQUE_VIOLATION;
    // Wrongly assuming a new stream is not an error.
    if (!isCollision || !group.some(({ isPresumedNew }) => isPresumedNew)) {
      this.#options.onLog({ level: 'warn', event: 'group-failed', ...describeError(thrown) });
    }
    if (this.#client === null || thrown instanceof LogUnavailable || isTransient(thrown)) {
      for (const write of group) settle(write, { kind: 'unavailable' });
    }
    if (isCollision) {
      for (const write of group) this.heads.forget(write.stream);
    }
  }

  async #commit(batch: readonly Queued[]): Promise<void> {
    await this.#loadHeads(batch);
    const storedAt = await this.#findStored(batch);
    // Some may have timed out by now.
    const group = batch.filter(({ isSettled }) => !isSettled);
    const client = this.#client;
    if (client === null) throw new LogUnavailable('The event log is not available');
    const presumedNew = new Set<string>();
    for (const { isPresumedNew, stream } of group) if (isPresumedNew) presumedNew.add(stream);
    const committed: Committed = {
      position: this.#committed,
      head: (stream) => {
        const head =
          this.heads.peek(stream) ?? (presumedNew.has(stream) ? MISSING_HEAD : undefined);
        if (head === undefined) throw new LogUnavailable('The head of a stream is not known');
        return head;
      },
      findId: (id) => this.#ids.find(id),
      storedAt,
    };
    const plan = planGroup(group, committed, BigInt(Date.now()) * 10_000n);
    if (plan.rows.length > 0) {
      await insertEvents(client, plan.rows).catch((cause: unknown) => {
        // Any other error means that the connection is broken or hangs.
        if (!(cause instanceof pg.DatabaseError)) this.#dropClient(client);
        throw cause;
      });
      if (this.#client !== client) throw new LogUnavailable('The connection was lost');
      this.#publish(plan.rows, plan.heads);
    }
    for (const [index, write] of group.entries()) {
      settle(write, plan.outcomes[index] ?? { kind: 'failed' });
    }
  }

  #publish(
    rows: readonly RecordedEvent[],
    heads: ReadonlyMap<string, Parameters<Heads['set']>[1]>,
  ): void {
    for (const [base, head] of heads) this.heads.set(base, head);
    for (const row of rows) {
      this.#ids.add(row);
      this.recent.add(row);
      this.#committed = row.position;
      if (row.revision === TOMBSTONE || isMetastream(row.stream)) {
        this.#special.add(getBaseStream(row.stream));
      }
    }
    for (const watcher of this.#takeWatchers()) watcher();
  }

  async #loadHeads(group: readonly Queued[]): Promise<void> {
    try {
      for (;;) {
        const missing: Promise<void>[] = [];
        for (const { stream, isPresumedNew } of group) {
          const loading = isPresumedNew ? undefined : this.heads.ensure(stream);
          if (loading !== undefined) missing.push(loading);
        }
        if (missing.length === 0) return;
        await Promise.all(missing);
      }
    } catch (cause) {
      throw new LogUnavailable('The heads of streams could not be read', { cause });
    }
  }

  async #findStored(group: readonly Queued[]): Promise<Committed['storedAt']> {
    const ranges: { stream: string; from: bigint; to: bigint }[] = [];
    for (const { stream, expected, events, intent } of group) {
      if (expected < NO_STREAM || intent !== 'append' || events.length === 0) continue;
      const head = this.heads.peek(stream);
      if (head === undefined || expected >= getStreamState(stream, head).revision) continue;
      ranges.push({ stream, from: expected + 1n, to: expected + BigInt(events.length) });
    }
    if (ranges.length === 0) return () => undefined;
    try {
      return await this.#options.reader.storedAt(ranges);
    } catch (cause) {
      throw new LogUnavailable('Stored events could not be read', { cause });
    }
  }
}

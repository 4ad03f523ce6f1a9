import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { COMMIT_UNFLUSHED, type Db } from './database.ts';
import { openReconnectingClient } from './reconnecting-client.ts';

/** A submission queued, an access entry noted, an undo begun, the projector's lease released. */
export const WAKE_TOPICS = ['queued', 'noted', 'undo', 'projection'] as const;
export type WakeTopic = (typeof WAKE_TOPICS)[number];

/** `heard` if it came from another process, which needs no notification of its own work. */
export type Wakeups = EventEmitter<Record<WakeTopic, [origin?: 'heard']>>;

export const createWakeups = (): Wakeups => new EventEmitter();

export const onEachTopic = (
  wakeups: Wakeups,
  listener: (topic: WakeTopic, origin?: 'heard') => void,
): void => {
  for (const topic of WAKE_TOPICS) wakeups.on(topic, (origin) => listener(topic, origin));
};

const buildChannel = (topic: WakeTopic | 'probe'): string => `registry_${topic}`;

/**
 * Until a NOTIFY is committed, no other one can commit. So call this after the commit of the work; it does
 * not wait for the disk.
 */
export const notify = async (
  db: Db,
  topics: readonly (WakeTopic | 'probe')[],
  payload = '',
): Promise<void> => {
  await sql`
    select ${COMMIT_UNFLUSHED}, pg_notify(channel, ${payload})
    from unnest(${topics.map(buildChannel)}::text[]) as channel`.execute(db);
};

/** Workers also look for work at most this often. */
const MIN_NOTIFY_INTERVAL_MS = 15;

/** Wakes other processes, too. After a failed notification they find the work at their next poll. */
export const notifyOthers = (db: Db, wakeups: Wakeups): void => {
  const pending = new Set<WakeTopic>();
  let isSending = false;
  const send = async (): Promise<void> => {
    isSending = true;
    while (pending.size > 0) {
      const topics = [...pending];
      pending.clear();
      await notify(db, topics).catch(() => undefined);
      await sleep(MIN_NOTIFY_INTERVAL_MS);
    }
    isSending = false;
  };
  onEachTopic(wakeups, (topic, origin) => {
    if (origin === 'heard') return;
    pending.add(topic);
    if (!isSending) void send();
  });
};

export interface Listening {
  pollMs(): number;
  stop(): Promise<void>;
}

/** Finds work whose notification was lost with its sender or its connection. */
const SAFETY_POLL_MS = 20_000;
const UNHEARD_POLL_MS = 250;

/**
 * Emits the notifications of other processes, until stopped. While notifications do not arrive, polls are
 * frequent: during an outage of the connection, and behind a pooler, which drops them. So each
 * connection counts only after a probe, sent through `db`, has arrived.
 */
export const listenForWakeups = async (
  url: string,
  db: Db,
  wakeups: Wakeups,
): Promise<Listening> => {
  const id = randomUUID();
  let isHearing = false;
  // Notifications may have been missed before hearing began. After its end, polls must be frequent.
  const setHearing = (hears: boolean): void => {
    if (hears === isHearing) return;
    isHearing = hears;
    for (const topic of WAKE_TOPICS) wakeups.emit(topic, 'heard');
  };
  const probe = (): void => {
    if (!isHearing) notify(db, ['probe'], id).catch(() => undefined);
  };
  const topics = new Map(WAKE_TOPICS.map((topic) => [buildChannel(topic), topic]));
  const connection = await openReconnectingClient(url, 'wakeups', {
    mayConnectLater: true,
    async prepare(client) {
      client.on('notification', ({ channel, payload }) => {
        const topic = topics.get(channel);
        if (topic !== undefined) wakeups.emit(topic, 'heard');
        else if (payload === id) setHearing(true);
      });
      const channels = [...topics.keys(), buildChannel('probe')];
      await client.query(channels.map((channel) => `listen ${channel}`).join(';'));
      probe();
    },
    beat: probe,
    lost: () => setHearing(false),
  });
  return {
    pollMs: () => (isHearing ? SAFETY_POLL_MS : UNHEARD_POLL_MS),
    stop: connection.stop,
  };
};

import { readStoredEventsUnder } from '../../adapters/embedded-eventstore/store/stored-events.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { isAnyPracticeReal } from '../../adapters/postgres/read-model/organizations.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import { evolve, type Practice, unknownPractice } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { SettingInvalid } from '../settings/setting-parsers.ts';
import type { Settings } from '../settings/settings.ts';
import { isLogOpen } from '../settings/settings-warnings.ts';

/** A log without a password must not contain real births. */
const TOO_OPEN =
  'EVENTSTORE_PORT opens the event log without a password to every account of this machine, and the registry holds practices that are no sandboxes. Unset EVENTSTORE_PORT, or set EVENTSTORE_OPEN to trial if none of their births is real.';

/**
 * `null` if the node requires its password. A command runs without opening the port.
 * @throws SettingInvalid if a service would open a log with a practice that is not a sandbox
 */
export const openUnauthenticatedPort = async (
  settings: Settings,
  opener: 'service' | 'command',
  databaseUrl: string,
): Promise<number | null> => {
  if (!isLogOpen(settings) || settings.isOpenForTrial) return settings.eventstorePort;
  if (!(await hasRealPractice(databaseUrl))) return settings.eventstorePort;
  if (opener === 'service') throw new SettingInvalid(TOO_OPEN);
  return null;
};

/** Read tables may not exist yet, and the node must not be started. */
const hasRealPractice = async (databaseUrl: string): Promise<boolean> => {
  const practices = new Map<string, Practice>();
  for (const { stream, event } of await readStoredEventsUnder(databaseUrl)(practiceStream(''))) {
    const before = practices.get(stream) ?? unknownPractice;
    practices.set(stream, evolve(before, event as PracticeEvent) ?? before);
  }
  return [...practices.values()].some((one) => one.status === 'known' && !one.sandbox);
};

const POLL_INTERVAL_MS = 5_000;

/**
 * Warns once if the log gains a practice that is not a sandbox; the next start is then refused.
 * @returns stops watching
 */
export const watchUnauthenticatedLog = (
  settings: Settings,
  db: Db,
  warn: (words: string) => void,
  everyMs = POLL_INTERVAL_MS,
): (() => Promise<void>) => {
  if (!isLogOpen(settings) || settings.isOpenForTrial) return async () => undefined;
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    if (!(await isAnyPracticeReal(db))) return;
    clearInterval(timer);
    warn(`${TOO_OPEN} The next start will be refused.`);
  };
  const timer = setInterval(() => {
    // If the database is unavailable, the next check will do.
    looking = looking.then(look).catch(() => undefined);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
};

import { readStoredEventsUnder } from '../../adapters/embedded-eventstore/store/stored-events.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { isAnyPracticeReal } from '../../adapters/postgres/read-model/organizations.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import { evolve, type Practice, unknownPractice } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import { SettingInvalid, type Settings } from '../settings/settings.ts';
import { isLogOpen } from '../settings/settings-warnings.ts';

/** Ends a start, or is logged while the service runs: a log without a password holds real births. */
const TOO_OPEN =
  'EVENTSTORE_PORT opens the event log without a password to every account of this machine, and the registry holds practices that are no sandboxes. Unset EVENTSTORE_PORT, or set EVENTSTORE_OPEN to trial if none of their births is real.';

/**
 * The port at which an embedded node may answer everybody; null: it asks for its password.
 * @throws SettingInvalid when a service is set to open a log that holds a practice that is no sandbox; a
 * command does its work without opening it
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

/** Asked of the log's tables: there may be no read tables yet, and the node is not to be started. */
const hasRealPractice = async (databaseUrl: string): Promise<boolean> => {
  const practices = new Map<string, Practice>();
  for (const { stream, event } of await readStoredEventsUnder(databaseUrl)(practiceStream(''))) {
    const before = practices.get(stream) ?? unknownPractice;
    practices.set(stream, evolve(before, event as PracticeEvent) ?? before);
  }
  return [...practices.values()].some((one) => one.status === 'known' && !one.sandbox);
};

const LOOK_EVERY_MS = 5_000;

/**
 * Warns once when the open log of a running service comes to hold a practice that is no sandbox. The
 * service goes on; its next start is refused.
 * @returns what ends the looking
 */
export const watchUnauthenticatedLog = (
  settings: Settings,
  db: Db,
  warn: (words: string) => void,
  everyMs = LOOK_EVERY_MS,
): (() => Promise<void>) => {
  if (!isLogOpen(settings) || settings.isOpenForTrial) return async () => undefined;
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    if (!(await isAnyPracticeReal(db))) return;
    clearInterval(timer);
    warn(`${TOO_OPEN} The next start will be refused.`);
  };
  const timer = setInterval(() => {
    // While the database is away, the next look is as good.
    looking = looking.then(look).catch(() => undefined);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
};

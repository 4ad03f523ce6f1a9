import { readFileSync } from 'node:fs';
import { readSettings } from '../../api/settings/settings.ts';
import { SERVICE_ENVIRONMENT } from '../../scripts/node-flags.ts';

/** A file below `scripts/deploy`. */
export const deploymentFile = (path: string): string =>
  readFileSync(new URL(`../../scripts/deploy/${path}`, import.meta.url), 'utf8');

/** The name of every setting: what the service asks its environment for. */
export const settingNames = (): ReadonlySet<string> => {
  const asked = new Set<string>();
  readSettings(
    new Proxy({}, { get: (_, name) => void (typeof name === 'string' && asked.add(name)) }),
  );
  return asked;
};

/** What Node, the C library, and packages ask for. */
const NOT_OURS: ReadonlySet<string> = new Set(['NODE_ENV', ...Object.keys(SERVICE_ENVIRONMENT)]);

/** Names among these that are neither a setting nor Node's. */
export const unknownSettings = (names: Iterable<string>): readonly string[] => {
  const known = settingNames();
  return [...names].filter((name) => !known.has(name) && !NOT_OURS.has(name));
};

/** What a stop may take: ten seconds, and two to spare. @see docs/operate/monitor.md */
export const STOP_SECONDS = 12;

/** Addresses are looked at when they are read: these look like some. */
export const ANY_ADDRESSES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://registry:password@postgres:5432/registry',
  EVENTSTORE_URL: 'esdb://registry:password@eventstore:2113?tls=true',
};

/** A secret long enough, for settings that are only read. */
export const ANY_SECRET = 'only-for-reading-the-settings-of-a-test';

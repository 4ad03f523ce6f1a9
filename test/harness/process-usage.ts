import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

// Linux only, as /proc is: the figures need no tool beside it.

const BYTES_IN_KIB = 1024;
const MS_IN_TICK = 10;
// Places in /proc/PID/stat after the name.
const PARENT = 1;
const TIMES = [11, 12, 13, 14]; // of itself, user and system; the same of children that have ended

/** Memory of a process that is in RAM, bytes. */
export const rssOf = (pid: number): number => memoryOf(pid, 'VmRSS');

/** The most that it was so far; 0 if the process has ended. */
export const peakRssOf = (pid: number): number => unlessEnded(() => memoryOf(pid, 'VmHWM'));

const memoryOf = (pid: number, kind: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * BYTES_IN_KIB;
};

/** Some of Postgres’ processes come and go. */
const unlessEnded = <Found>(look: () => Found): Found | 0 => {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
};

interface Seen {
  readonly parent: number;
  readonly ms: number;
  readonly command: string;
}

const processes = (): ReadonlyMap<number, Seen> => {
  const seen = new Map<number, Seen>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      seen.set(Number(pid), {
        parent: Number(fields[PARENT]),
        ms: TIMES.reduce((sum, place) => sum + Number(fields[place]) * MS_IN_TICK, 0),
        command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
      });
    } catch {
      // It has ended meanwhile.
    }
  return seen;
};

/** Something that was counted of each of the processes of a service. */
export interface ByProcess {
  readonly api: number;
  /** The embedded node, and whatever else the API has started. */
  readonly node: number;
  /** Postgres of its data directory. */
  readonly postgres: number;
}

const byProcess = (
  pid: number,
  dataDir: string,
  count: (pid: number, seen: Seen) => number,
): ByProcess => {
  const all = processes();
  const kindOf = (one: number): keyof ByProcess | null => {
    for (let at = one; at > 1; at = all.get(at)?.parent ?? 0) {
      if (all.get(at)?.command.includes(`-D ${dataDir}/`)) return 'postgres';
      if (at === pid) return one === pid ? 'api' : 'node';
    }
    return null;
  };
  const counted = { api: 0, node: 0, postgres: 0 };
  for (const [one, seen] of all) {
    const kind = kindOf(one);
    if (kind !== null) counted[kind] += count(one, seen);
  }
  return counted;
};

/** CPU time that a service has taken so far, milliseconds. */
export const cpuByProcess = (pid: number, dataDir: string): ByProcess =>
  byProcess(pid, dataDir, (_pid, { ms }) => ms);

/** Memory of a service that is in RAM, bytes. What processes of Postgres share counts for each. */
export const rssByProcess = (pid: number, dataDir: string): ByProcess =>
  byProcess(pid, dataDir, (one) => unlessEnded(() => rssOf(one)));

/** The most that each was so far, as far as it has not ended. */
export const peakRssByProcess = (pid: number, dataDir: string): ByProcess =>
  byProcess(pid, dataDir, peakRssOf);

/** Forgets how much memory a process of this user has had: its peak is counted from now on. */
export const forgetPeakRss = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/**
 * CPU time that a process and all that it has started have taken so far, milliseconds; 0 where /proc
 * does not tell.
 */
export const cpuOfTree = (root: number): number => {
  const all = unlessEnded(processes) || new Map<number, Seen>();
  const isBelow = (pid: number): boolean => {
    for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === root) return true;
    return false;
  };
  return [...all].reduce((sum, [pid, { ms }]) => (isBelow(pid) ? sum + ms : sum), 0);
};

/** The same of all its processes together. */
export const cpuOf = (pid: number, dataDir: string): number => {
  const { api, node, postgres } = cpuByProcess(pid, dataDir);
  return api + node + postgres;
};

/** Processes that a process has started and whose command holds a text. */
export const childrenOf = (pid: number, text: string): readonly number[] =>
  [...processes()]
    .filter(([, { parent, command }]) => parent === pid && command.includes(text))
    .map(([one]) => one);

import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Cluster } from './cluster.ts';

const fileOf = (cluster: Cluster): string => join(dirname(cluster.dir), 'postgres-port');

/**
 * The port on which the server of a cluster was last started; null if that is not known. Who starts
 * it anew takes the same one: other processes hold connections to it, and look for it there.
 */
export const keptPort = async (cluster: Cluster): Promise<number | null> => {
  const content = await readFile(fileOf(cluster), 'utf8').catch(() => '');
  const port = Number(content);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
};

/** Keeps the port for the next start. A disk that takes nothing more is no reason not to run. */
export const keepPort = async (cluster: Cluster, port: number): Promise<void> => {
  await writeFile(fileOf(cluster), String(port), { mode: 0o600 }).catch(() => undefined);
};

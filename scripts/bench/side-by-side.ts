import { type HostedPostgres, hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { newPractice, openTables, type PushedPractice, type Tables } from './pushed-practice.ts';
import { type MeasuredService, startService, throwAwayDirectory } from './throw-away.ts';

/** The service and a Postgres of the same kind for the yardsticks, both new. */
export interface SideBySide {
  readonly service: MeasuredService;
  readonly practice: PushedPractice;
  readonly tables: Tables;
  /** Address of the yardsticks' Postgres. */
  readonly yardstickUrl: string;
  stop(): Promise<void>;
}

/** @param changes settings of the service beside the defaults */
export const startSideBySide = async (
  changes: Readonly<Record<string, string>> = {},
): Promise<SideBySide> => {
  const [ours, theirs] = [await throwAwayDirectory(), await throwAwayDirectory()];
  const service = await startService(ours.path, changes);
  const joined: HostedPostgres = await hostPostgres({ dataDir: ours.path });
  const hosted: HostedPostgres = await hostPostgres({ dataDir: theirs.path });
  const tables = await openTables(joined.url);
  return {
    ...{ service, tables, yardstickUrl: hosted.url },
    practice: await newPractice(service),
    async stop() {
      await tables.close();
      await service.stop();
      await joined.stop();
      await hosted.stop();
      await ours.remove();
      await theirs.remove();
    },
  };
};

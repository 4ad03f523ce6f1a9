import { type HostedPostgres, hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { throwAwayCluster } from '../throw-away/service.ts';
import { type SingleService, startSingle } from '../throw-away/single.ts';

/** The service and a Postgres of the same kind for the yardsticks, both new. */
export interface SideBySide extends SingleService {
  /** Address of the yardsticks' Postgres. */
  readonly yardstickUrl: string;
}

/** @param changes settings of the service beside the defaults */
export const startSideBySide = async (
  changes: Readonly<Record<string, string>> = {},
): Promise<SideBySide> => {
  const ours = await startSingle(changes);
  const theirs = await throwAwayCluster();
  const hosted: HostedPostgres = await hostPostgres({ dataDir: theirs.path });
  return {
    ...ours,
    yardstickUrl: hosted.url,
    async stop() {
      await ours.stop();
      await hosted.stop();
      await theirs.remove();
    },
  };
};

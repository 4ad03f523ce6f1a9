import { type HostedPostgres, hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { type MeasuredService, startService, throwAwayCluster } from './measured-service.ts';
import { newPractice, openTables, type PushedPractice, type Tables } from './pushed-practice.ts';

/** A new service with a practice to push to. */
export interface SingleService {
  readonly service: MeasuredService;
  readonly practice: PushedPractice;
  readonly tables: Tables;
  stop(): Promise<void>;
}

/** Starts a service for some work, and stops it after it. */
export const withSingle = async <Result>(
  work: (single: SingleService) => Promise<Result>,
): Promise<Result> => {
  const single = await startSingle();
  try {
    return await work(single);
  } finally {
    await single.stop();
  }
};

/**
 * @param changes settings of the service beside the defaults
 * @param onLog takes what the service logs
 */
export const startSingle = async (
  changes: Readonly<Record<string, string>> = {},
  onLog: ((text: string) => void) | null = null,
): Promise<SingleService> => {
  const directory = await throwAwayCluster();
  const service = await startService(directory.path, changes, onLog);
  const joined: HostedPostgres = await hostPostgres({ dataDir: directory.path });
  const tables = await openTables(joined.url);
  return {
    service,
    tables,
    practice: await newPractice(service),
    async stop() {
      await tables.close();
      await service.stop();
      await joined.stop();
      await directory.remove();
    },
  };
};

/** Where pushes of a practice go, and in whose name. */
export const intakeOf = (single: SingleService, practice: PushedPractice = single.practice) => ({
  url: `${single.service.url}/api/registry/fhir/Bundle`,
  token: practice.token,
});

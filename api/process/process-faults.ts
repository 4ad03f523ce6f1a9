import { buildFaultNote, type ServiceLog } from './logging.ts';

/** The EventStoreDB client leaves some of its rejections unhandled. */
const isGrpcFault = (error: unknown): boolean =>
  error instanceof Error &&
  typeof (error as { code?: unknown }).code === 'number' &&
  'details' in error;

/**
 * Only logs faults of the EventStoreDB connection, because callers retry their appends. Any other
 * ends the process; after a restart, its work continues from the log. Prints only class and frames.
 */
export const watchProcessFaults = (serviceLog: ServiceLog): void => {
  process.on('unhandledRejection', (error) => {
    if (isGrpcFault(error)) {
      serviceLog.warn(
        buildFaultNote(error),
        'A call to the event log broke off; its caller tries again.',
      );
      return;
    }
    endProcess(serviceLog, error);
  });
  process.on('uncaughtException', (error) => endProcess(serviceLog, error));
};

const endProcess = (serviceLog: ServiceLog, error: unknown): void => {
  serviceLog.fatal(
    buildFaultNote(error),
    'The process ends in an unexpected fault. Start it again. It continues from the log.',
  );
  process.exit(1);
};

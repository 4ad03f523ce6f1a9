import { buildFaultNote, type ServiceLog } from './logging.ts';

/** Whether a rejection is a gRPC call's: the log's client leaves some of its own unhandled. */
const isGrpcFault = (error: unknown): boolean =>
  error instanceof Error &&
  typeof (error as { code?: unknown }).code === 'number' &&
  'details' in error;

/**
 * Decides what becomes of uncaught faults. Those of the log's connection are noted: their
 * appends are tried again by their callers. Any other ends the process, which a supervisor
 * starts again: what it was at is taken up from the log. Nothing is printed but class and frames.
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
    'The process ends in an unexpected fault. Start it again: it goes on from the log.',
  );
  process.exit(1);
};

import { noteOf, type ServiceLog } from './logging.ts';

/** Whether a rejection is a gRPC call's: the log's client leaves some of its own unhandled. */
const isGrpcFault = (error: unknown): boolean =>
  error instanceof Error &&
  typeof (error as { code?: unknown }).code === 'number' &&
  'details' in error;

/**
 * Decides what becomes of faults that nobody caught. Those of the log's connection are noted: their
 * appends are tried again by whoever made them. Any other ends the process, which a supervisor
 * starts again: what it was at is taken up from the log. Nothing is printed but class and frames.
 */
export const watchProcessFaults = (serviceLog: ServiceLog): void => {
  process.on('unhandledRejection', (error) => {
    if (isGrpcFault(error)) {
      serviceLog.warn(
        noteOf(error),
        'A call to the event log broke off; whoever made it tries again.',
      );
      return;
    }
    endProcess(serviceLog, error);
  });
  process.on('uncaughtException', (error) => endProcess(serviceLog, error));
};

const endProcess = (serviceLog: ServiceLog, error: unknown): void => {
  serviceLog.fatal(
    noteOf(error),
    'The process ends in a fault that nobody expected. Start it again: it goes on from the log.',
  );
  process.exit(1);
};

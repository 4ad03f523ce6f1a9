import { isatty } from 'node:tty';
import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import { listOwnFrames } from './own-frames.ts';

export type ServiceLog = Logger;

const STANDARD_OUTPUT = 1;
/** In bytes, for a blocked standard output; the rest is dropped. */
const MAX_WAITING = 1_048_576;

export const LOG_FORMATS = ['json', 'text'] as const;

/** @see LOG_FORMATS */
export type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * If standard output fails, such as a file on a full disk, lines are lost and the service
 * continues.
 */
export const openServiceLog = (level: string, format: LogFormat = 'json'): ServiceLog => {
  const output = pino.destination({ dest: STANDARD_OUTPUT, sync: true, maxLength: MAX_WAITING });
  output.on('error', () => undefined);
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    format === 'text' ? textLines(output) : output,
  );
};

const textLines = (destination: DestinationStream): DestinationStream =>
  pretty({
    destination,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    colorize: isatty(STANDARD_OUTPUT),
  });

/** No message, because messages of parsers and Postgres quote data. */
export interface FaultNote {
  readonly fault: string;
  /** Code of the system, gRPC or SQLSTATE. */
  readonly code?: string | number;
  readonly at?: readonly string[];
  readonly cause?: FaultNote;
}

const DEEPEST_CAUSE = 3;
const MAX_FRAMES = 5;

export const buildFaultNote = (error: unknown, depth = 0): FaultNote => {
  if (!(error instanceof Error)) return { fault: typeof error };
  const { code } = error as { code?: unknown };
  const at = listOwnFrames(error.stack ?? '').slice(0, MAX_FRAMES);
  return {
    fault: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(at.length > 0 ? { at } : {}),
    ...(error.cause !== undefined && depth < DEEPEST_CAUSE
      ? { cause: buildFaultNote(error.cause, depth + 1) }
      : {}),
  };
};

export const createFaultLog =
  (serviceLog: ServiceLog) =>
  (what: string) =>
  (error: unknown): void =>
    serviceLog.warn(buildFaultNote(error), what);

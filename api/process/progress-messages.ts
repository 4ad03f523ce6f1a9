import { countInWords, numberInWords } from '../../domain/format-measures.ts';
import { computePace, type Progress, type Rebuild } from '../../domain/progress.ts';

/** People do not need a line per batch. */
export const LOGGED_EVERY_MS = 10_000;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PERCENT = 100;
const DIGITS = 3;
const MS_PER_SECOND = 1_000;
const BYTE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const BYTES_IN_NEXT = 1024;

/** "12 seconds", "4 minutes". */
export const formatSpan = (seconds: number): string => {
  if (seconds < 1) return 'less than a second';
  if (seconds < 2 * MINUTE) return countInWords(Math.round(seconds), 'second');
  if (seconds < 2 * HOUR) return countInWords(Math.round(seconds / MINUTE), 'minute');
  if (seconds < 2 * DAY) return countInWords(Math.round(seconds / HOUR), 'hour');
  return countInWords(Math.round(seconds / DAY), 'day');
};

/** "17 bytes", "4.2 MiB". */
export const formatBytes = (bytes: number): string => {
  let [size, unit] = [bytes, 0];
  while (size >= BYTES_IN_NEXT && unit < BYTE_UNITS.length - 1) {
    size /= BYTES_IN_NEXT;
    unit += 1;
  }
  return `${numberInWords(unit === 0 ? size : Number(size.toPrecision(DIGITS)))} ${BYTE_UNITS[unit]}`;
};

const formatSpanBriefly = (seconds: number): string => {
  if (seconds < 2 * MINUTE) return `${Math.ceil(seconds)} s`;
  return seconds < 2 * HOUR
    ? `${Math.round(seconds / MINUTE)} min`
    : `${Math.round(seconds / HOUR)} h`;
};

/** Pace in the shortest unit in which it is at least 1. */
const choosePaceUnit = (
  perSecond: number,
): { readonly times: number; readonly long: string; readonly brief: string } => {
  if (perSecond >= 1 || perSecond === 0) return { times: perSecond, long: 'a second', brief: 's' };
  return perSecond * MINUTE >= 1
    ? { times: perSecond * MINUTE, long: 'a minute', brief: 'min' }
    : { times: perSecond * HOUR, long: 'an hour', brief: 'h' };
};

const formatTimeLeft = (seconds: number): string =>
  `${seconds < 1 ? '' : 'about '}${formatSpan(seconds)} left`;

export interface ProgressWords {
  /** "42,130 of about 100,300 events". */
  readonly done: string;
  /** "42 %". */
  readonly share: string;
  /** "5,120 events a second". */
  readonly pace: string;
  /** "about 11 seconds left"; `null` before any progress. */
  readonly left: string | null;
}

/** @param elapsedSeconds since the work began */
export const createProgressMessages = (
  progress: Progress,
  elapsedSeconds: number,
): ProgressWords => {
  const { done, total, unit, isEstimate } = progress;
  const { share, perSecond, secondsLeft } = computePace(progress, elapsedSeconds);
  const isBytes = unit === 'bytes';
  const inAll = isBytes ? formatBytes(total) : `${numberInWords(total)} ${unit}`;
  const { times, long } = choosePaceUnit(perSecond);
  const pace = isBytes
    ? formatBytes(times)
    : `${numberInWords(Number(times.toPrecision(DIGITS)))} ${unit}`;
  return {
    done: `${isBytes ? formatBytes(done) : numberInWords(done)} of ${isEstimate ? 'about ' : ''}${inAll}`,
    share: `${Math.floor(share * PERCENT)} %`,
    pace: `${pace} ${long}`,
    left: secondsLeft === null ? null : formatTimeLeft(secondsLeft),
  };
};

/** "Rebuilding: 42 %, 42,130 of about 100,300 events, 5,120 events a second, about 11 seconds left". */
export const formatProgress = (progress: Progress, elapsedSeconds: number): string => {
  const { done, share, pace, left } = createProgressMessages(progress, elapsedSeconds);
  return `${progress.work}: ${[share, done, pace, ...(left === null ? [] : [left])].join(', ')}`;
};

/** Progress for one line of a terminal: "42 %, 42,130/~100,300 events, 5,120/s, 11 s left". */
export const formatProgressBriefly = (progress: Progress, elapsedSeconds: number): string => {
  const { done, total, unit, isEstimate } = progress;
  const { share, perSecond, secondsLeft } = computePace(progress, elapsedSeconds);
  const isBytes = unit === 'bytes';
  const { times, brief } = choosePaceUnit(perSecond);
  const formatFigure = (value: number) => (isBytes ? formatBytes(value) : numberInWords(value));
  return [
    `${Math.floor(share * PERCENT)} %`,
    `${formatFigure(done)}/${isEstimate ? '~' : ''}${formatFigure(total)}${isBytes ? '' : ` ${unit}`}`,
    `${formatFigure(Number(times.toPrecision(DIGITS)))}/${brief}`,
    ...(secondsLeft === null ? [] : [`${formatSpanBriefly(secondsLeft)} left`]),
  ].join(', ');
};

export const buildRebuildProgress = ({ events, total }: Rebuild): Progress => ({
  work: 'Rebuilding',
  done: events,
  total,
  unit: 'events',
  isEstimate: events < total,
});

export const formatRebuild = (rebuild: Rebuild, now: Date): string =>
  formatProgress(buildRebuildProgress(rebuild), countSeconds(rebuild.startedAt, now));

/** Never negative, because clocks of two machines differ. */
export const countSeconds = (from: Date, to: Date): number =>
  Math.max(0, to.getTime() - from.getTime()) / MS_PER_SECOND;

import type { WriteStream } from 'node:tty';
import { type Params, SingleBar } from 'cli-progress';
import type { Reporter } from '../api/commands/reporter.ts';
import { formatProgress, formatProgressBriefly } from '../api/process/progress-messages.ts';
import { computePace, type Progress } from '../domain/progress.ts';

export interface ProgressDisplay extends Reporter {
  /** Removes the bar from the terminal. */
  end(): void;
}

/** Faster work needs no bar. */
const BAR_DELAY_MS = 500;
const REDRAWS_PER_SECOND = 5;
/** Interval of progress lines without a terminal. */
const LINE_EVERY_MS = 10_000;
const BAR_WIDTH = 16;
const MS_PER_SECOND = 1_000;

const formatBar = (progress: Progress, elapsedSeconds: number, columns: number): string => {
  const filled = Math.round(computePace(progress, elapsedSeconds).share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const text = `${progress.work} ${bar} ${formatProgressBriefly(progress, elapsedSeconds)}`;
  return text.slice(0, Math.max(columns - 1, 0));
};

/**
 * Shows progress as a bar in a terminal, and as periodic lines elsewhere.
 * @param isQuiet suppresses progress and steps, but not warnings
 */
export const showProgress = (stream: WriteStream, isQuiet: boolean): ProgressDisplay => {
  let latest: Progress | null = null;
  let began = 0;
  let bar: SingleBar | null = null;
  let waiting: NodeJS.Timeout | undefined;

  const getElapsedSeconds = (): number => (performance.now() - began) / MS_PER_SECOND;
  const format = (_options: unknown, { maxWidth }: Params): string => {
    if (latest === null) return '';
    return stream.isTTY
      ? formatBar(latest, getElapsedSeconds(), maxWidth)
      : formatProgress(latest, getElapsedSeconds());
  };
  const begin = (): void => {
    bar = new SingleBar({
      stream,
      format,
      fps: REDRAWS_PER_SECOND,
      clearOnComplete: true,
      linewrap: true,
      noTTYOutput: true,
      notTTYSchedule: LINE_EVERY_MS,
      // The library would otherwise handle the signal that ends the command.
      gracefulExit: false,
    });
    bar.start(1, 0);
  };
  const takeOff = (): void => {
    bar?.stop();
    bar = null;
  };
  const end = (): void => {
    clearTimeout(waiting);
    takeOff();
    latest = null;
  };
  const printLine = (line: string): void => {
    const isDrawn = bar !== null && stream.isTTY;
    if (isDrawn) takeOff();
    stream.write(`${line}\n`);
    // Redraws the bar below the line.
    if (isDrawn) begin();
  };

  return {
    progress: (now) => {
      if (isQuiet) return;
      if (latest?.work !== now.work) {
        end();
        began = performance.now();
        waiting = setTimeout(begin, stream.isTTY ? BAR_DELAY_MS : LINE_EVERY_MS).unref();
      }
      latest = now;
    },
    report: printLine,
    step: (line) => {
      if (!isQuiet) printLine(line);
    },
    end,
  };
};

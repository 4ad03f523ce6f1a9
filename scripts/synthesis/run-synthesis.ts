import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { WriteStream } from 'node:tty';
import { EXIT_STATUS } from '../exit-status.ts';
import type { ColorStream } from '../operator/for-people/style.ts';
import { showProgress } from '../show-progress.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { readCommandLine, type SynthesisOrder } from './command-line.ts';
import { SUBMISSION_KINDS, type Submission } from './submissions.ts';
import { buildBatches, buildSingleBundles } from './written-submissions.ts';

export interface SynthesisProcess {
  readonly args: readonly string[];
  readonly stdout: Writable & ColorStream;
  readonly stderr: WriteStream;
}

interface Tally {
  readonly add: (submission: Submission) => void;
  /** One line for each nonzero count. */
  readonly lines: () => readonly string[];
}

const createTally = (): Tally => {
  const counts = new Map<string, number>(SUBMISSION_KINDS.map((kind) => [kind, 0]));
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  return {
    add: ({ kind, birth }) => {
      count(kind);
      if (kind !== 'birth') return;
      const { children, transfers, place_of_birth: place } = birth.course;
      if (children.length > 1)
        count(children.length === 2 ? 'births of twins' : 'births of triplets');
      if (children.some((child) => child.fetal_death === true)) count('stillbirths');
      if (transfers.some(({ type }) => type === 'mother')) count('mothers moved in');
      if (transfers.some(({ type }) => type === 'infant')) count('newborns moved out');
      if (birth.style.slip !== null) count('births with a value that is left out');
      count(`births at: ${place}`);
    },
    lines: () =>
      [...counts].filter(([, many]) => many > 0).map(([what, many]) => `${what}: ${many}`),
  };
};

// Characters per write; one write per line would be slow.
const PIECE_CHARACTERS = 256 * 1024;

function* buildPieces(
  { plan, batchSize }: SynthesisOrder,
  tally: Tally,
  reportProgress: (courses: number) => void,
): Generator<string, void> {
  const bundles = batchSize === null ? buildSingleBundles(plan) : buildBatches(plan, batchSize);
  let piece = '';
  let courses = 0;
  for (const { bundle, submissions } of bundles) {
    for (const submission of submissions) {
      tally.add(submission);
      if (submission.kind === 'birth') courses += 1;
    }
    piece += `${JSON.stringify(bundle)}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    reportProgress(courses);
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const synthesize = async ({ args, stdout, stderr }: SynthesisProcess): Promise<void> => {
  const order = readCommandLine(args);
  const tally = createTally();
  // With standard output on the terminal, the Bundles replace the progress bar.
  const display = showProgress(stderr, order.isQuiet || stdout.isTTY === true);
  // Backpressure keeps memory flat.
  const total = order.plan.courses;
  const reportProgress = (done: number) =>
    display.progress({ work: 'Generating', done, total, unit: 'courses', isEstimate: false });
  const pieces = Readable.from(buildPieces(order, tally, reportProgress), {
    objectMode: true,
    highWaterMark: 2,
  });
  try {
    await pipeline(pieces, stdout);
  } finally {
    display.end();
  }
  if (order.shouldPrintSummary) stderr.write(`${tally.lines().join('\n')}\n`);
};

/** Equal options produce equal bytes. @returns exit status: 2 for wrong usage */
export const runSynthesis = async (command: SynthesisProcess): Promise<number> => {
  try {
    await synthesize(command);
  } catch (error) {
    if (error instanceof WrongUsage) {
      command.stderr.write(`${error.message}\n`);
      return EXIT_STATUS.wrongUsage;
    }
    // The reader has closed the pipe, as in `synthesize … | head`.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
  return EXIT_STATUS.done;
};

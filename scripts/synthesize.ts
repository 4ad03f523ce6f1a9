import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { showProgress } from './show-progress.ts';
import {
  readCommandLine,
  type SynthesisOrder,
  USAGE,
  WrongUsage,
} from './synthesis/command-line.ts';
import { newTally, type Tally } from './synthesis/summary.ts';
import { batchBundles, singleBundles } from './synthesis/written-submissions.ts';

/**
 * Prints made-up BFDR Bundles for demonstrations, load and tests, one a line. The same options give
 * the same bytes. Exit code 2 for wrong usage.
 */

// Lines are joined into pieces of this many characters: a write each would be slow.
const PIECE_CHARACTERS = 256 * 1024;

function* piecesOf(
  { plan, batchSize }: SynthesisOrder,
  tally: Tally,
  begun: (courses: number) => void,
): Generator<string, void> {
  const bundles = batchSize === null ? singleBundles(plan) : batchBundles(plan, batchSize);
  let piece = '';
  let courses = 0;
  for (const { bundle, submissions } of bundles) {
    for (const submission of submissions) {
      tally.add(submission);
      if (submission.kind === 'birth') courses += 1;
    }
    piece += `${JSON.stringify(bundle)}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    begun(courses);
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const main = async (): Promise<void> => {
  const order = readCommandLine(process.argv.slice(2));
  if (order === null) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const tally = newTally();
  // The Bundles themselves are on the terminal, then.
  const shown = showProgress(process.stderr, order.isQuiet || process.stdout.isTTY);
  // Waits for a slow reader, so that memory stays flat.
  const total = order.plan.courses;
  const begun = (done: number) =>
    shown.progress({ work: 'Generating', done, total, unit: 'courses', isEstimate: false });
  const pieces = Readable.from(piecesOf(order, tally, begun), {
    objectMode: true,
    highWaterMark: 2,
  });
  try {
    await pipeline(pieces, process.stdout);
  } finally {
    shown.end();
  }
  if (order.isSummaryWanted) process.stderr.write(`${tally.lines().join('\n')}\n`);
};

main().catch((error: unknown) => {
  if (error instanceof WrongUsage) {
    process.stderr.write(`${error.message}\n\n${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  // The reader has enough, as in `synthesize … | head`.
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
  throw error;
});

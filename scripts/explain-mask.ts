import { readFile } from 'node:fs/promises';
import { RequestProblem } from '../api/http/request-problem.ts';
import { formatFault } from '../api/operator/fault-messages.ts';
import { parseBundle } from '../api/push/parse-bundle.ts';
import { splitSubmission } from '../domain/intake/bfdr/bundle-splitter.ts';
import { mapCourse } from '../domain/intake/bfdr/course-mapper.ts';
import { explainMask } from './mask-notes.ts';

/**
 * Prints which fields of a Bundle a partner feed key stores, and why. Omits values, so that the
 * output can be shared.
 */

const USAGE = 'Usage: npm run --silent explain-mask -- FILE.json';
const COLUMN = 34;

const explain = async (file: string): Promise<void> => {
  const submission = splitSubmission(parseBundle(await readFile(file)));
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (submission.kind === 'refused') {
    say(`Bundle: rejected. ${submission.rejection.diagnostics}`);
    return;
  }
  for (const submitted of submission.courses) {
    const mapped = mapCourse(submitted, 'partner', []);
    say(`record[${mapped.position}]`);
    if (mapped.kind === 'retraction') say('  a retraction: nothing of it is stored but the fact');
    if (mapped.kind === 'rejected')
      for (const { diagnostics } of mapped.rejections) say(`  rejected: ${diagnostics}`);
    if (mapped.kind !== 'course') continue;
    for (const { field, index, outcome, why } of explainMask(mapped.course)) {
      if (outcome === 'empty') continue;
      const name = index === null ? field : `${field} [${index}]`;
      say(`  ${name.padEnd(COLUMN)} ${outcome.padEnd(8)} ${why}`);
    }
    for (const [position, { role }] of mapped.providers.entries())
      say(
        `  ${`provider [${position}]`.padEnd(COLUMN)} kept     identity, NPI, name, credentials; role ${role}`,
      );
  }
};

const [file, ...others] = process.argv.slice(2);
if (file === undefined || others.length > 0) {
  process.stderr.write(`One file is explained at a time. ${USAGE}\n`);
  process.exitCode = 2;
} else
  explain(file).catch((error: unknown) => {
    process.stderr.write(
      error instanceof RequestProblem
        ? `${error.diagnostics}\n`
        : `Nothing was explained. ${formatFault(error)}\n`,
    );
    process.exitCode = error instanceof RequestProblem ? 1 : 2;
  });

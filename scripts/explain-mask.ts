import { RequestProblem } from '../api/http/request-problem.ts';
import { formatFault } from '../api/operator/fault-messages.ts';
import { parseBundle } from '../api/reading/parse-bundle.ts';
import { splitSubmission } from '../domain/intake/bfdr/bundle-splitter.ts';
import { mapCourse } from '../domain/intake/bfdr/course-mapper.ts';
import { createProgram } from './create-program.ts';
import { explainMask } from './mask-notes.ts';
import { readBundleFile } from './read-bundle-file.ts';
import { WrongUsage } from './wrong-usage.ts';

/**
 * Prints which fields of a Bundle a partner feed key stores, and why. Omits values, so that the
 * output can be shared.
 */

const COLUMN = 34;

const explain = async (file: string): Promise<void> => {
  const submission = splitSubmission(parseBundle(await readBundleFile(file)));
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

const main = async (): Promise<void> => {
  const program = createProgram('npm run --silent explain-mask --')
    .usage('FILE.json')
    .description('Prints which fields of a Bundle a partner feed key stores, and why.')
    .argument('<FILE.json>')
    .parse();
  await explain(program.processedArgs[0]);
};

main().catch((error: unknown) => {
  const isSaid = error instanceof WrongUsage;
  process.stderr.write(
    error instanceof RequestProblem
      ? `${error.diagnostics}\n`
      : `${isSaid ? error.message : `Nothing was explained. ${formatFault(error)}`}\n`,
  );
  process.exitCode = error instanceof RequestProblem ? 1 : 2;
});

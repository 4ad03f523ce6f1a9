import { formatFault } from '../../api/app/fault-messages.ts';
import { RequestProblem } from '../../api/http/request-problem.ts';
import { parseBundle } from '../../api/reading/parse-bundle.ts';
import { splitSubmission } from '../../domain/mapping/bfdr/bundle-splitter.ts';
import { mapCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import { createProgram } from '../create-program.ts';
import { EXIT_STATUS } from '../exit-status.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { explainMask } from './mask-notes.ts';
import type { OfflineProcess } from './offline-process.ts';
import { readBundleFile } from './read-bundle-file.ts';

const COLUMN = 34;

const explain = async ({ args, stdout }: OfflineProcess): Promise<void> => {
  const program = createProgram('npm run --silent explain-mask --')
    .usage('FILE.json')
    .description('Prints which fields of a Bundle a partner feed key stores, and why.')
    .argument('<FILE.json>')
    .parse(args, { from: 'user' });
  const submission = splitSubmission(parseBundle(await readBundleFile(program.processedArgs[0])));
  const say = (line: string) => stdout.write(`${line}\n`);
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

/**
 * Omits values, so that the output can be shared.
 * @returns exit status: 1 if refused, 2 for wrong usage
 */
export const explainMaskOfBundle = async (command: OfflineProcess): Promise<number> => {
  try {
    await explain(command);
    return EXIT_STATUS.done;
  } catch (error) {
    if (error instanceof RequestProblem) {
      command.stderr.write(`${error.diagnostics}\n`);
      return EXIT_STATUS.notDone;
    }
    const isUsage = error instanceof WrongUsage;
    command.stderr.write(
      `${isUsage ? error.message : `Nothing was explained. ${formatFault(error)}`}\n`,
    );
    return EXIT_STATUS.wrongUsage;
  }
};

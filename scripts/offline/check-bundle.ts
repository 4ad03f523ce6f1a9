import { formatFault } from '../../api/app/fault-messages.ts';
import { RequestProblem } from '../../api/http/request-problem.ts';
import { createPreview } from '../../api/push/preview-submission.ts';
import { parseBundle } from '../../api/reading/parse-bundle.ts';
import { readSettings } from '../../api/settings/settings.ts';
import { createProgram } from '../create-program.ts';
import { EXIT_STATUS } from '../exit-status.ts';
import { WrongUsage } from '../wrong-usage.ts';
import type { OfflineProcess } from './offline-process.ts';
import { readBundleFile } from './read-bundle-file.ts';

const check = async ({ args, stdout }: OfflineProcess): Promise<number> => {
  const program = createProgram('npm run --silent check-bundle --')
    .usage('FILE.json [--partner]')
    .description(
      "Prints the registry's answer to a Bundle, record by record, without storing or sending anything.",
    )
    .argument('<FILE.json>')
    .option('--partner', 'answers as to the key of a partner')
    .parse(args, { from: 'user' });
  const { baseUrl } = readSettings(process.env);
  const bundle = parseBundle(await readBundleFile(program.processedArgs[0]));
  const submit = createPreview(program.opts().partner === true ? 'partner' : 'native', baseUrl);
  const preview = submit(bundle, new Date().toISOString());
  stdout.write(`${JSON.stringify(preview, null, 2)}\n`);
  return preview.rejected.length === 0 ? EXIT_STATUS.done : EXIT_STATUS.notDone;
};

/**
 * Prints the registry's answer to a Bundle, record by record, without storing or sending anything.
 * @returns exit status: 1 if anything would be rejected, 2 for wrong usage or any other fault
 */
export const checkBundle = async (command: OfflineProcess): Promise<number> => {
  try {
    return await check(command);
  } catch (error) {
    if (error instanceof RequestProblem) {
      command.stderr.write(`The registry would answer ${error.status}. ${error.diagnostics}\n`);
      return EXIT_STATUS.notDone;
    }
    const isUsage = error instanceof WrongUsage;
    command.stderr.write(
      `${isUsage ? error.message : `Nothing was checked. ${formatFault(error)}`}\n`,
    );
    return EXIT_STATUS.wrongUsage;
  }
};

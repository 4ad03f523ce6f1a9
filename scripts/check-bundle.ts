import { RequestProblem } from '../api/http/request-problem.ts';
import { formatFault } from '../api/operator/fault-messages.ts';
import { createPreview } from '../api/push/preview-submission.ts';
import { parseBundle } from '../api/reading/parse-bundle.ts';
import { readSettings } from '../api/settings/settings.ts';
import { createProgram } from './create-program.ts';
import { EXIT_STATUS } from './exit-status.ts';
import { readBundleFile } from './read-bundle-file.ts';
import { WrongUsage } from './wrong-usage.ts';

/**
 * Prints the registry's answer to a Bundle, record by record, without storing or sending anything.
 * Exit code 1 if anything would be rejected, 2 for wrong usage.
 */

const check = async (file: string, isPartner: boolean): Promise<number> => {
  const { baseUrl } = readSettings(process.env);
  const bundle = parseBundle(await readBundleFile(file));
  const submit = createPreview(isPartner ? 'partner' : 'native', baseUrl);
  const preview = submit(bundle, new Date().toISOString());
  process.stdout.write(`${JSON.stringify(preview, null, 2)}\n`);
  return preview.rejected.length === 0 ? 0 : 1;
};

const main = async (): Promise<number> => {
  const program = createProgram('npm run --silent check-bundle --')
    .usage('FILE.json [--partner]')
    .description(
      "Prints the registry's answer to a Bundle, record by record, without storing or sending anything.",
    )
    .argument('<FILE.json>')
    .option('--partner', 'answers as to the key of a partner')
    .parse();
  return check(program.processedArgs[0], program.opts().partner === true);
};

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    if (error instanceof RequestProblem) {
      process.stderr.write(`The registry would answer ${error.status}. ${error.diagnostics}\n`);
      process.exitCode = 1;
      return;
    }
    const isUsage = error instanceof WrongUsage;
    process.stderr.write(
      `${isUsage ? error.message : `Nothing was checked. ${formatFault(error)}`}\n`,
    );
    process.exitCode = EXIT_STATUS.wrongUsage;
  },
);

import { readFile } from 'node:fs/promises';
import { RequestProblem } from '../api/http/request-problem.ts';
import { formatFault } from '../api/operator/fault-messages.ts';
import { parseBundle } from '../api/push/parse-bundle.ts';
import { createPreview } from '../api/push/preview-submission.ts';
import { readSettings } from '../api/settings/settings.ts';
import { EXIT_STATUS } from './exit-status.ts';

/**
 * Prints the registry's answer to a Bundle, record by record, without storing or sending anything.
 * Exit code 1 if anything would be rejected, 2 for wrong usage.
 */

const USAGE = 'Usage: npm run --silent check-bundle -- FILE.json [--partner]';

const check = async (file: string, isPartner: boolean): Promise<number> => {
  const { baseUrl } = readSettings(process.env);
  const bundle = parseBundle(await readFile(file));
  const submit = createPreview(isPartner ? 'partner' : 'native', baseUrl);
  const preview = submit(bundle, new Date().toISOString());
  process.stdout.write(`${JSON.stringify(preview, null, 2)}\n`);
  return preview.rejected.length === 0 ? 0 : 1;
};

const main = async (): Promise<number> => {
  const order = orderIn(process.argv.slice(2));
  if (order !== null) return check(order.file, order.isPartner);
  process.stderr.write(`One file is checked at a time. ${USAGE}\n`);
  return EXIT_STATUS.wrongUsage;
};

/** Parses the arguments; `null` for wrong usage. */
const orderIn = (args: string[]): { readonly file: string; readonly isPartner: boolean } | null => {
  const isPartner = args.includes('--partner');
  const [file, ...others] = args.filter((arg) => arg !== '--partner');
  return file === undefined || file.startsWith('-') || others.length > 0
    ? null
    : { file, isPartner };
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
    process.stderr.write(`Nothing was checked. ${formatFault(error)}\n`);
    process.exitCode = EXIT_STATUS.wrongUsage;
  },
);

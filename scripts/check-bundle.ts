import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readSettings } from '../api/composition/settings.ts';
import { RequestProblem } from '../api/http/request-problem.ts';
import { parseBundle } from '../api/push/parse-bundle.ts';
import { previewSubmission } from '../api/push/preview-submission.ts';

/**
 * Prints what the registry would answer to a Bundle, record by record, without storing or sending
 * anything. Exit code 1 when anything would be rejected, 2 for wrong usage.
 */

const USAGE = 'Usage: npm run --silent check-bundle -- FILE.json [--partner]';

const check = async (file: string, isPartner: boolean): Promise<number> => {
  const { baseUrl } = readSettings(process.env);
  const bundle = parseBundle(await readFile(file));
  const preview = previewSubmission(bundle, isPartner ? 'partner' : 'native', [
    `${baseUrl}/fhir/CodeSystem/registry`,
  ]);
  process.stdout.write(`${JSON.stringify(preview, null, 2)}\n`);
  return preview.rejected.length === 0 ? 0 : 1;
};

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    options: { partner: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new TypeError(USAGE);
  return check(file, values.partner === true);
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
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    process.stderr.write(isMissing ? `There is no such file.\n${USAGE}\n` : `${USAGE}\n`);
    process.exitCode = 2;
  },
);

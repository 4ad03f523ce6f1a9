import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What nobody may find where people look who run the service, and what it is called there. */
type Secrets = Readonly<Record<string, string | RegExp>>;

/** What the load submits, whichever of its parts: names, chart numbers, those who attend. */
const SUBMITTED: Secrets = {
  'a given name': /\b(?:Rosa|Elena|Luz)\b/,
  'a family name': /\b(?:Entered|Imported|Attendant)\s?\d/,
  'a chart number': /\b(?:P\d|[EFIR])-\d{1,9}\b/,
};

/**
 * Looks through what the service says to those who run it: its logs, that of Postgres, its metrics.
 * @param secrets tokens and passwords that the load has used
 * @returns where one stands, a line each; the value itself is not told
 */
export const leaks = async (
  dataDir: string,
  metricsUrl: string,
  secrets: Readonly<Record<string, string>>,
): Promise<readonly string[]> => {
  const texts = new Map([['/metrics', await fetch(metricsUrl).then((answer) => answer.text())]]);
  for (const file of await readdir(dataDir))
    if (file.endsWith('.log')) texts.set(file, await readFile(join(dataDir, file), 'utf8'));
  return [...texts].flatMap(([where, text]) =>
    Object.entries({ ...SUBMITTED, ...secrets })
      .filter(([, secret]) =>
        typeof secret === 'string' ? text.includes(secret) : secret.test(text),
      )
      .map(([what]) => `${where} tells ${what}.`),
  );
};

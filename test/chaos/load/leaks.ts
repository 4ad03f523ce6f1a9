import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What logs and metrics must not hold, by what it is called in a fault. */
type Secrets = Readonly<Record<string, string | RegExp>>;

/** What any part of the load submits: names, chart numbers, attendants. */
const SUBMITTED: Secrets = {
  'a given name': /\b(?:Rosa|Elena|Luz)\b/,
  'a family name': /\b(?:Entered|Imported|Attendant)\s?\d/,
  'a chart number': /\b(?:P\d|[EFIR])-\d{1,9}\b/,
};

/**
 * Looks through what operators of the service read: its logs, that of Postgres, its metrics.
 * @param secrets tokens and passwords that the load has used
 * @returns where one stands, a line each, without the value itself
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

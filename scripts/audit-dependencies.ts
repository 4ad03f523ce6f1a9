import { runNpm } from './supply/run-npm.ts';

/**
 * Asks the npm registry for advisories about production dependencies. Exit codes: 0 for none high
 * or critical, 1 for some, 2 if the registry did not answer.
 */

type Advisories = Readonly<Record<string, { readonly severity?: string }>>;

const GRAVE: ReadonlySet<string> = new Set(['high', 'critical']);

/**
 * Parses the output of `npm audit --json`; `null` if it is not an audit report. The exit code does
 * not distinguish an advisory from a registry failure: both are 1.
 * @see https://docs.npmjs.com/cli/commands/npm-audit
 */
const advisoriesIn = (stdout: string): Advisories | null => {
  try {
    const { auditReportVersion, vulnerabilities } = JSON.parse(stdout) as {
      readonly auditReportVersion?: unknown;
      readonly vulnerabilities?: Advisories;
    };
    return auditReportVersion === 2 && vulnerabilities !== undefined ? vulnerabilities : null;
  } catch {
    return null;
  }
};

const { stdout } = await runNpm(['audit', '--omit=dev', '--audit-level=high', '--json']);
const advisories = advisoriesIn(stdout);
const grave = Object.entries(advisories ?? {})
  .filter(([, { severity }]) => severity !== undefined && GRAVE.has(severity))
  .map(([name, { severity }]) => `${name} (${severity})`);
if (advisories === null) {
  process.stdout.write('The registry gave no answer about advisories: this says nothing.\n');
  process.exitCode = 2;
} else if (grave.length > 0) {
  process.stdout.write(`There are advisories: ${grave.join(', ')}.\n`);
  process.stdout.write('See npm audit --omit=dev.\n');
  process.exitCode = 1;
} else process.stdout.write('No high or critical advisory about what the service runs with.\n');

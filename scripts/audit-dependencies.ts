import { runNpm } from './supply/run-npm.ts';

/**
 * Asks the registry for advisories about what the service runs with. Exit code 0: there is none that
 * is high or critical; 1: there is; 2: the registry gave no answer.
 */

type Advisories = Readonly<Record<string, { readonly severity?: string }>>;

const GRAVE: ReadonlySet<string> = new Set(['high', 'critical']);

/**
 * Reads what `npm audit --json` printed; null: not the report of an audit. Its exit code does not
 * tell an advisory from a registry that gave no answer: both are 1.
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

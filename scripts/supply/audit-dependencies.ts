import { runNpm } from './run-npm.ts';

type Advisories = Readonly<Record<string, { readonly severity?: string }>>;

const GRAVE: ReadonlySet<string> = new Set(['high', 'critical']);

/**
 * `null` if it is not an audit report: npm exits with 1 for an advisory and for a registry failure.
 * @see https://docs.npmjs.com/cli/commands/npm-audit
 */
const parseAdvisories = (stdout: string): Advisories | null => {
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

/**
 * @returns exit status: 0 for none high or critical, 1 for some, 2 if the registry did not answer
 */
export const auditDependencies = async (
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<number> => {
  const { stdout } = await runNpm(
    ['audit', '--omit=dev', '--audit-level=high', '--json'],
    environment,
  );
  const advisories = parseAdvisories(stdout);
  if (advisories === null) {
    say('The registry gave no answer about advisories: this says nothing.');
    return 2;
  }
  const grave = Object.entries(advisories)
    .filter(([, { severity }]) => severity !== undefined && GRAVE.has(severity))
    .map(([name, { severity }]) => `${name} (${severity})`);
  if (grave.length > 0) {
    say(`There are advisories: ${grave.join(', ')}.`);
    say('See npm audit --omit=dev.');
    return 1;
  }
  say('No high or critical advisory about what the service runs with.');
  return 0;
};

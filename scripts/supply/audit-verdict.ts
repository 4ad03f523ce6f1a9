/** What the registry's advisories say about the locked packages. */
export type AuditVerdict =
  | { readonly kind: 'clean' }
  /** `packages` have an advisory of the named severities. */
  | { readonly kind: 'vulnerable'; readonly packages: readonly string[] }
  /** Nobody knows. */
  | { readonly kind: 'unreachable' };

const GRAVE: ReadonlySet<string> = new Set(['high', 'critical']);

/**
 * Reads what `npm audit --json` printed. Its exit code does not tell an advisory from a registry that
 * gave no answer: both are 1.
 * @see https://docs.npmjs.com/cli/commands/npm-audit
 */
export const auditVerdictOf = (stdout: string): AuditVerdict => {
  const found = reported(stdout);
  if (found === null) return { kind: 'unreachable' };
  const packages = Object.entries(found)
    .filter(([, { severity }]) => severity !== undefined && GRAVE.has(severity))
    .map(([name, { severity }]) => `${name} (${severity})`);
  return packages.length === 0 ? { kind: 'clean' } : { kind: 'vulnerable', packages };
};

type Found = Readonly<Record<string, { readonly severity?: string }>>;

/** Null: not the report of an audit. */
const reported = (stdout: string): Found | null => {
  try {
    const { auditReportVersion, vulnerabilities } = JSON.parse(stdout) as {
      readonly auditReportVersion?: unknown;
      readonly vulnerabilities?: Found;
    };
    return auditReportVersion === 2 && vulnerabilities !== undefined ? vulnerabilities : null;
  } catch {
    return null;
  }
};

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from './contract-changes.ts';

const CLI = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
const CONFIG = fileURLToPath(new URL('../checks/redocly.yaml', import.meta.url));
/** Redocly otherwise reports each run to its vendor, and checks for updates. */
const ALONE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const MAX_PROBLEMS = 1_000;

interface LintProblem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

/** One per line: rule, place, remedy. @throws Error if the linter fails */
export const lintContract = (contract: Contract): readonly string[] => {
  const directory = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    const file = join(directory, 'openapi.json');
    writeFileSync(file, JSON.stringify(contract));
    const options = ['--config', CONFIG, '--format', 'json', '--max-problems', `${MAX_PROBLEMS}`];
    const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'lint', file, ...options], {
      encoding: 'utf8',
      env: { ...process.env, ...ALONE },
    });
    if (!stdout.startsWith('{')) throw new Error(`The contract was not linted: ${stderr}`);
    const { problems } = JSON.parse(stdout) as { readonly problems: readonly LintProblem[] };
    return problems.map(
      ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
};

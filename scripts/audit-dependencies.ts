import { auditVerdictOf } from './supply/audit-verdict.ts';
import { runNpm } from './supply/run-npm.ts';

/**
 * Asks the registry for advisories about what the service runs with. Exit code 0: there is none that
 * is high or critical; 1: there is; 2: the registry gave no answer, so nobody knows.
 */

const { stdout } = await runNpm(['audit', '--omit=dev', '--audit-level=high', '--json']);
const verdict = auditVerdictOf(stdout);
switch (verdict.kind) {
  case 'clean':
    process.stdout.write('No high or critical advisory about what the service runs with.\n');
    break;
  case 'vulnerable':
    process.stdout.write(`There are advisories: ${verdict.packages.join(', ')}.\n`);
    process.stdout.write('See npm audit --omit=dev.\n');
    process.exitCode = 1;
    break;
  case 'unreachable':
    process.stdout.write('The registry gave no answer about advisories: this says nothing.\n');
    process.exitCode = 2;
    break;
}

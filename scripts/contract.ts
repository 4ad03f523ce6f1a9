import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../api/openapi/document.ts';
import { type Contract, contractChanges, notAnnounced } from './contract/contract-changes.ts';
import { lintContract } from './contract/contract-lint.ts';
import { createProgram } from './create-program.ts';

/**
 * Exits with 1 if the linter finds problems, or the changelog does not announce a breaking change.
 * `--release` also saves the document as the released one.
 * @see spec "Versioning"
 */

const RELEASED = fileURLToPath(new URL('../docs/contract/openapi.json', import.meta.url));
const CHANGELOG = fileURLToPath(new URL('../CHANGELOG.md', import.meta.url));
/** Placeholder for the address of a deployment. */
const BASE_URL = 'https://registry.example';

const { release } = createProgram('npm run check:contract --')
  .description('Lints the OpenAPI document, and prints its differences from the last release.')
  .option('--release', 'saves the document as the released one, unless there are problems')
  .parse()
  .opts();
const current = JSON.parse(JSON.stringify(openApiDocument(BASE_URL))) as Contract;
const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as Contract;

const problems = lintContract(current);
for (const problem of problems) console.error(problem);
const changes = await contractChanges(released, current);
for (const { operation, what, isBreaking } of changes)
  console.log(`${isBreaking ? 'breaking' : 'additive'}  ${operation}: ${what}`);
const silent = notAnnounced(changes, readFileSync(CHANGELOG, 'utf8'));
if (problems.length > 0) process.exitCode = 1;
else if (silent.length > 0) {
  const operations = [...new Set(silent.map(({ operation }) => operation))].join(', ');
  console.error(
    `${operations}: this breaks clients of the last release. Keep what was there, or announce it in CHANGELOG.md under "### Breaking" of the unreleased version, naming the operation.`,
  );
  process.exitCode = 1;
} else if (release) {
  writeFileSync(RELEASED, `${JSON.stringify(current, null, 2)}\n`);
  console.log('Kept as the released contract.');
} else console.log('Nothing breaks clients of the last release.');

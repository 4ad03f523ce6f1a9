import { readFileSync } from 'node:fs';
import { type AllowScripts, type Lockfile, lockfileProblems } from './lockfile-problems.ts';

/** Exits with 1 if there are problems. */

const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly allowScripts?: AllowScripts;
};
const problems = lockfileProblems(
  JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile,
  packageJson.allowScripts ?? {},
  ['README.md', 'docs/supply.md'].map((file) => readFileSync(file, 'utf8')),
);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Counts, compareCounts, countHouse } from './house-counts.ts';

/**
 * Checks the spelling of finished folders, and counts disliked words in code and documents. The
 * counts in house.json may only fall: a higher one fails, as does a lower one that is not saved,
 * because it could grow again. `--save` saves them.
 */

const COUNTS = fileURLToPath(new URL('house.json', import.meta.url));
const FOLDERS = ['domain', 'projections', 'transparency-log', 'adapters', 'api', 'scripts', 'docs'];

const files = [
  ...readdirSync('.').filter((file) => file.endsWith('.md')),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ),
];
const { done, counts } = JSON.parse(readFileSync(COUNTS, 'utf8')) as {
  readonly done: readonly string[];
  readonly counts: Counts;
};
const today = countHouse(
  files.filter((file) => /\.(?:tsx?|[mc]js|md)$/.test(file)),
  (file) => readFileSync(file, 'utf8'),
  done,
);
if (process.argv.includes('--save')) {
  writeFileSync(COUNTS, `${JSON.stringify({ done, counts: today }, null, 2)}\n`);
} else {
  const cspell = [
    'node_modules/cspell/bin.mjs',
    'lint',
    '--config',
    'scripts/checks/cspell.config.cjs',
  ];
  const covered = done.map((folder) => `${folder}/**`);
  const { status } = spawnSync(
    process.execPath,
    [...cspell, '--no-progress', '--quiet', ...covered],
    {
      stdio: 'inherit',
    },
  );
  const differences = compareCounts(counts, today);
  for (const difference of differences) process.stderr.write(`${difference}\n`);
  process.exitCode = status === 0 && differences.length === 0 ? 0 : 1;
}

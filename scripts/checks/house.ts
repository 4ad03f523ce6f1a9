import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Counts, countHouse, findGrowth } from './house-counts.ts';

/** Counts in house.json may only fall. `--save` saves them. */

const COUNTS = fileURLToPath(new URL('house.json', import.meta.url));
const FOLDERS = ['domain', 'projections', 'transparency-log', 'adapters', 'api', 'scripts', 'docs'];

const files = [
  ...readdirSync('.').filter((file) => file.endsWith('.md')),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ),
].filter((file) => /\.(?:tsx?|[mc]js|md|yaml)$/.test(file));
const counts = countHouse(files, (file) => readFileSync(file, 'utf8'));

if (process.argv.includes('--save')) {
  writeFileSync(COUNTS, `${JSON.stringify(counts, null, 2)}\n`);
} else {
  const cspell = [
    'node_modules/cspell/bin.mjs',
    'lint',
    '--config',
    'scripts/checks/cspell.config.cjs',
    '--no-progress',
    '--quiet',
  ];
  const { status } = spawnSync(
    process.execPath,
    [...cspell, ...FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mjs,cjs,css,md,yaml}`), '*.md'],
    {
      stdio: 'inherit',
    },
  );
  const growth = findGrowth(JSON.parse(readFileSync(COUNTS, 'utf8')) as Counts, counts);
  for (const line of growth) process.stderr.write(`${line}\n`);
  process.exitCode = status === 0 && growth.length === 0 ? 0 : 1;
}

import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fillInCapacity } from '../../scripts/capacity/fill-in-capacity.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const DOCUMENT = read('docs/capacity.md');
const PERFORMANCE = read('docs/performance.md');

test('docs/capacity.md is computed from docs/performance.md (npm run capacity)', () => {
  assert.fixture(DOCUMENT, fillInCapacity(DOCUMENT, PERFORMANCE));
});

test('each of the seven measured inputs names its figure', () => {
  const measured = [...DOCUMENT.matchAll(/^\| `([A-Z0-9_]+)` \|.*: "[^"]+"/gm)];
  assert.equal(
    measured.map(([, name]) => name),
    ['E2E', 'E2E_BATCH', 'E2E_COMPLETE', 'INTAKE', 'REBUILD', 'LOG_BYTES', 'TABLE_BYTES'],
  );
});

for (const [what, document, performance, error] of [
  [
    'a figure that is measured anew changes what follows from it',
    DOCUMENT,
    PERFORMANCE.replace(/(\| rebuild,.*ours\/s )\d+/, (_, head) => `${head}4745`),
    null,
  ],
  [
    'a row without a formula is a fault',
    `${DOCUMENT}| storks/s | 1 | 2 |\n`,
    PERFORMANCE,
    /no formula for "storks\/s"/,
  ],
  [
    'a figure that is gone is a fault',
    DOCUMENT,
    PERFORMANCE.replace('| storage per record, log |', '| storage, log |'),
    /no "storage per record, log"/,
  ],
] as const)
  test(what, () => {
    if (error !== null) assert.throws(() => fillInCapacity(document, performance), error);
    else assert.is.not(fillInCapacity(document, performance), DOCUMENT);
  });

test.run();

import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listOwnFrames } from '../../../api/process/own-frames.ts';
import { buildService } from '../../../scripts/build-service.ts';

const ROOT = new URL('../../../', import.meta.url);
const stackOf = (...frames: readonly string[]): string =>
  ['Error: Ines (secret.ts:1:2)', ...frames.map((frame) => `    at ${frame}`)].join('\n');

const lines = {
  sources: ['adapters/postgres/leases/leases.ts', 'api/app/create-app.ts'],
  runs: {
    'chunk-A.js': [
      [1, -1, 0],
      [10, 0, 63],
      [14, 1, 5],
      [20, -1, 0],
    ],
  },
} as const;

const table: Readonly<Record<string, readonly [frame: string, own: readonly string[]]>> = {
  'a line of a source, with what was called': [
    'async take (file:///srv/dist/scripts/chunk-A.js:12:7)',
    ['async take (leases/leases.ts:65)'],
  ],
  'a line of the next source, called by nobody': [
    'file:///srv/dist/scripts/chunk-A.js:14:1',
    ['app/create-app.ts:5'],
  ],
  'a package in the same file': ['parse (file:///srv/dist/scripts/chunk-A.js:25:3)', []],
  'a package apart': ['hash (/srv/node_modules/@node-rs/argon2/index.js:3:4)', []],
  'Node itself': ['process.processTicksAndRejections (node:internal/process/task_queues:95:5)', []],
  'a source that is not bundled': [
    'write (file:///srv/adapters/postgres/leases/leases.ts:8:9)',
    ['write (leases/leases.ts:8:9)'],
  ],
};

const frames = suite('frames of our own');

for (const [what, [frame, own]] of Object.entries(table))
  frames(what, () => {
    assert.equal(listOwnFrames(stackOf(frame), lines), own);
  });

frames('a line of the built service is named as it stands in its source', () => {
  buildService('ignore');
  const built = new URL('dist/scripts/', ROOT);
  const known = JSON.parse(readFileSync(new URL('lines.json', built), 'utf8'));
  const source = readFileSync(new URL('scripts/serve.ts', ROOT), 'utf8').split('\n');
  const bundled = readFileSync(new URL('serve.js', built), 'utf8').split('\n');
  const words = 'The service did not stop in time';
  const lineOf = (text: readonly string[]) => text.findIndex((line) => line.includes(words)) + 1;
  const stack = stackOf(`stop (${new URL('serve.js', built).href}:${lineOf(bundled)}:9)`);
  assert.equal(listOwnFrames(stack, known), [`stop (scripts/serve.ts:${lineOf(source)})`]);
});

frames.run();

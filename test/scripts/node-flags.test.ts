import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMAND_FLAGS, SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../scripts/node-flags.ts';

const test = suite('scripts: flags of Node');

const { scripts } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { readonly scripts: Readonly<Record<string, string>> };

const environment = Object.entries(SERVICE_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);

for (const [script, ...command] of [
  ['start', 'env', ...environment, 'node', ...SERVICE_FLAGS],
  ['demo', 'env', ...environment, 'node', ...SERVICE_FLAGS],
  ['operator', 'node', ...COMMAND_FLAGS],
] as const)
  test(`what is measured runs as npm runs it: ${script}`, () => {
    assert.is(scripts[script]?.split(' scripts/')[0], ['exec', ...command].join(' '));
  });

test('what is measured runs as npx runs it: birth-registry', () => {
  const bin = readFileSync(new URL('../../scripts/registry.mjs', import.meta.url), 'utf8');
  assert.is(bin.split('\n')[0], ['#!/usr/bin/env -S node', ...COMMAND_FLAGS].join(' '));
});

test.run();

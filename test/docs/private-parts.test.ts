import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const packages = suite('packages whose private parts are used');

const PAGES = [
  'adapters/eventstore/client-internals/README.md',
  'adapters/postgres/driver-internals/README.md',
];

for (const page of PAGES)
  packages(`${page} names the versions that are installed`, () => {
    const text = readFileSync(page, 'utf8');
    const checked = /Checked against ([^.]*(?:\.\d+[^.]*)*)\./.exec(text)?.[1] ?? '';
    const named = [...checked.matchAll(/`([^`]+)` ([\d.]+\d)/g)];
    assert.is(named.length, 2);
    for (const [, name, version] of named) {
      const installed = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
      assert.is(version, installed.version, `${name}: check it again, and say so in ${page}`);
    }
  });

packages.run();

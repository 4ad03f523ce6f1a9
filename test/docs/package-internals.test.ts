import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const packages = suite('packages whose internals are used');

const FOLDER = 'adapters/package-internals';
const text = readFileSync(`${FOLDER}/README.md`, 'utf8');
const readVersion = (file: string, name: string): string =>
  JSON.parse(readFileSync(file, 'utf8')).dependencies[name];

packages(
  'the page names the versions that are installed, and package.json asks for no other',
  () => {
    const checked = /Checked against ([^.]*(?:\.\d+[^.]*)*)\./.exec(text)?.[1] ?? '';
    const named = [...checked.matchAll(/`([^`]+)` ([\d.]+\d)/g)];
    assert.is(named.length, 4);
    for (const [, name = '', version] of named) {
      const installed = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
      assert.is(version, installed.version, `${name}: check it again, and say so on the page`);
      assert.is(version, readVersion('package.json', name), name);
    }
  },
);

packages('the page names every file that uses one', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/^.*\//, ''));
  assert.equal(
    files.filter((file) => !text.includes(file)),
    [],
  );
});

packages.run();

import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../scripts/build-service.ts';

// What answers no request starts without the packages that answer them: they take a tenth of a
// second of a processor, in every command.
const BUILT = new URL('../../../dist/scripts/', import.meta.url);
const IMPORTED =
  /\bfrom "\.\/([^"]+\.js)"|^import "\.\/([^"]+\.js)"|\bimport\("\.\/([^"]+\.js)"\)/gm;
/** Above each module of a bundle stands where it came from. */
const MODULE = /^(?:\/\/ |\s*")node_modules\/((?:@[^/]+\/)?[^/]+)\//gm;

/** The packages in a built script and all that it imports, also later. */
const packagesOf = (script: string): ReadonlySet<string> => {
  const packages = new Set<string>();
  const seen = new Set([script]);
  for (const file of seen) {
    const text = readFileSync(new URL(file, BUILT), 'utf8');
    for (const [, name = ''] of text.matchAll(MODULE)) packages.add(name);
    for (const [, from, bare, later] of text.matchAll(IMPORTED))
      seen.add(from ?? bare ?? later ?? script);
  }
  return packages;
};

const withoutTheWeb = suite('what answers no request');

withoutTheWeb.before(() => buildService('ignore'));

for (const script of ['serve-background.js', 'operator.js', 'node-process.js'])
  withoutTheWeb(`${script} loads no express`, () => {
    const packages = packagesOf(script);
    assert.ok(packages.has('pg'), 'it loads the stores');
    assert.equal(
      [...packages].filter((name) => /^(express|connect-|csrf-|helmet|body-parser)/.test(name)),
      [],
    );
  });

withoutTheWeb('the service does', () => {
  assert.ok(packagesOf('serve.js').has('express'));
});

withoutTheWeb.run();

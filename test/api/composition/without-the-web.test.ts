import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

// What answers no request starts without the packages that answer them: they take a tenth of a
// second of a processor, in every command.
const BUILT = new URL('../../../dist/api/composition/', import.meta.url);

/** The packages that a built module loads, of those that Node loads as CommonJS, as most are. */
const packagesOf = (module: string): readonly string[] => {
  const script = `import(process.argv[1]).then(() => {
    const files = Object.keys(require('node:module')._cache);
    console.log(JSON.stringify(files.map((file) => /node_modules\\/((@[^/]+\\/)?[^/]+)/.exec(file)?.[1])));
  })`;
  const url = new URL(module, BUILT).href;
  const printed = execFileSync(process.execPath, ['-e', script, url], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    encoding: 'utf8',
  });
  return [...new Set<string>(JSON.parse(printed))];
};

const withoutTheWeb = suite('what answers no request');

for (const module of ['run-background.js', 'commands.js'])
  withoutTheWeb(`${module} loads no express`, () => {
    const packages = packagesOf(module);
    assert.ok(packages.includes('pg'), 'it loads the stores');
    assert.equal(
      packages.filter((name) => /^(express|connect-|csrf-|helmet|body-parser)/.test(name)),
      [],
    );
  });

withoutTheWeb('the service does', () => {
  assert.ok(packagesOf('service.js').includes('express'));
});

withoutTheWeb.run();

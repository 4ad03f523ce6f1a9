import * as assert from 'uvu/assert';
import { answers, hostingSuite, isRunning, pidOf, startHostingProcess } from './support/hosting.ts';

const test = hostingSuite('embedded Postgres: hung postmaster', 'fresh');

test('a postmaster that answers nobody is replaced', async ({ host, dataDir }) => {
  const service = startHostingProcess(dataDir);
  await service.reported('url');
  const hung = pidOf(dataDir);
  await service.end('SIGKILL');
  process.kill(hung, 'SIGSTOP');
  const hosted = await host();
  assert.is.not(pidOf(dataDir), hung);
  assert.is(isRunning(hung), false);
  assert.is(await answers(hosted), true);
});

test.run();

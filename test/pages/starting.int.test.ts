import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { buildStartingPage } from '../../api/app/startup-handler.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

test('while the service starts, a page says so and the interface keeps its own answer', async () => {
  const directory = temporaryDirectory('starting');
  await copyFreshCluster(directory.path);
  const service = await startService(testSettings(directory.path), openServiceLog('silent'));
  for (const path of ['/', '/sign-in', '/registry/records?q=Marin']) {
    const answer = await fetch(`${service.url}${path}`);
    assert.is(answer.status, 503);
    assert.is(answer.headers.get('retry-after'), '1');
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    const html = await answer.text();
    assert.is(html, buildStartingPage(null));
    assert.not(html.includes('Marin'));
  }
  const other = await fetch(`${service.url}/registryx`);
  assert.match(other.headers.get('content-type') ?? '', /^application\/fhir\+json/);
  await service.started;
  assert.is((await fetch(`${service.url}/sign-in`)).status, 200);
  await service.stop();
  directory.remove();
});

test('a start knows whether anybody can sign in', async () => {
  const directory = temporaryDirectory('first-account');
  await copyFreshCluster(directory.path);
  const settings = testSettings(directory.path);
  const lacksAccounts = async (): Promise<boolean> => {
    const service = await startService(settings, openServiceLog('silent'));
    await service.started;
    const isLacking = await service.lacksAccounts();
    await service.stop();
    return isLacking;
  };
  assert.is(await lacksAccounts(), true);
  const commands = await openCommands(settings, openServiceLog('silent'));
  await commands.accounts.addStaff({ email: 'sam@registry.example', password: 'twelve chars' });
  await commands.close();
  assert.is(await lacksAccounts(), false);
  directory.remove();
});

test.run();

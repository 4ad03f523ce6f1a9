import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const ERROR = 50;

test('launches that are not set up are 503, and no stranger fills the log of faults by them', async () => {
  const directory = temporaryDirectory('not-set-up');
  await copyFreshCluster(directory.path);
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const serviceLog = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) });
  const service = await startService(testSettings(directory.path), serviceLog);
  await service.started;
  for (const path of ['/smart/launch?iss=x', '/smart/callback?code=x'])
    for (const accept of ['application/json', 'text/html']) {
      const { status, headers } = await fetch(service.url + path, { headers: { accept } });
      assert.equal([status, headers.get('retry-after')], [503, '300']);
    }
  await service.stop();
  directory.remove();
  assert.equal(
    lines.filter(({ level }) => level >= ERROR),
    [],
  );
  assert.is(lines.filter(({ msg }) => /^A request was refused/.test(msg)).length, 4);
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

test('while the service starts, launches say so: an OperationOutcome, or a page to people', async () => {
  const directory = temporaryDirectory('starting');
  await copyFreshCluster(directory.path);
  const service = await startService(testSettings(directory.path), openServiceLog('silent'));
  for (const path of ['/smart/launch?iss=x', '/smart/callback?code=x']) {
    const answer = await fetch(service.url + path);
    const page = await fetch(service.url + path, { headers: { Accept: 'text/html' } });
    assert.equal([answer.status, page.status], [503, 503]);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/fhir\+json/);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    for (const { headers } of [answer, page])
      assert.is(headers.get('x-ratelimit-limit'), path.includes('callback') ? '10' : '60');
  }
  await service.started;
  await service.stop();
  directory.remove();
});

test.run();

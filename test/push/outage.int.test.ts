import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { openCommands } from '../../api/composition/commands.ts';
import { startService } from '../../api/composition/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { freePort } from '../../scripts/throw-away/free-port.ts';
import { birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';
import { startTestPostgres } from '../support/postgres.ts';
import { relayTo } from '../support/relay.ts';
import { newPractice, post, receiptAt, testSettings } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const outage = suite('the log or the database away');

const BUNDLE = '/api/registry/fhir/Bundle';
const WITHIN_MS = 20_000;
const ANSWERED_MS = 15_000;

/** Posts until the service takes the Bundle again; every answer before is a 503. */
const acceptedInTheEnd = async (url: string, token: string, bundle: unknown): Promise<string> => {
  const until = performance.now() + WITHIN_MS;
  for (;;) {
    const response = await post(url, token, bundle);
    if (response.status === 202) return response.headers.get('content-location') ?? '';
    assert.is(response.status, 503);
    await response.arrayBuffer();
    if (performance.now() > until) throw new Error('The service did not recover.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

for (const [what, which, how] of [
  ['the event log is away', 'log', 'cut'],
  ['the event log hangs', 'log', 'freeze'],
  ['Postgres is away', 'database', 'cut'],
  ['Postgres hangs', 'database', 'freeze'],
] as const)
  outage(`${what}: 503 and no 202; when it is back, the service recovers`, async () => {
    const directory = temporaryDirectory('outage');
    const postgres = await startTestPostgres();
    const node = await hostEventStore({
      databaseUrl: postgres.url,
      dataDir: directory.path,
      holder: 'service',
      port: await freePort(),
    });
    const logRelay = await relayTo(node.port);
    const databaseRelay = await relayTo(Number(new URL(postgres.url).port));
    const databaseUrl = new URL(postgres.url);
    databaseUrl.port = String(databaseRelay.port);
    const settings = testSettings(directory.path, {
      DATABASE_URL: databaseUrl.href,
      EVENTSTORE_URL: `esdb://127.0.0.1:${logRelay.port}?tls=false`,
      REGISTRY_SECRET: 'a secret of thirty-two bytes or more',
    });
    const silent = openServiceLog('silent');
    const service = await startService(settings, silent);
    await service.started;
    const commands = await openCommands(settings, silent);
    const { practiceId, token } = await newPractice(commands);
    const first = await post(service.url, token, birthBundle({ chartNumber: 'O-1' }));
    assert.is(first.status, 202);

    const relay = which === 'log' ? logRelay : databaseRelay;
    await relay[how]();
    const asked = performance.now();
    const refused = await post(service.url, token, birthBundle({ chartNumber: 'O-2' }));
    assert.is(refused.status, 503);
    assert.ok(performance.now() - asked < ANSWERED_MS, 'nobody waits without end');
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    await checkContract(BUNDLE, 'post', refused);
    assert.is((await fetch(`${service.url}/health/ready`)).status, 503);
    assert.is((await fetch(`${service.url}/health/live`)).status, 200);

    await relay.mend();
    const address = await acceptedInTheEnd(
      service.url,
      token,
      birthBundle({ chartNumber: 'O-3', mother: { family: 'Osei' } }),
    );
    assert.is((await receiptAt(address, token, WITHIN_MS)).status, 'completed');
    const before = first.headers.get('content-location') ?? '';
    assert.is((await receiptAt(before, token, WITHIN_MS)).status, 'completed');
    // What a hung store has taken when it wakes up nobody can tell; one that was away took nothing.
    if (how === 'cut') assert.is((await commands.history(practiceId, 'O-2', null)).state, null);
    assert.is((await commands.history(practiceId, 'O-3', null)).state?.version, 1);
    assert.equal((await commands.verify()).problems, []);

    await commands.close();
    await service.stop();
    await Promise.all([logRelay.close(), databaseRelay.close()]);
    await node.stop();
    await postgres.stop();
    directory.remove();
  });

outage.run();

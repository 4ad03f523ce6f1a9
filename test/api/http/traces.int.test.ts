import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../../api/app/service.ts';
import { openCommands } from '../../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../../api/process/logging.ts';
import { openStores } from '../../../api/stores/stores.ts';
import { isKnown } from '../../../domain/event-log.ts';
import { ingestionStream } from '../../../domain/stream-names.ts';
import { copyStartedCluster } from '../../harness/postgres.ts';
import {
  newPractice,
  post,
  receiptAddress,
  receiptAt,
  testSettings,
} from '../../harness/service.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';
import { birthBundle } from '../../support/bundles.ts';

const traces = suite('traces of callers');

const PARENT = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';
const TRACED = { traceparent: `00-${PARENT}-01` };
const OF_PARENT = new RegExp(`^${PARENT}-[A-Za-z0-9_-]{21}$`);

traces('a traceparent leads from the answer to the events and to the log lines', async () => {
  const directory = temporaryDirectory('traces');
  await copyStartedCluster(directory.path);
  const settings = testSettings(directory.path);
  const lines: string[] = [];
  const kept = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(line.toString());
      done();
    },
  });
  const service = await startService(settings, pino({ level: 'error' }, kept));
  await service.started;
  const silent = openServiceLog('silent');
  const commands = await openCommands(settings, silent);
  const stores = await openStores(settings, 'command', silent);
  const { token } = await newPractice(commands);

  const pushed = await post(service.url, token, birthBundle(), TRACED);
  assert.is(pushed.status, 202);
  const correlationId = pushed.headers.get('x-correlation-id') ?? '';
  assert.match(correlationId, OF_PARENT);
  const address = receiptAddress(pushed);
  assert.is((await receiptAt(address, token)).status, 'completed');
  const events = await stores.log.readStream(ingestionStream(address.split('/').at(-1) ?? ''));
  assert.ok(events.length >= 2);
  for (const { metadata } of events.filter(isKnown))
    assert.is(metadata.correlationId, correlationId);

  // Where Express answers, and for a page.
  for (const path of ['/openapi.json', '/sign-in', '/api/registry/fhir/Bundle?_format=json']) {
    const answer = await fetch(`${service.url}${path}`, { headers: TRACED });
    assert.match(answer.headers.get('x-correlation-id') ?? '', OF_PARENT, path);
  }

  await sql`alter table app.submission rename to submission_away`.execute(stores.db);
  const failed = await post(service.url, token, birthBundle(), TRACED);
  await sql`alter table app.submission_away rename to submission`.execute(stores.db);
  assert.is(failed.status, 500);
  const logged = lines.map((line) => JSON.parse(line) as { readonly correlationId?: string });
  const failedId = failed.headers.get('x-correlation-id') ?? '';
  assert.match(failedId, OF_PARENT);
  assert.ok(logged.some((line) => line.correlationId === failedId));

  await stores.close();
  await commands.close();
  await service.stop();
  directory.remove();
});

traces.run();

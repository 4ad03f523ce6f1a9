import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostEventStore } from '../../adapters/embedded-eventstore/host.ts';
import { openEventLog } from '../../adapters/eventstore/event-log.ts';
import { startTestPostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const guard = suite('the guarded client');

const context = {
  ...{ correlationId: 'test', causationId: null },
  actor: { kind: 'service', id: 'test' },
} as const;

guard(
  'a client that goes away while another appends harms neither it nor the process',
  async () => {
    const postgres = await startTestPostgres();
    const directory = temporaryDirectory('guard');
    const node = await hostEventStore({
      ...{ databaseUrl: postgres.url, dataDir: directory.path, holder: 'service' },
    });
    const log = openEventLog(node.connectionString);
    const append = (stream: string, to = log) =>
      to.append(
        stream,
        'no-stream',
        [{ id: randomUUID(), event: { type: 'ApiKeyRevoked', data: { keyId: stream } } }],
        context,
      );
    await append(`key-${randomUUID()}`);
    for (let round = 0; round < 20; round += 1) {
      const other = openEventLog(node.connectionString);
      await append(`key-${randomUUID()}`, other);
      const streams = Array.from({ length: 40 }, () => `key-${randomUUID()}`);
      const appends = streams.map((stream) => append(stream));
      // Its end makes the client forget the appends of the first one as well.
      await other.close();
      const kinds = (await Promise.all(appends)).map(({ kind }) => kind);
      assert.equal([...new Set(kinds)], ['appended']);
      for (const stream of streams) assert.is((await log.readStream(stream)).length, 1);
    }
    await log.close();
    await node.stop();
    await postgres.stop();
    directory.remove();
  },
);

guard.run();

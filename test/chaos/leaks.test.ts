import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { leaks } from './load/leaks.ts';

const TOKEN = 'brk_4f1c';

const found = async (files: Readonly<Record<string, string>>, metrics: string) => {
  const directory = temporaryDirectory('leaks');
  const server = createServer((_req, res) => void res.end(metrics));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(directory.path, name), text);
    const { port } = server.address() as AddressInfo;
    return await leaks(directory.path, `http://127.0.0.1:${port}/metrics`, { 'a key': TOKEN });
  } finally {
    server.closeAllConnections();
    server.close();
    directory.remove();
  }
};

test('what the load has submitted is found in every log and in the metrics', async () => {
  assert.equal(
    await found(
      {
        'all-8080.log': `{"msg":"refused ${TOKEN}"}`,
        'postgres.log': 'DETAIL: Key (chart_number)=(P3-17)',
        'clock-8080': TOKEN,
      },
      'registry_names{name="Entered 12"} 1',
    ),
    [
      '/metrics tells a family name.',
      'all-8080.log tells a key.',
      'postgres.log tells a chart number.',
    ],
  );
});

test('what the service says of itself is nothing of that', async () => {
  const line = '{"level":"info","correlationId":"b-gxhBax8ggF3HyiVTN_a","status":202}';
  assert.equal(await found({ 'all-8080.log': line }, 'registry_appends_total 12'), []);
});

test.run();

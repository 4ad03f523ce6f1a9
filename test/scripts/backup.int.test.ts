import { readdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { backUp } from '../../api/composition/commands/back-up.ts';
import { freePort } from '../harness/free-port.ts';
import { withCommands } from '../harness/recovery.ts';
import { newPractice, post, receiptAt, startTestService } from '../harness/service.ts';
import { startServiceProcess } from '../harness/service-process.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

const backup = suite('a backup while the service works');

const ACCEPTED = 202;

/** Files under a directory, and their bytes. */
const sizeOf = (directory: string) => {
  const sizes = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(directory, name)))
    .filter((found) => found.isFile())
    .map(({ size }) => size);
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
};

backup('can be started, and holds everything that was taken before it began', async () => {
  const service = await startTestService();
  const directory = temporaryDirectory('backup');
  const to = join(directory.path, 'copy');
  try {
    const { practiceId, token } = await newPractice(service.commands);
    const taken: string[] = [];
    let isOver = false;
    const pushing = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const chartNumber = `B-${n}`;
        const bundle = birthBundle({ chartNumber, mother: { family: `Family ${n}` } });
        const answer = await post(service.url, token, bundle);
        if (answer.status === ACCEPTED) taken.push(answer.headers.get('content-location') ?? '');
      }
    })();
    while (taken.length < 100) await sleep(20);
    const before = [...taken];
    const made = await backUp(service.settings, to);
    isOver = true;
    await pushing;
    assert.ok(taken.length > before.length, 'pushes were taken meanwhile');
    assert.is(made.holdsSecret, true);
    assert.equal({ files: made.files, bytes: made.bytes }, sizeOf(to));
    assert.not((await readdir(join(to, 'postgres'))).includes('postmaster.pid'));

    const restored = await startServiceProcess(to, await freePort());
    try {
      for (const address of before) {
        const receipt = await receiptAt(`${restored.url}${new URL(address).pathname}`, token);
        assert.is(receipt.status, 'completed');
      }
      await withCommands(to, async (commands) => {
        assert.equal((await commands.verify()).problems, []);
        assert.equal((await commands.rebuild('compare')).differences, []);
        assert.is((await commands.history(practiceId, 'B-0', null)).state?.status, 'live');
        const everything = { person: null, record: null, kind: null };
        const { entries } = await commands.accessLog(null, everything);
        assert.equal(
          entries.map(({ exported, actor }) => [exported, actor.kind]),
          [['backup', 'operator']],
        );
      });
    } finally {
      restored.kill('SIGTERM');
      await restored.ended;
    }
  } finally {
    await service.stop();
    directory.remove();
  }
});

backup('goes only where nothing is, and not into what it copies', async () => {
  const service = await startTestService();
  try {
    const { dataDir } = service.settings;
    for (const to of [dataDir, join(dataDir, 'postgres', 'copy')])
      await backUp(service.settings, to).then(
        () => assert.unreachable('it should be refused'),
        (error: Error) => assert.match(error.message, /is in the data directory/),
      );
    await backUp(service.settings, tmpdir()).then(
      () => assert.unreachable('it should be refused'),
      (error: Error) => assert.match(error.message, /is not empty/),
    );
  } finally {
    await service.stop();
  }
});

backup.run();

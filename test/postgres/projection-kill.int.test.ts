import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { freePort } from '../harness/ports.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import { newPractice, post, receiptAddress, receiptAt, testSettings } from '../harness/service.ts';
import { startServiceProcess } from '../harness/service-process.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { batchOf, birthBundle, retractionBundle } from '../support/bundles.ts';

/** `kill -9` while events are being projected: the next start projects the rest, once. */
const kills = suite('a service killed while it projects');

const silent = openServiceLog('silent');
const COURSES = 300;
const ROUNDS = 3;

const births = (round: number) =>
  Array.from({ length: COURSES }, (_, at) =>
    // Every third is voided again in the same submission.
    at % 3 === 2
      ? retractionBundle(`K-${round}-${at - 1}`)
      : birthBundle({
          chartNumber: `K-${round}-${at}`,
          mother: { family: `Family ${round} ${at}` },
        }),
  );

kills('goes on where it was; a rebuild finds no difference', async () => {
  const directory = temporaryDirectory('projection-kill');
  const dataDir = directory.path;
  await copyStartedCluster(dataDir);
  const port = await freePort();
  const settings = testSettings(dataDir);
  let service = await startServiceProcess(dataDir, port);
  const stores = await openStores(settings, 'command', silent);
  const commands = await openCommands(settings, silent);
  try {
    const { practiceId, token } = await newPractice(commands);
    const projected = async () => {
      const { records } = await stores.db
        .selectFrom('read.birth_record')
        .select(({ fn }) => fn.countAll<string>().as('records'))
        .where('practice_id', '=', practiceId)
        .executeTakeFirstOrThrow();
      return Number(records);
    };
    let killedInBetween = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await projected();
      const pushed = await post(service.url, token, batchOf(births(round)));
      assert.is(pushed.status, 202);
      while ((await projected()) === before);
      service.kill('SIGKILL');
      await service.ended;
      if ((await projected()) < before + COURSES * (2 / 3)) killedInBetween += 1;
      service = await startServiceProcess(dataDir, port);
      const receipt = await receiptAt(receiptAddress(pushed), token);
      assert.ok(receipt.status === 'completed' && receipt.accepted === COURSES);
      assert.is(await projected(), before + COURSES * (2 / 3));
    }
    assert.ok(killedInBetween > 0, 'killed while records were being projected');
    const { coursesOfCare, excluded } = await commands.statistics(practiceId, null);
    assert.equal([coursesOfCare, excluded.voided], [ROUNDS * 100, ROUNDS * 100]);
    assert.equal((await commands.rebuild('compare')).differences, []);
    assert.equal((await commands.verify()).problems, []);
  } finally {
    await commands.close();
    await stores.close();
    service.kill('SIGTERM');
    await service.ended;
    directory.remove();
  }
});

kills.run();

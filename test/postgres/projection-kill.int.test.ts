import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { DEATH, startDyingRegistry } from '../harness/recovery.ts';
import { newPractice, post, receiptAddress, receiptAt } from '../harness/service.ts';
import { batchOf, birthBundle, retractionBundle } from '../support/bundles.ts';
import { IS_LONG } from '../support/runs.ts';

/** `kill -9` while events are being projected: the next start projects the rest, once. */
const kills = suite('a service killed while it projects');

const silent = openServiceLog('silent');
const COURSES = 300;
const MAX_ROUNDS = 3;

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
  const registry = await startDyingRegistry(DEATH);
  const { commands } = registry;
  const stores = await openStores(registry.settings, 'command', silent);
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
    let rounds = 0;
    for (; rounds < MAX_ROUNDS && (IS_LONG || killedInBetween === 0); rounds += 1) {
      const before = await projected();
      const pushed = await post(registry.service().url, token, batchOf(births(rounds)));
      assert.is(pushed.status, 202);
      while ((await projected()) === before);
      registry.service().kill('SIGKILL');
      await registry.service().ended;
      if ((await projected()) < before + COURSES * (2 / 3)) killedInBetween += 1;
      await registry.comesBack({ step: 'never', after: 0 });
      const receipt = await receiptAt(receiptAddress(pushed), token);
      assert.ok(receipt.status === 'completed' && receipt.accepted === COURSES);
      assert.is(await projected(), before + COURSES * (2 / 3));
    }
    assert.ok(killedInBetween > 0, 'killed while records were being projected');
    const { coursesOfCare, excluded } = await commands.statistics(practiceId, null);
    assert.equal([coursesOfCare, excluded.voided], [rounds * 100, rounds * 100]);
    assert.equal((await commands.rebuild('compare')).differences, []);
    assert.equal((await commands.verify()).problems, []);
  } finally {
    await stores.close();
    await registry.stop();
  }
});

kills.run();

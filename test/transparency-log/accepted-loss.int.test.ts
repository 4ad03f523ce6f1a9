import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { CommandRefused } from '../../api/commands/command-refused.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { checkEventProof } from '../../transparency-log/event-proof.ts';
import { parseVerifierKey, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { eventually } from '../harness/eventually.ts';
import { newPractice, poll } from '../harness/service.ts';
import {
  codesAt,
  type HeldStores,
  holdStores,
  loseLastEvents,
  provedPush,
  withCommands,
} from '../postgres/support/lost-events.ts';
import { addLong } from '../support/runs.ts';

/** The drill of a log that is restored from an older backup when there is no newer one. */
const drill = suite<HeldStores>('a loss that is accepted');
const silent = openServiceLog('silent');

drill.before((held) =>
  holdStores(held, {
    CHECKPOINT_SECONDS: '1',
    LOG_PUBLIC: 'true',
    REGISTRY_OPERATOR: 'Sam Reyes',
  }),
);
drill.after(({ stop }) => stop());

const keysAt = async (url: string): Promise<readonly VerifierKey[]> =>
  (await (await fetch(`${url}/log/keys`)).text())
    .trim()
    .split('\n')
    .map((line) => parseVerifierKey(line))
    .filter((key) => key !== null);

const isProvedBy = (proof: unknown, key: VerifierKey | undefined): boolean =>
  key !== undefined && checkEventProof(proof as never, key, []).kind === 'proved';

/** Loses the end of the log, and continues without it as the pages for operators say. */
const runDrill = async (held: HeldStores, originNumber: number): Promise<void> => {
  const { settings } = held;
  let service = await startService(settings, silent);
  await eventually('ready', async () => (await codesAt(service.url)).length === 0);
  const before = await withCommands(settings, (commands) => newPractice(commands));
  const kept = await provedPush(service.url, before, 'kept');
  const lost = await provedPush(service.url, before, 'lost');
  const formerKeys = await keysAt(service.url);
  assert.is(formerKeys.length, originNumber - 1);
  await service.stop();

  await loseLastEvents(held, 2);
  await withCommands(settings, (commands) => commands.rebuild('swap'));
  service = await startService(settings, silent);
  const { url } = service;
  try {
    await eventually('stopped', async () => (await codesAt(url)).includes('checkpoints-stopped'));
    const note = await withCommands(settings, async (commands) => {
      const refused = await commands.checkpoint().catch((error: unknown) => error);
      assert.match(String(refused), /--accept-loss/);
      assert.ok((await commands.verify()).problems.length > 0);
      return (await commands.checkpoint(true)).checkpoint;
    });
    assert.match(note, new RegExp(`^birth-registry/[0-9a-f-]{36}/${originNumber}\n`));
    await eventually('ready', async () => (await codesAt(url)).length === 0);

    const keys = await keysAt(url);
    assert.equal(keys.slice(1), formerKeys, 'the former names stay');
    // It had written up to a position that is lost.
    const { proof } = await provedPush(url, before, 'next');
    assert.ok(isProvedBy(proof, keys[0]));
    assert.not.ok(isProvedBy(proof, keys[1]));
    for (const earlier of [kept, lost]) {
      assert.ok(isProvedBy(earlier.proof, formerKeys[0]), 'it proves what it was signed for');
      assert.not.ok(isProvedBy(earlier.proof, keys[0]));
    }
    const again = await poll(`${url}${new URL(kept.address).pathname}/proof`, before.token);
    assert.ok(isProvedBy(await again.json(), keys[0]));

    await withCommands(settings, async (commands) => {
      const { problems, tablesCompared } = await commands.verify(undefined, note);
      assert.equal(problems, []);
      assert.ok(tablesCompared);
      const { differences, incomplete } = await commands.rebuild('compare');
      assert.equal([...differences, ...incomplete], []);
      const refused = await commands.checkpoint(true).catch((error: unknown) => error);
      assert.ok(refused instanceof CommandRefused && refused.id === 'nothing-lost');
    });
  } finally {
    await service.stop();
  }
};

drill('continues under a second origin', (held) => runDrill(held, 2));
addLong(drill, 'and under a third', (held) => runDrill(held, 3));

drill.run();

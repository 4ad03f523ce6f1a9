import { EventStoreDBClient } from '@eventstore/db-client';
import { pino } from 'pino';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/ports.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const silent = openServiceLog('silent');
const TOO_OPEN =
  /EVENTSTORE_PORT opens .* practices that are no sandboxes\. .* EVENTSTORE_OPEN to trial/;

/** What somebody without a password is answered at a port. */
const answerAt = async (port: number): Promise<string> => {
  const client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
  try {
    for await (const _event of client.readAll({ maxCount: 1 }));
    return 'answered';
  } catch (error) {
    return String((error as { readonly code?: unknown }).code);
  } finally {
    await client.dispose();
  }
};

test('a log without a password holds sandbox practices only, unless it is said to be a trial', async () => {
  const directory = temporaryDirectory('open-log');
  await copyFreshCluster(directory.path);
  const port = await freePort();
  const settings = testSettings(directory.path, { EVENTSTORE_PORT: String(port) });
  const trial = { ...settings, isOpenForTrial: true };

  const whileServing = async (
    of: typeof settings,
    work: (commands: OperatorCommands, warnings: readonly string[]) => Promise<void>,
  ): Promise<void> => {
    const warnings: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
    const service = await startService(of, log);
    try {
      await service.started;
      const commands = await openCommands(of, silent);
      await work(commands, warnings).finally(() => commands.close());
    } finally {
      await service.stop();
    }
  };
  const create = (commands: OperatorCommands, sandbox: boolean) =>
    commands.practices.create({ name: 'Cedar Birth Center', sandbox, beta: true });
  const set = (commands: OperatorCommands, practiceId: string, sandbox: boolean) =>
    commands.practices.set(practiceId, { sandbox, beta: null });

  try {
    let real = '';
    await whileServing(settings, async (commands, warnings) => {
      assert.is(await answerAt(port), 'answered', 'an empty registry');
      assert.ok(warnings.some((line) => line.includes('EVENTSTORE_PORT opens the event log')));
      await create(commands, true);
    });
    await whileServing(settings, async (commands, warnings) => {
      assert.is(await answerAt(port), 'answered', 'sandboxes only');
      real = await create(commands, false);
      await eventually('it warns', () => warnings.some((line) => TOO_OPEN.test(line)));
      assert.is(await answerAt(port), 'answered', 'it goes on');
    });

    const fault = await whileServing(settings, async () => undefined).catch((error) => error);
    assert.is(fault.name, 'SettingInvalid');
    assert.match(fault.message, TOO_OPEN);
    await whileServing(trial, async (_commands, warnings) => {
      assert.is(await answerAt(port), 'answered', 'a trial');
      assert.ok(warnings.some((line) => line.includes('EVENTSTORE_OPEN is trial')));
      assert.not.ok(warnings.some((line) => TOO_OPEN.test(line)));
    });

    const alone = await openCommands(settings, silent);
    assert.is.not(await answerAt(port), 'answered', 'a command opens nothing');
    await set(alone, real, true);
    await alone.close();
    await whileServing(settings, async () => {
      assert.is(await answerAt(port), 'answered', 'a sandbox again');
    });
  } finally {
    directory.remove();
  }
});

test.run();

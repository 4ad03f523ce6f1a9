import { readdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rewrapIdentityKey } from '../../adapters/event-log/registry-identity.ts';
import { startService } from '../../api/app/service.ts';
import { backUp } from '../../api/operator/back-up.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { rotateSecret } from '../../api/operator/rotate-secret.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openLogAndDatabase } from '../../api/stores/stores.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import { newPractice, post, push, receiptAt, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';
import { addLong } from '../support/runs.ts';

/** The secret of a registry changes; nothing that it keeps is lost. */
const rotation = suite<{ dataDir: string; remove: () => void }>('rotating the secret');

const silent = openServiceLog('silent');
const SECOND = 'second-secret-second-secret-second-secret';
const THIRD = 'third-secret-third-secret-third-secret-third';

rotation.before(async (context) => {
  const directory = temporaryDirectory('rotate');
  await copyStartedCluster(directory.path);
  context.dataDir = directory.path;
  context.remove = directory.remove;
});
rotation.after(({ remove }) => remove());

const started = async (dataDir: string, changes: Readonly<Record<string, string>> = {}) => {
  const service = await startService(testSettings(dataDir, changes), silent);
  await service.started;
  return service;
};

const secretFiles = (dataDir: string): readonly string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith('registry-secret'));

const holdsSecret = async (dataDir: string): Promise<boolean> => {
  const to = temporaryDirectory('rotate-backup');
  try {
    return (await backUp(testSettings(dataDir), to.path)).holdsSecret;
  } finally {
    to.remove();
  }
};

const startRefused = async (dataDir: string, changes: Readonly<Record<string, string>>) => {
  const service = await startService(testSettings(dataDir, changes), silent);
  try {
    await service.started;
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    await service.stop();
  }
};

rotation('what was queued and recorded is there under the new secret', async ({ dataDir }) => {
  const service = await started(dataDir);
  const commands = await openCommands(testSettings(dataDir), silent);
  const { practiceId, token } = await newPractice(commands);
  await push(service.url, token, birthBundle({ chartNumber: 'R-1' }));
  const queued = await post(service.url, token, birthBundle({ chartNumber: 'R-2' }));
  await commands.close();
  await service.stop();

  const secret = readFileSync(join(dataDir, 'registry-secret'), 'utf8').trim();
  assert.is(await holdsSecret(dataDir), true);

  const settings = testSettings(dataDir, { REGISTRY_SECRET: SECOND });
  assert.equal(await rotateSecret(settings, silent), {
    rewrapped: ['identity-key', 'queue-key'],
  });
  // The former secret opens nothing any more: it is set aside, and nothing is made in its place.
  const refused = await startRefused(dataDir, {});
  assert.is(refused?.name, 'WrongRegistrySecret');
  assert.not(refused?.message.includes(secret));
  const [aside = '', ...more] = secretFiles(dataDir);
  assert.match(aside, /^registry-secret\.before-\d{8}T\d{6}Z$/);
  assert.equal(more, []);
  assert.is(readFileSync(join(dataDir, aside), 'utf8').trim(), secret);
  assert.is(await holdsSecret(dataDir), false);
  // Left there by a version that did not set it aside.
  await rename(join(dataDir, aside), join(dataDir, 'registry-secret'));
  assert.is(await holdsSecret(dataDir), false);

  const after = await started(dataDir, { REGISTRY_SECRET: SECOND });
  const path = new URL(queued.headers.get('content-location') ?? '').pathname;
  assert.is((await receiptAt(`${after.url}${path}`, token)).status, 'completed');
  // The same identity key: the chart number finds its stream.
  const amended = await push(after.url, token, birthBundle({ chartNumber: 'R-1' }));
  assert.ok(amended.status === 'completed' && amended.outcome.accepted[0]?.version === 2);
  const checking = await openCommands(settings, silent);
  assert.is((await checking.history(practiceId, 'R-2', null)).state?.status, 'live');
  assert.equal((await checking.verify()).problems, []);
  await checking.close();
  await after.stop();
});

addLong(
  rotation,
  'a rotation that died half way is finished by the same command',
  async ({ dataDir }) => {
    const settings = testSettings(dataDir, {
      REGISTRY_SECRET: THIRD,
      PREVIOUS_REGISTRY_SECRET: SECOND,
    });
    const { log, close } = await openLogAndDatabase(settings, 'command', silent);
    await rewrapIdentityKey(log, { previous: SECOND, next: THIRD });
    await close();
    for (const half of [SECOND, THIRD]) {
      const refused = await startRefused(dataDir, { REGISTRY_SECRET: half });
      assert.is(refused?.name, 'WrongRegistrySecret');
    }
    const file = join(dataDir, 'registry-secret');
    for (const half of [SECOND, THIRD]) {
      await writeFile(file, half);
      assert.is(await holdsSecret(dataDir), false);
    }
    assert.equal(await rotateSecret(settings, silent), { rewrapped: ['queue-key'] });
    // It is the secret in force: it stays.
    assert.is(await holdsSecret(dataDir), true);
    await writeFile(file, SECOND);
    const withoutPrevious = testSettings(dataDir, { REGISTRY_SECRET: THIRD });
    for (const again of [settings, withoutPrevious, withoutPrevious]) {
      assert.equal(await rotateSecret(again, silent), { rewrapped: [] });
      assert.not(secretFiles(dataDir).includes('registry-secret'));
    }
    const service = await started(dataDir, { REGISTRY_SECRET: THIRD });
    await service.stop();
  },
);

addLong(rotation, 'a wrong previous secret changes nothing', async ({ dataDir }) => {
  const settings = testSettings(dataDir, {
    REGISTRY_SECRET: SECOND,
    PREVIOUS_REGISTRY_SECRET: 'x'.repeat(40),
  });
  try {
    await rotateSecret(settings, silent);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'WrongRegistrySecret');
  }
  const commands = await openCommands(testSettings(dataDir, { REGISTRY_SECRET: THIRD }), silent);
  assert.equal((await commands.verify()).problems, []);
  await commands.close();
});

addLong(rotation, 'without the secret of until now it says what to set', async ({ dataDir }) => {
  const before = secretFiles(dataDir);
  try {
    await rotateSecret(testSettings(dataDir, { REGISTRY_SECRET: SECOND }), silent);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'CommandRefused');
    assert.match((error as Error).message, 'PREVIOUS_REGISTRY_SECRET');
  }
  assert.equal(secretFiles(dataDir), before);
});

rotation('without a new secret it says what to set', async ({ dataDir }) => {
  try {
    await rotateSecret(testSettings(dataDir), silent);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'CommandRefused');
    assert.match((error as Error).message, 'REGISTRY_SECRET');
  }
});

rotation.run();

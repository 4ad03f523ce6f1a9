import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  openKnownRegistry,
  openRegistryIdentity,
} from '../../adapters/event-log/registry-identity.ts';
import { logInMemory } from '../support/in-memory.ts';

const SECRET = 'a secret of more than thirty-two bytes';

const faultOf = (opening: Promise<unknown>): Promise<string> =>
  opening.then(
    () => 'none',
    (error: unknown) => (error as Error).name,
  );

test('a known registry is opened by its own log and secret alone', async () => {
  const log = logInMemory();
  const { registryId, identity } = await openRegistryIdentity(log, SECRET, async () => false);
  const known = await openKnownRegistry(log.readStream, registryId, SECRET);
  assert.is(known.identity.checkValue, identity.checkValue);

  const another = logInMemory();
  await openRegistryIdentity(another, SECRET, async () => false);
  for (const [{ readStream }, fault] of [
    [another, 'LogOfAnotherRegistry'],
    [logInMemory(), 'LogWithoutRegistry'],
  ] as const)
    assert.is(await faultOf(openKnownRegistry(readStream, registryId, SECRET)), fault);
  const wrong = openKnownRegistry(log.readStream, registryId, `${SECRET}.`);
  assert.is(await faultOf(wrong), 'WrongRegistrySecret');
});

test.run();

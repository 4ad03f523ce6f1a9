import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  addCheckpointKey,
  createCheckpointVerifiers,
  openCheckpointKey,
} from '../../adapters/event-log/checkpoint-keys.ts';
import {
  openRegistryIdentity,
  rewrapIdentityKey,
} from '../../adapters/event-log/registry-identity.ts';
import { isKnown } from '../../domain/event-log.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';
import { openCheckpoint } from '../../transparency-log/checkpoint.ts';
import { formatVerifierKey, signNote } from '../../transparency-log/signed-note.ts';
import { logInMemory } from '../support/in-memory.ts';

const keys = suite('the keys that checkpoints are signed with');

const SECRET = 'a secret of more than thirty-two bytes';
const OTHER = 'another secret of more than thirty-two bytes';
const OPERATOR = { kind: 'operator', id: 'Sam Reyes' } as const;

const founded = async () => {
  const log = logInMemory();
  const { registryId } = await openRegistryIdentity(log, SECRET, async () => false);
  return { log, registryId };
};

/** A registry as an earlier build has founded it. */
const foundedBefore = async () => {
  const { log } = await founded();
  const earlier = logInMemory();
  const [first] = (await log.readStream(REGISTRY_STREAM)).filter(isKnown);
  if (first === undefined) throw new Error('The log holds no registry.');
  await earlier.append(REGISTRY_STREAM, 'no-stream', [first], {
    correlationId: 'test',
    causationId: null,
    actor: OPERATOR,
  });
  return earlier;
};

const textsOf = async (log: ReturnType<typeof logInMemory>) =>
  (await createCheckpointVerifiers(log.readStream)).map(formatVerifierKey);

keys('a registry is founded with one, under its own name', async () => {
  const { log, registryId } = await founded();
  const { verifier, signingKey } = await openCheckpointKey(log, SECRET);
  assert.is(verifier.name, `birth-registry/${registryId}`);
  assert.equal(await textsOf(log), [formatVerifierKey(verifier)]);
  const note = signNote(`${verifier.name}\n0\n${'A'.repeat(43)}=\n`, verifier, signingKey);
  assert.is(openCheckpoint(note, verifier)?.size, 0);
  assert.equal(log.typesOf(REGISTRY_STREAM), ['RegistryInitialised', 'CheckpointKeyAdded']);
});

keys('one from before gets one when it is first needed, though many need it at once', async () => {
  const log = await foundedBefore();
  assert.equal(await textsOf(log), []);
  const opened = await Promise.all([1, 2, 3].map(() => openCheckpointKey(log, SECRET)));
  assert.is(new Set(opened.map(({ verifier }) => formatVerifierKey(verifier))).size, 1);
  assert.is((await textsOf(log)).length, 1);
});

keys('a later one signs from then on, and the earlier ones still check', async () => {
  const { log } = await founded();
  const before = await openCheckpointKey(log, SECRET);
  for (let again = 0; again < 2; again += 1) await addCheckpointKey(log, SECRET, 2, OPERATOR);
  const after = await openCheckpointKey(log, SECRET);
  assert.equal(
    await textsOf(log),
    [before, after].map(({ verifier }) => formatVerifierKey(verifier)),
  );
});

keys('another secret opens the same keys once they are wrapped by it', async () => {
  const { log } = await founded();
  await addCheckpointKey(log, SECRET, 2, OPERATOR);
  const { verifier, signingKey } = await openCheckpointKey(log, SECRET);
  assert.is(await rewrapIdentityKey(log, { previous: SECRET, next: OTHER }), 'rewrapped');
  assert.is(await rewrapIdentityKey(log, { previous: SECRET, next: OTHER }), 'already');
  const opened = await openCheckpointKey(log, OTHER);
  assert.is(formatVerifierKey(opened.verifier), formatVerifierKey(verifier));
  assert.ok(opened.signingKey.equals(signingKey));
  const refused = await openCheckpointKey(log, SECRET).catch((error: Error) => error.name);
  assert.is(refused, 'WrongRegistrySecret');
});

keys.run();

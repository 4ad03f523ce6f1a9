import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApiToken, deriveKeyId, getLastFour } from '../../../adapters/crypto/credentials.ts';
import { createKeyCommands } from '../../../api/commands/manage-keys.ts';
import { createPartnerCommands } from '../../../api/commands/manage-partners.ts';
import { createPracticeCommands } from '../../../api/commands/manage-practices.ts';
import { keyStream, partnerPlaceStream } from '../../../domain/stream-names.ts';
import { logInMemory, testCommandContext, WITHOUT_TURNS } from '../../support/in-memory.ts';

const partnerKeys = suite('a command on partner feed keys that was cut short');

const openKeys = async () => {
  const log = logInMemory();
  let minted = '';
  const context = testCommandContext();
  const practices = createPracticeCommands(log, WITHOUT_TURNS, context);
  const partners = createPartnerCommands(log, context);
  const keys = createKeyCommands(
    log,
    { practices, partners },
    {
      createApiToken,
      deriveKeyId(tokenHash) {
        minted = deriveKeyId(tokenHash);
        return minted;
      },
      getLastFour,
      keySlotHash: (partnerId, practiceId) => `${partnerId}+${practiceId}`,
    },
    context,
  );
  const practiceId = await practices.create({ name: 'Cedar', sandbox: false, beta: true });
  const partnerId = await partners.create({ name: 'Maple EHR', beta: true, status: 'Active' });
  return {
    log,
    keys,
    /** Id of the key that was minted last. */
    minted: () => minted,
    order: { partnerId, practiceId, name: null, scopes: ['ingest:write'] as const },
    place: partnerPlaceStream(`${partnerId}+${practiceId}`),
  };
};

/** The message of what a command was refused with. */
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error: Error) => (error.name === 'CommandRefused' ? error.message : `fault: ${error.message}`),
  );

partnerKeys('minting, after the place was taken: the key is there to be revoked', async () => {
  const { log, keys, order, place } = await openKeys();
  log.failAfter(1, 2);
  assert.match(await refusal(keys.mintPartner(order)), 'The process ended here');
  assert.equal(log.typesOf(place), ['PartnerKeyIssued']);

  const reason = await refusal(keys.mintPartner(order));
  assert.match(reason, 'has an active key');
  const keyId = /[0-9a-f]{32}/.exec(reason)?.[0] ?? '';
  assert.equal(log.typesOf(keyStream(keyId)), ['ApiKeyMinted']);

  await keys.revoke(keyId);
  assert.equal(log.typesOf(place), ['PartnerKeyIssued', 'PartnerKeyWithdrawn']);
  const second = await keys.mintPartner(order);
  assert.equal(log.typesOf(keyStream(second.keyId)), ['ApiKeyMinted']);
});

partnerKeys('revoking, before the place was freed: the next minting frees it', async () => {
  const { log, keys, order, place } = await openKeys();
  const { keyId } = await keys.mintPartner(order);
  log.failAfter(1);
  assert.match(await refusal(keys.revoke(keyId)), 'The process ended here');
  assert.equal(log.typesOf(keyStream(keyId)), ['ApiKeyMinted', 'ApiKeyRevoked']);
  assert.equal(log.typesOf(place), ['PartnerKeyIssued']);

  const second = await keys.mintPartner(order);
  assert.equal(log.typesOf(place), ['PartnerKeyIssued', 'PartnerKeyWithdrawn', 'PartnerKeyIssued']);

  // The first revocation, repeated, leaves the place to its new holder.
  await keys.revoke(keyId);
  assert.match(await refusal(keys.mintPartner(order)), second.keyId);
});

partnerKeys('minting, with the key not made: the place is free again', async () => {
  const { log, keys, order, place } = await openKeys();
  log.failAfter(1);
  assert.match(await refusal(keys.mintPartner(order)), 'The process ended here');
  assert.equal(log.typesOf(place), ['PartnerKeyIssued', 'PartnerKeyWithdrawn']);
  log.loseAnswerAfter(0);
  assert.match(await refusal(keys.mintPartner(order)), 'The answer was lost');
  const { keyId } = await keys.mintPartner(order);
  assert.equal(log.typesOf(keyStream(keyId)), ['ApiKeyMinted']);
});

partnerKeys.run();

const nativeKeys = suite('a token that somebody sees, or no key');

nativeKeys(
  'a key that was stored although the answer was lost is given to its holder',
  async () => {
    const { log, keys, order } = await openKeys();
    log.loseAnswerAfter(0);
    const native = await keys.mintNative(order);
    assert.equal(log.typesOf(keyStream(native.keyId)), ['ApiKeyMinted']);
    log.loseAnswerAfter(1);
    const partner = await keys.mintPartner(order);
    assert.equal(log.typesOf(keyStream(partner.keyId)), ['ApiKeyMinted']);
  },
);

const SOON = new Date('2026-03-02T10:00:00Z');

nativeKeys('replacing a key sets its end, and makes the new one', async () => {
  const { log, keys, order } = await openKeys();
  const old = await keys.mintNative(order);
  const made = await keys.replaceNative(old.keyId, SOON, order, null);
  assert.equal(log.typesOf(keyStream(old.keyId)), ['ApiKeyMinted', 'ApiKeyEndSet']);
  assert.equal(log.typesOf(keyStream(made.keyId)), ['ApiKeyMinted']);
});

nativeKeys('a key that cannot be ended is not replaced: the new one is revoked', async () => {
  const { log, keys, order, minted } = await openKeys();
  const old = await keys.mintNative(order);
  log.failAfter(1);
  assert.match(await refusal(keys.replaceNative(old.keyId, SOON, order, null)), 'ended here');
  assert.equal(log.typesOf(keyStream(old.keyId)), ['ApiKeyMinted']);
  assert.equal(log.typesOf(keyStream(minted())), ['ApiKeyMinted', 'ApiKeyRevoked']);
});

nativeKeys('a key whose end was stored although the answer was lost is replaced', async () => {
  const { log, keys, order } = await openKeys();
  const old = await keys.mintNative(order);
  log.loseAnswerAfter(1);
  const made = await keys.replaceNative(old.keyId, SOON, order, null);
  assert.equal(log.typesOf(keyStream(old.keyId)), ['ApiKeyMinted', 'ApiKeyEndSet']);
  assert.equal(log.typesOf(keyStream(made.keyId)), ['ApiKeyMinted']);
});

nativeKeys('in place of a key that there is not none is made', async () => {
  const { keys, order, minted } = await openKeys();
  const before = minted();
  assert.not.match(await refusal(keys.replaceNative('0'.repeat(32), SOON, order, null)), 'fault');
  assert.is(minted(), before);
});

nativeKeys.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  hashApiToken,
  keyIdOf,
  lastFourOf,
  newApiToken,
} from '../../../adapters/crypto/credentials.ts';
import { keyCommandsOf } from '../../../api/commands/manage-keys.ts';
import { partnerCommandsOf } from '../../../api/commands/manage-partners.ts';
import { practiceCommandsOf } from '../../../api/commands/manage-practices.ts';
import { keyStream, partnerPlaceStream } from '../../../domain/stream-names.ts';
import { logInMemory, testCommandContext, WITHOUT_TURNS } from '../../support/in-memory.ts';

const partnerKeys = suite('a command on partner feed keys that was cut short');

const openKeys = async () => {
  const log = logInMemory();
  const context = testCommandContext();
  const practices = practiceCommandsOf(log, WITHOUT_TURNS, context);
  const partners = partnerCommandsOf(log, context);
  const keys = keyCommandsOf(
    log,
    { practices, partners },
    {
      newApiToken,
      hashApiToken,
      keyIdOf,
      lastFourOf,
      partnerPlaceHash: (partnerId, practiceId) => `${partnerId}+${practiceId}`,
    },
    context,
  );
  const practiceId = await practices.create({ name: 'Cedar', sandbox: false, beta: true });
  const partnerId = await partners.create({ name: 'Maple EHR', beta: true, status: 'Active' });
  return {
    log,
    keys,
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
  log.failAfter(1);
  assert.match(await refusal(keys.mintPartner(order)), 'The process ended here');
  assert.equal(log.typesOf(place), ['PartnerKeyIssued']);

  const reason = await refusal(keys.mintPartner(order));
  assert.match(reason, 'has a live key');
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

partnerKeys.run();

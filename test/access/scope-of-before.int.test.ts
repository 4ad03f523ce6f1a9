import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApiToken, deriveKeyId } from '../../adapters/crypto/credentials.ts';
import { hashApiToken } from '../../api/http/bearer-token.ts';
import { formatScopes } from '../../api/pages/text/scope-text.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { keyStream } from '../../domain/stream-names.ts';
import { eventually } from '../harness/eventually.ts';
import { newMember, signInVisitor } from '../harness/pages.ts';
import { freePort } from '../harness/ports.ts';
import { newPractice, post, startTestService, type TestService } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

const HOME = '/registry/integrations';

/** Keys that were minted while a key could be allowed to export records. */
const keys = suite<{ service: TestService; port: number; practiceId: string }>(
  'keys with a scope that there no longer is',
);
keys.before(async (context) => {
  context.port = await freePort();
  context.service = await startTestService({
    EVENTSTORE_PORT: String(context.port),
    EVENTSTORE_OPEN: 'trial',
  });
  context.practiceId = (await newPractice(context.service.commands)).practiceId;
});
keys.after(({ service }) => service.stop());

/** Puts a key into the log, as a build of before did. @returns its token and its id */
const mintedBefore = async (port: number, practiceId: string, scopes: readonly string[]) => {
  const token = createApiToken();
  const tokenHash = hashApiToken(token);
  const keyId = deriveKeyId(tokenHash);
  const client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
  await client.appendToStream(
    keyStream(keyId),
    jsonEvent({
      type: 'ApiKeyMinted',
      data: { keyId, practiceId, kind: 'native', partnerId: null, name: 'EHR', scopes, tokenHash },
      metadata: {
        schemaVersion: 1,
        correlationId: 'before',
        causationId: null,
        actor: { kind: 'operator', id: 'Sam Reyes' },
        recordedAt: '2026-05-13T10:00:00.000Z',
      },
    }),
  );
  await client.dispose();
  return { token, keyId };
};

keys('a key keeps its other scopes, and one without others can do nothing', async (context) => {
  const { service, port, practiceId } = context;
  const mixed = await mintedBefore(port, practiceId, ['ingest:read', 'export:read']);
  const alone = await mintedBefore(port, practiceId, ['export:read']);
  const scopesOf = async () => {
    const listed = await service.commands.lists.keysOfPractice(practiceId);
    const all = new Map(listed.map(({ keyId, scopes }) => [keyId, scopes]));
    return [mixed, alone].map(({ keyId }) => all.get(keyId));
  };
  await eventually('the tables list both', async () => (await scopesOf())[1] !== undefined);
  assert.equal(await scopesOf(), [['ingest:read'], []]);

  const receipts = `${service.url}/api/registry/fhir/ingestions/nothing`;
  const answersTo = async (token: string) => [
    (await post(service.url, token, birthBundle())).status,
    (await fetch(receipts, { headers: { Authorization: `Bearer ${token}` } })).status,
  ];
  assert.equal(await answersTo(mixed.token), [403, 404]);
  assert.equal(await answersTo(alone.token), [403, 403]);

  const visitor = await signInVisitor(
    service.url,
    await newMember(service, practiceId, 'Admin', 'admin@cedar-81.example'),
  );
  const page = await (await visitor.send(HOME)).text();
  assert.ok(page.includes(formatScopes([])), 'the page says it');
  assert.ok(page.includes(formatScopes(['ingest:read'])));
  assert.ok(page.includes(`${HOME}/keys/${mixed.keyId}/replace`));
  assert.not.ok(
    page.includes(`${HOME}/keys/${alone.keyId}/replace`),
    'there is nothing to replace',
  );
  assert.is((await visitor.send(`${HOME}/keys/${alone.keyId}/replace`)).status, 404);
  assert.ok(page.includes(`${HOME}/keys/${alone.keyId}/revoke`));
});

keys('tables of before follow the log when they are built anew', async (context) => {
  const { service, port, practiceId } = context;
  const { keyId } = await mintedBefore(port, practiceId, ['ingest:write', 'export:read']);
  const { db, close } = await openStores(service.settings, 'command', openServiceLog('silent'));
  const scopesNow = async () =>
    (
      await db
        .selectFrom('read.api_key')
        .select('scopes')
        .where('key_id', '=', keyId)
        .executeTakeFirst()
    )?.scopes;
  await eventually('the tables hold it', async () => (await scopesNow()) !== undefined);
  await db
    .updateTable('read.api_key')
    .set({ scopes: sql<never>`'["ingest:write", "export:read"]'` })
    .where('key_id', '=', keyId)
    .execute();
  assert.equal(await scopesNow(), ['ingest:write', 'export:read']);
  await service.commands.rebuild('swap');
  assert.equal(await scopesNow(), ['ingest:write']);
  assert.equal((await service.commands.verify()).problems, []);
  await close();
});

keys.run();

import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { SCOPES } from '../../domain/api-key/events.ts';
import {
  newPractice,
  startTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

/** A body that is still arriving when its key is revoked. Nothing works the queue off. */
const revoked = suite<{ service: TestService; stores: Stores }>('a denial during a push');

revoked.before(async (context) => {
  context.service = await startTestService({ ROLE: 'api' });
  context.stores = await openStores(context.service.settings, 'command', openServiceLog('silent'));
});
revoked.after(async ({ service, stores }) => {
  await stores?.close();
  await service?.stop();
});

const small = JSON.stringify(birthBundle());
const births = (count: number) =>
  Array.from({ length: count }, (_, n) => birthBundle({ chartNumber: `M-${n}` }));
/** Read in another thread. */
const long = JSON.stringify(batchOf(births(20))).padEnd(300_000);
/** In several chunks. */
const chunked = JSON.stringify(batchOf(births(60)));

const BODIES = { small, long, chunked };

interface Denied {
  readonly practice: TestPractice;
  readonly token: string;
  /** Takes the right to push away; has effect everywhere when it returns. */
  readonly deny: () => Promise<unknown>;
  readonly wanted: string;
}

type Prepare = (service: TestService) => Promise<Denied>;

const newFeed = async ({ commands }: TestService) => {
  const practice = await newPractice(commands);
  const name = 'Maple EHR';
  const partnerId = await commands.partners.create({ name, beta: true, status: 'Active' });
  const order = { partnerId, practiceId: practice.practiceId, name: null, scopes: SCOPES };
  const { token } = await commands.keys.mintPartner(order);
  return { practice, token, partnerId };
};

const DENIALS: Readonly<Record<string, Prepare>> = {
  'a revoked key': async ({ commands }) => {
    const practice = await newPractice(commands);
    const { token, keyId } = practice;
    return { practice, token, deny: () => commands.keys.revoke(keyId), wanted: '401 login' };
  },
  'a suspended partner': async (service) => {
    const { partners } = service.commands;
    const { partnerId, ...feed } = await newFeed(service);
    const deny = () => partners.set(partnerId, { beta: true, status: 'Suspended' });
    return { ...feed, deny, wanted: '403 forbidden' };
  },
  'a partner that left the beta': async (service) => {
    const { partners } = service.commands;
    const { partnerId, ...feed } = await newFeed(service);
    return {
      ...feed,
      deny: () => partners.set(partnerId, { beta: false, status: 'Active' }),
      wanted: '403 forbidden',
    };
  },
};

/** A push that is under way. Its answer is awaited from the start: it may come before the body has ended. */
interface Sent {
  readonly request: ClientRequest;
  readonly answered: Promise<readonly [IncomingMessage]>;
}

/** Sends all of a body but its last byte. */
const begin = async (url: string, token: string, body: string): Promise<Sent> => {
  const sent = request(`${url}/api/registry/fhir/Bundle`, {
    method: 'POST',
    // An idle connection may close just as it is used again.
    agent: false,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Length': Buffer.byteLength(body),
      // Its answer says that the sender was let in.
      Expect: '100-continue',
    },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(body.slice(0, -1));
  return { request: sent, answered };
};

/** Sends the last byte. @returns status and code of the answer */
const finish = async ({ request: sent, answered }: Sent, body: string): Promise<string> => {
  sent.end(body.slice(-1));
  const [response] = await answered;
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const { issue } = JSON.parse(text) as { issue: readonly { readonly code: string }[] };
  return `${response.statusCode} ${issue[0]?.code}`;
};

for (const [who, prepare] of Object.entries(DENIALS))
  for (const [size, body] of Object.entries(BODIES))
    revoked(`${who} stores nothing of a ${size} body that was under way`, async (context) => {
      const { service, stores } = context;
      const { practice, token, deny, wanted } = await prepare(service);
      const allowed = await begin(service.url, token, body);
      assert.is(await finish(allowed, body), '202 informational');
      const sent = await begin(service.url, token, body);
      await deny();
      assert.is(await finish(sent, body), wanted);
      const { rows } = await sql`
        select from app.submission where practice_id = ${practice.practiceId}`.execute(stores.db);
      assert.is(rows.length, 1);
      const { rows: chunks } = await sql`
        select from app.submission_chunk where not exists (
          select from app.submission queued
          where queued.ingestion_id = submission_chunk.ingestion_id
        )`.execute(stores.db);
      assert.is(chunks.length, 0);
    });

revoked.run();

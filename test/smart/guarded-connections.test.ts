import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AnswerTooLarge, cappedFetch, NoAnswer } from '../../adapters/egress/capped-fetch.ts';
import type { EgressPolicy, Resolve } from '../../adapters/egress/egress-policy.ts';
import { openConnections } from '../../adapters/egress/guarded-connections.ts';

/** A machine beside the registry that no EHR may reach through it. */
const guarded = suite<{ inside: Server; port: number; asked: string[] }>(
  'the address that was judged is the one that is connected to',
);

guarded.before(async (context) => {
  context.asked = [];
  context.inside = createServer((req, res) => {
    context.asked.push(req.url ?? '');
    if (req.url === '/moved') res.writeHead(302, { Location: '/elsewhere' }).end('moved');
    else if (req.url === '/packed')
      res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('x'.repeat(5_000)));
    else if (req.url === '/broken') {
      res.writeHead(200, { 'Content-Length': '100' });
      res.write('half', () => res.destroy());
    } else res.end('inside');
  });
  await new Promise<void>((resolve) => context.inside.listen(0, '127.0.0.1', resolve));
  context.port = (context.inside.address() as AddressInfo).port;
});
guarded.before.each(({ asked }) => {
  asked.length = 0;
});
guarded.after(({ inside }) => {
  inside.closeAllConnections();
  inside.close();
});

const ask = (
  url: string,
  { reach = 'anywhere', resolve, mostBytes = 10_000 }: Partial<Asked> = {},
) => cappedFetch(url, { connections: openConnections(reach, resolve), withinMs: 5_000, mostBytes });

interface Asked {
  readonly reach: EgressPolicy;
  readonly resolve: Resolve;
  readonly mostBytes: number;
}

/** What a request ended with: the text of the answer, or the names of the error and its cause. */
const endOf = (asking: ReturnType<typeof cappedFetch>): Promise<string> =>
  asking.then(
    ({ body }) => body.toString(),
    ({ name, cause }: Error) => (cause instanceof Error ? `${name}: ${cause.name}` : name),
  );

const OUT_OF_REACH = 'NoAnswer: BlockedAddress';

/** A name of which each answer is another, the last one again and again. */
const rebinding = (...answers: readonly (readonly string[])[]): Resolve => {
  let asked = 0;
  return async () => {
    const found = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
};

guarded('a name that turns out to be of the inside is not connected to', async (context) => {
  const { port, asked } = context;
  for (const addresses of [
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['203.0.113.9', '127.0.0.1'],
  ])
    assert.is(
      await endOf(
        ask(`http://login.ehr.example:${port}/token`, {
          reach: 'outside',
          resolve: rebinding(addresses),
        }),
      ),
      OUT_OF_REACH,
      addresses.join(),
    );
  assert.equal(asked, []);
});

guarded('the same name is let through where its address is', async ({ port, asked }) => {
  for (const reach of ['loopback', 'anywhere'] as const) {
    const resolve = rebinding(['127.0.0.1']);
    assert.is(await endOf(ask(`http://a.example:${port}/${reach}`, { reach, resolve })), 'inside');
  }
  assert.equal(asked, ['/loopback', '/anywhere']);
});

guarded('a name that moves inside between check and connection leads nowhere', async (context) => {
  const { port, asked } = context;
  const resolve = rebinding(['203.0.113.9'], ['127.0.0.1']);
  // The check, as the discovery does it: at that moment all is well.
  assert.equal(await resolve('login.ehr.example'), [{ address: '203.0.113.9', family: 4 }]);
  const answer = ask(`http://login.ehr.example:${port}/token`, { reach: 'outside', resolve });
  assert.is(await endOf(answer), OUT_OF_REACH);
  assert.equal(asked, []);
});

guarded('an address that is written out is judged too, however', async ({ port, asked }) => {
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'])
    assert.is(
      await endOf(ask(`http://${host}:${port}/`, { reach: 'outside' })),
      OUT_OF_REACH,
      host,
    );
  assert.equal(asked, []);
});

guarded('a kept connection of another reach is not used', async ({ port, asked }) => {
  const resolve = rebinding(['127.0.0.1']);
  const url = `http://a.example:${port}/`;
  const [near, far] = [openConnections('loopback', resolve), openConnections('outside', resolve)];
  const request = { withinMs: 5_000, mostBytes: 100 };
  assert.is(await endOf(cappedFetch(url, { connections: near, ...request })), 'inside');
  assert.is(await endOf(cappedFetch(url, { connections: far, ...request })), OUT_OF_REACH);
  assert.is(asked.length, 1);
});

guarded('redirects are answers, and a broken answer is none', async ({ port, asked }) => {
  const moved = await ask(`http://127.0.0.1:${port}/moved`);
  assert.equal([moved.status, moved.body.toString()], [302, 'moved']);
  const broken = await ask(`http://127.0.0.1:${port}/broken`).catch((error: unknown) => error);
  assert.instance(broken, NoAnswer);
  assert.equal(asked, ['/moved', '/broken']);
});

guarded('an answer is measured as it unpacks', async ({ port }) => {
  const url = `http://127.0.0.1:${port}/packed`;
  assert.is((await ask(url, { mostBytes: 5_000 })).body.length, 5_000);
  const large = await ask(url, { mostBytes: 4_999 }).catch((error: unknown) => error);
  assert.instance(large, AnswerTooLarge);
});

guarded.run();

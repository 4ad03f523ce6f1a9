import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sharedTestAccounts, signInVisitor, type TestAccounts } from '../../harness/pages.ts';
import { pushAddress, receiptAt } from '../../harness/service.ts';
import { batchOf, birthBundle } from '../../support/bundles.ts';

const compression = suite<Context>('compressed answers');

interface Context {
  accounts: TestAccounts;
  /** Addresses of receipts: of one birth, and of many. */
  short: string;
  long: string;
}

compression.before(async (context) => {
  context.accounts = await sharedTestAccounts();
  const { service, practice } = context.accounts;
  const many = batchOf(
    Array.from({ length: 30 }, (_, index) => birthBundle({ chartNumber: `Z-${index}` })),
  );
  context.short = await pushAddress(service.url, practice.token, birthBundle());
  context.long = await pushAddress(service.url, practice.token, many);
  await receiptAt(context.short, practice.token);
  await receiptAt(context.long, practice.token);
});
compression.after(({ accounts }) => accounts.service.stop());

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Without fetch, which decompresses, and sends Accept-Encoding by itself. */
const ask = (
  address: string,
  acceptEncoding: string | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const encoding = acceptEncoding === null ? {} : { 'Accept-Encoding': acceptEncoding };
    get(address, { headers: { ...headers, ...encoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    }).on('error', reject);
  });

const bearer = ({ practice }: TestAccounts) => ({ Authorization: `Bearer ${practice.token}` });

for (const path of ['/openapi.json', '/docs/diagnostics', '/docs/codes.json'])
  compression(`${path} comes in what the client takes`, async ({ accounts }) => {
    const address = `${accounts.service.url}${path}`;
    const plain = await ask(address, null);
    assert.is(plain.headers['content-encoding'], undefined);
    assert.ok(plain.body.length >= 1_024);
    for (const [accepted, encoding, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync],
      ['identity', undefined, Buffer.from],
      ['deflate', undefined, Buffer.from],
      ['gzip;q=0', undefined, Buffer.from],
    ] as const) {
      const { headers, body } = await ask(address, accepted);
      assert.is(headers['content-encoding'], encoding, accepted);
      assert.is(headers.vary, 'Accept-Encoding', accepted);
      assert.is(Number(headers['content-length']), body.length, accepted);
      assert.equal(decode(body), plain.body, accepted);
    }
  });

compression('a long receipt is compressed, a short one is not', async (context) => {
  const headers = bearer(context.accounts);
  // With a slash at its end, an address takes the way of the router.
  for (const slash of ['', '/']) {
    const long = await ask(`${context.long}${slash}`, 'gzip', headers);
    assert.is(long.headers['content-encoding'], 'gzip');
    const receipt = JSON.parse(gunzipSync(long.body).toString()) as { accepted: number };
    assert.is(receipt.accepted, 30);
    const short = await ask(`${context.short}${slash}`, 'gzip', headers);
    assert.is(short.headers['content-encoding'], undefined);
    assert.is((JSON.parse(short.body.toString()) as { accepted: number }).accepted, 1);
  }
});

compression(
  'the CapabilityStatement has the same ETag however it is sent',
  async ({ accounts }) => {
    const address = `${accounts.service.url}/api/registry/fhir/metadata`;
    const [plain, packed] = [await ask(address, null), await ask(address, 'gzip')];
    assert.match(plain.headers.etag ?? '', /^W\/"/);
    assert.is(packed.headers.etag, plain.headers.etag);
    for (const { headers } of [plain, packed]) assert.is(headers.vary, 'Accept-Encoding');
  },
);

compression('metrics are compressed', async ({ accounts }) => {
  const { headers, body } = await ask(`${accounts.service.url}/metrics`, 'gzip');
  assert.is(headers['content-encoding'], 'gzip');
  assert.match(gunzipSync(body).toString(), /^registry_info/m);
});

compression('no page with the token of a form is compressed', async ({ accounts }) => {
  const { service, members } = accounts;
  const visitor = await signInVisitor(service.url, members.Admin);
  for (const path of [
    '/sign-in',
    '/registry',
    '/registry/records',
    '/registry/integrations',
    '/no',
  ]) {
    const address = `${service.url}${path}`;
    const accept = { Accept: 'text/html', Cookie: path === '/sign-in' ? '' : visitor.cookie() };
    const { headers, body } = await ask(address, 'gzip, br', accept);
    assert.is(headers['content-encoding'], undefined, path);
    assert.ok(body.length >= 1_024, path);
  }
});

compression.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Scope } from '../../domain/api-key/events.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { eventually } from '../harness/eventually.ts';
import {
  newPractice,
  push,
  sharedTestService,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { birthBundle, observation } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';

const BUNDLE = '/api/registry/fhir/Bundle';
const RECORD = '/api/registry/fhir/Bundle/{submission_uuid}';
const ALL: readonly Scope[] = ['ingest:write', 'ingest:read', 'export:read'];

interface Searchset {
  readonly meta?: { readonly lastUpdated: string };
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly { readonly fullUrl: string; readonly resource: JsonObject }[];
}

const get = (address: string, token: string, method = 'GET'): Promise<Response> =>
  fetch(address, { method, headers: { Authorization: `Bearer ${token}` } });

const chartOf = ({ identifier }: JsonObject): unknown => (identifier as JsonObject)?.['value'];

const chartsOf = ({ entry = [] }: Searchset): readonly unknown[] =>
  entry.map(({ resource }) => chartOf(resource));

const nextOf = ({ link }: Searchset): string | undefined =>
  link.find(({ relation }) => relation === 'next')?.url;

const compositionOf = (bundle: JsonObject): JsonObject =>
  (bundle['entry'] as readonly { readonly resource: JsonObject }[])[0]?.resource ?? {};

/** The mother has no name unless one is given: no two births look alike. */
const birth = (chartNumber: string, parts: Parameters<typeof birthBundle>[0] = {}): JsonObject =>
  birthBundle({ chartNumber, mother: { family: null, given: [] }, ...parts });

const exporting = suite<{ service: TestService }>('records leave through the API');
exporting.before(async (context) => {
  context.service = await sharedTestService();
});
exporting.after(({ service }) => service.stop());

const sent = async (service: TestService, token: string, bundle: unknown): Promise<string> => {
  const receipt = await push(service.url, token, bundle);
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  const [entry] = receipt.outcome.accepted;
  if (entry === undefined) throw new Error(JSON.stringify(receipt.outcome.rejected));
  return entry.submission_uuid;
};

const pageAt = async (address: string, token: string): Promise<Searchset> =>
  (await checkContract(BUNDLE, 'get', await get(address, token))) as Searchset;

exporting(
  'a record is one document Bundle, with its chart number, stamp and version',
  async (context) => {
    const { service } = context;
    const { token } = await newPractice(service.commands, ALL);
    const id = await sent(service, token, birth('EXP-1', { lastUpdated: '2026-03-12T10:00:00Z' }));
    const address = `${service.url}${BUNDLE}/${id}`;
    const response = await get(address, token);
    assert.is(response.status, 200);
    assert.is(response.headers.get('content-type'), 'application/fhir+json; charset=utf-8');
    assert.is(response.headers.get('cache-control'), 'no-store');
    assert.is(response.headers.get('etag'), 'W/"1"');
    const bundle = (await checkContract(RECORD, 'get', response)) as JsonObject;
    assert.is(chartOf(bundle), 'EXP-1');
    assert.equal((bundle['meta'] as JsonObject)['lastUpdated'], '2026-03-12T10:00:00Z');
    assert.is(compositionOf(bundle)['status'], 'final');
    const head = await get(address, token, 'HEAD');
    assert.is(head.status, 200);
    assert.is(await head.text(), '');
    for (const [method, where] of [
      ['DELETE', address],
      ['PUT', `${service.url}${BUNDLE}`],
    ] as const) {
      const refused = await get(where, token, method);
      assert.is(refused.status, 405);
      assert.ok(refused.headers.get('allow')?.startsWith('GET, HEAD'));
    }
  },
);

exporting(
  'without the scope it is 403, without a key 401, and another practice’s record is 404',
  async (context) => {
    const { service } = context;
    const { token } = await newPractice(service.commands, ALL);
    const id = await sent(service, token, birth('EXP-2'));
    const addresses = [
      [BUNDLE, `${service.url}${BUNDLE}`],
      [RECORD, `${service.url}${BUNDLE}/${id}`],
    ] as const;
    const unscoped = await newPractice(service.commands, ['ingest:write', 'ingest:read']);
    const stranger = await newPractice(service.commands, ALL);
    for (const [path, address] of addresses) {
      const refused = await get(address, unscoped.token);
      assert.is(refused.status, 403);
      await checkContract(path, 'get', refused);
      const unknown = await get(address, 'rgk_nobody');
      assert.is(unknown.status, 401);
      await checkContract(path, 'get', unknown);
    }
    for (const one of [id, 'nothing', '%00', id.toUpperCase()]) {
      const missing = await get(`${service.url}${BUNDLE}/${one}`, stranger.token);
      assert.is(missing.status, 404, one);
      await checkContract(RECORD, 'get', missing);
    }
    assert.equal(chartsOf(await pageAt(`${service.url}${BUNDLE}`, stranger.token)), []);
  },
);

exporting('what was voided leaves as a Bundle that voids', async ({ service }) => {
  const { token } = await newPractice(service.commands, ALL);
  const id = await sent(service, token, birth('EXP-3'));
  await sent(service, token, birth('EXP-3', { composition: { status: 'entered-in-error' } }));
  const bundle = (await (await get(`${service.url}${BUNDLE}/${id}`, token)).json()) as JsonObject;
  assert.is(compositionOf(bundle)['status'], 'entered-in-error');
  const page = await pageAt(`${service.url}${BUNDLE}`, token);
  assert.equal(
    page.entry?.map(({ resource }) => compositionOf(resource)['status']),
    ['entered-in-error'],
  );
});

exporting(
  'pages hold each record once, oldest change first, and follow what changes meanwhile',
  async ({ service }) => {
    const { token } = await newPractice(service.commands, ALL);
    const charts = Array.from({ length: 7 }, (_, index) => `PAGE-${index}`);
    for (const chart of charts) await sent(service, token, birth(chart));
    const first = await pageAt(`${service.url}${BUNDLE}?_count=3`, token);
    assert.equal(chartsOf(first), charts.slice(0, 3));
    // One that was on the page already, one that is still to come, and one that is new.
    for (const chart of ['PAGE-1', 'PAGE-5', 'PAGE-7'])
      await sent(service, token, birth(chart, { children: [{ weight: 3_111 }] }));
    const second = await pageAt(nextOf(first) ?? '', token);
    assert.equal(chartsOf(second), ['PAGE-3', 'PAGE-4', 'PAGE-6']);
    const third = await pageAt(nextOf(second) ?? '', token);
    assert.equal(chartsOf(third), ['PAGE-1', 'PAGE-5', 'PAGE-7']);
    assert.is(nextOf(third), undefined);
    assert.ok(JSON.stringify(third).includes('3111'), 'in the version after the change');
  },
);

exporting(
  'a search asks for changes since an instant, that instant included, or for one chart number',
  async ({ service }) => {
    const { token } = await newPractice(service.commands, ALL);
    await sent(service, token, birth('SINCE-1'));
    const before = await pageAt(`${service.url}${BUNDLE}`, token);
    const since = before.meta?.lastUpdated ?? '';
    await sent(service, token, birth('SINCE-2'));
    const search = (query: string) => pageAt(`${service.url}${BUNDLE}?${query}`, token);
    assert.equal(chartsOf(await search(`_since=${since}`)), ['SINCE-1', 'SINCE-2']);
    const later = new Date(Date.parse(since) + 1).toISOString();
    assert.equal(chartsOf(await search(`_since=${later}`)), ['SINCE-2']);
    const offset = later.replace('Z', '+00:00');
    assert.equal(chartsOf(await search(`_since=${offset}`)), ['SINCE-2'], 'a plus sign as it is');
    const nothing = await search('_since=2999-01-01T00:00:00Z');
    assert.is(nothing.entry, undefined);
    assert.equal(chartsOf(await search('identifier=SINCE-1')), ['SINCE-1']);
    assert.equal(chartsOf(await search('identifier=since-1')), []);
  },
);

exporting(
  'a search that cannot be read is 400, in words, and says nothing back',
  async ({ service }) => {
    const { token } = await newPractice(service.commands, ALL);
    for (const query of [
      '_count=0',
      '_count=-1',
      '_count=ten',
      '_count=1.5',
      '_since=yesterday',
      '_since=2026-05-13',
      '_since=2026-02-30T10:00:00Z',
      'identifier=',
      '_cursor=MTIz',
      '_cursor=',
      '_cursor=djEuOTk5OTk5OTk5OTk5OTk5OTk5OQ',
      '_format=xml',
      'since=2026-05-12T14:03:00Z',
      '_count=1&_count=2',
    ]) {
      const refused = await get(`${service.url}${BUNDLE}?${query}`, token);
      assert.is(refused.status, 400, query);
      const outcome = (await checkContract(BUNDLE, 'get', refused)) as {
        issue: readonly { diagnostics: string }[];
      };
      const value = query.split('=')[1] ?? '';
      if (value.length > 3) assert.not.ok(outcome.issue[0]?.diagnostics.includes(value), query);
    }
    for (const query of [
      '_count=100000',
      '_format=json',
      '_format=application/fhir+json',
      '_count=1',
    ])
      assert.is((await get(`${service.url}${BUNDLE}?${query}`, token)).status, 200, query);
  },
);

exporting('a page can be pushed as it is: a batch', async ({ service }) => {
  const { token } = await newPractice(service.commands, ALL);
  await sent(service, token, birth('BACK-1'));
  await sent(service, token, birth('BACK-2', { children: [{ order: 1 }, { order: 2 }] }));
  const page = await pageAt(`${service.url}${BUNDLE}`, token);
  const receipt = await push(service.url, token, page);
  assert.is(receipt.status, 'completed');
  if (receipt.status === 'completed') assert.equal([receipt.accepted, receipt.rejected], [2, 0]);
});

exporting(
  'without a chart number it comes back as another record, flagged',
  async ({ service }) => {
    const { token } = await newPractice(service.commands, ALL);
    const id = await sent(service, token, birthBundle({ chartNumber: null }));
    const bundle = (await (await get(`${service.url}${BUNDLE}/${id}`, token)).json()) as JsonObject;
    const receipt = await push(service.url, token, bundle);
    if (receipt.status !== 'completed') throw new Error(receipt.status);
    const [entry] = receipt.outcome.accepted;
    assert.is.not(entry?.submission_uuid, id);
    assert.is(entry?.suspected_duplicate, true);
  },
);

exporting(
  'every record that leaves is in the access log, with the key and its version',
  async ({ service }) => {
    const practice = await newPractice(service.commands, ALL);
    const { token, practiceId, keyId } = practice;
    const id = await sent(service, token, birth('LOG-1'));
    await sent(service, token, birth('LOG-1', { children: [{ weight: 3_000 }] }));
    await get(`${service.url}${BUNDLE}/${id}`, token);
    await get(`${service.url}${BUNDLE}?_since=2020-01-01T00:00:00Z`, token);
    await get(`${service.url}${BUNDLE}?_since=2999-01-01T00:00:00Z`, token);
    const query = { person: null, record: null, kind: 'exports' } as const;
    const { entries } = await service.commands.accessLog(practiceId, query);
    assert.equal(
      entries.map(({ type, actor, exported, rows, filters }) => [
        type,
        actor.kind,
        actor.id,
        exported,
        rows,
        filters,
      ]),
      [
        ['DataExported', 'key', keyId, 'records-api', 1, ['since']],
        ['DataExported', 'key', keyId, 'records-api', 1, []],
      ],
    );
    const ofRecord = await service.commands.accessLog(null, { ...query, record: id });
    assert.equal(
      ofRecord.entries.map(({ type, exported, purpose }) => [type, exported, purpose]),
      [
        ['RecordsExported', 'records-api', 'exporting'],
        ['RecordsExported', 'records-api', 'exporting'],
      ],
    );
  },
);

exporting(
  'a partner reads what it sent itself, de-identified, and nothing else',
  async ({ service }) => {
    const practice = await newPractice(service.commands, ALL);
    const feed = await newPartnerFeed(service.commands, practice.practiceId);
    const other = await newPartnerFeed(service.commands, practice.practiceId);
    const named = {
      mother: { family: 'Qzxvbhkwfamily', given: ['Qzxvbhkwgiven'], birthDate: '1990-07-23' },
      children: [
        {
          family: 'Qzxvbhkwchild',
          birthDate: '2026-02-19',
          birthTime: '2026-02-19T04:31:07-05:00',
        },
      ],
      more: [observation('56077-1', { valueString: 'Qzxvbhkwheavy' }, 'Patient/mother')],
    };
    // A native record that the partner amends keeps what the practice knows of it.
    const amended = await sent(service, practice.token, birth('PART-1', named));
    await sent(service, feed, birth('PART-1', { children: [{ weight: 3_210 }] }));
    const own = await sent(
      service,
      feed,
      attendedBirth(
        { attendant: { identity: 'prov-1', name: 'Dr. Maple' } },
        { chartNumber: 'PART-2' },
      ),
    );
    const native = await sent(service, practice.token, birth('PART-3', named));
    const overtaken = await sent(service, feed, birth('PART-4'));
    await sent(
      service,
      practice.token,
      birth('PART-4', { mother: { family: 'Qzxvbhkwlater', given: ['A'] } }),
    );
    const others = await sent(service, other, birth('PART-5'));
    const voided = await sent(service, feed, birth('PART-6'));
    await sent(
      service,
      practice.token,
      birth('PART-6', { composition: { status: 'entered-in-error' } }),
    );

    const read = (id: string, token: string) => get(`${service.url}${BUNDLE}/${id}`, token);
    const identified = await (await read(amended, practice.token)).text();
    assert.ok(
      identified.includes('Qzxvbhkwfamily') && identified.includes('3210'),
      'the practice has both',
    );
    const masked = await read(amended, feed);
    assert.is(masked.status, 200);
    const text = await masked.text();
    for (const secret of ['Qzxvbhkw', '1990-07-23', '2026-02-19', '04:31'])
      assert.not.ok(text.includes(secret), secret);
    assert.ok(text.includes('3210'), 'what the partner sent is there');
    for (const id of [native, overtaken, others]) assert.is((await read(id, feed)).status, 404);

    const page = await pageAt(`${service.url}${BUNDLE}`, feed);
    assert.equal(chartsOf(page), ['PART-1', 'PART-2', 'PART-6']);
    assert.not.ok(JSON.stringify(page).includes('Qzxvbhkw'));
    assert.ok(JSON.stringify(page).includes('prov-1'), 'its own provider ids');
    assert.is((await read(own, feed)).status, 200);
    assert.is(
      compositionOf((await (await read(voided, feed)).json()) as JsonObject)['status'],
      'entered-in-error',
    );
    assert.equal(chartsOf(await pageAt(`${service.url}${BUNDLE}`, other)), ['PART-5']);
    assert.is(chartsOf(await pageAt(`${service.url}${BUNDLE}`, practice.token)).length, 6);

    // What a partner reads of its own feed is no export of the practice's.
    const unexported = () =>
      service.commands.accessLog(null, { person: null, record: own, kind: 'exports' });
    await eventually(
      'it is in the access log',
      async () => (await unexported()).entries.length > 0,
    );
  },
);

exporting.run();

const limited = suite<{ service: TestService }>('the rate limit of exports');
limited.before(async (context) => {
  context.service = await startTestService({ RATE_LIMIT_PER_MINUTE: '4' });
});
limited.after(({ service }) => service.stop());

limited('exports, polls and submissions share one bucket', async ({ service }) => {
  const { token } = await newPractice(service.commands, ALL);
  const address = `${service.url}${BUNDLE}`;
  for (const one of [address, `${address}?_count=0`, `${address}/nothing`, address])
    assert.ok((await get(one, token)).headers.has('x-ratelimit-remaining'));
  const refused = await get(address, token);
  assert.is(refused.status, 429);
  await checkContract(BUNDLE, 'get', refused);
});

limited.run();

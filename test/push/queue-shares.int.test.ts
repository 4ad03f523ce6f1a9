import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Service, startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { SCOPES } from '../../domain/api-key/events.ts';
import {
  newPractice,
  openTestRegistry,
  post,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';
import { checkContract } from '../support/contract.ts';

/** Two processes that take pushes, and none that works them off. */
interface Shared {
  service: TestService;
  second: Service;
  stores: Stores;
}

const shares = suite<Shared>('shares of the queue');

const LIMIT = 300;
const SHARE = 240;
const PUSHES = 60;
const KEYS = 8;
/** Of each key, in each process. */
const AT_ONCE = 1;
const BUNDLE = '/api/registry/fhir/Bundle';

shares.before(async (context) => {
  const changes = { ROLE: 'api', QUEUE_LIMIT_RECORDS: String(LIMIT) };
  context.service = await startTestService(changes);
  context.second = await startService(context.service.settings, openServiceLog('silent'));
  await context.second.started;
  context.stores = await openStores(context.service.settings, 'command', openServiceLog('silent'));
});
shares.before.each(async ({ stores }) => {
  await sql`delete from app.submission`.execute(stores.db);
});
shares.after(async ({ service, second, stores }) => {
  await stores?.close();
  await second?.stop();
  await service?.stop();
});

const heldBy = async ({ stores }: Shared, practiceId: string): Promise<number> => {
  const { rows } = await sql<{ courses: string }>`
    select coalesce(sum(courses), 0) as courses from app.submission
    where practice_id = ${practiceId}`.execute(stores.db);
  return Number(rows[0]?.courses);
};

/** Native keys, and a partner's: all count to their practice. */
const mintKeys = async ({ service: { commands } }: Shared, practiceId: string) => {
  const partnerId = await commands.partners.create({
    name: 'Maple EHR',
    beta: true,
    status: 'Active',
  });
  const order = { practiceId, name: null, scopes: SCOPES };
  const minted = [await commands.keys.mintPartner({ ...order, partnerId })];
  while (minted.length < KEYS) minted.push(await commands.keys.mintNative(order));
  return minted.map(({ token }) => token);
};

interface Outcome {
  readonly issue: readonly { readonly code: string; readonly diagnostics: string }[];
}

/** Whatever is refused is refused because of this, and says when to come again. */
const requireLimit = async (answer: Response, text: RegExp): Promise<void> => {
  assert.is(answer.status, 503);
  assert.ok(Number(answer.headers.get('retry-after')) >= 1);
  const { issue } = (await checkContract(BUNDLE, 'post', answer)) as Outcome;
  assert.is(issue[0]?.code, 'transient');
  assert.match(issue[0]?.diagnostics ?? '', text);
};

/** Pushes with every key through both processes until told to stop. */
const flood = (urls: readonly string[], tokens: readonly string[]) => {
  let isOver = false;
  let number = 0;
  const refusals = new Set<string>();
  const push = async (url: string, token: string): Promise<void> => {
    while (!isOver) {
      number += 1;
      const answer = await post(url, token, birthBundle({ chartNumber: `F-${number}` }));
      const { issue } = (await answer.json()) as Outcome;
      if (answer.status !== 202) refusals.add(issue[0]?.diagnostics.split(',')[0] ?? '');
    }
  };
  const all = Array.from({ length: AT_ONCE }, () =>
    urls.flatMap((url) => tokens.map((token) => push(url, token))),
  ).flat();
  return {
    /** @returns begin of each text of a refusal */
    stop: async (): Promise<readonly string[]> => {
      isOver = true;
      await Promise.all(all);
      return [...refusals];
    },
  };
};

shares(
  'while one practice floods with all its keys, every push of another is taken',
  async (context) => {
    const { service, second } = context;
    const busy = await newPractice(service.commands);
    const other = await newPractice(service.commands);
    const urls = [service.url, second.url];
    const flooding = flood(urls, await mintKeys(context, busy.practiceId));
    const statuses: number[] = [];
    let refusals: readonly string[] = [];
    try {
      while ((await heldBy(context, busy.practiceId)) < SHARE / 2);
      for (let n = 0; n < PUSHES; n += 1) {
        const url = urls[n % 2] ?? service.url;
        const bundle = birthBundle({ chartNumber: `O-${n}` });
        statuses.push((await post(url, other.token, bundle)).status);
      }
    } finally {
      refusals = await flooding.stop();
    }
    assert.equal(refusals, ['Your practice has used up its share of the queue']);
    assert.equal(
      statuses,
      Array.from({ length: PUSHES }, () => 202),
    );
    const held = await heldBy(context, busy.practiceId);
    assert.ok(held + PUSHES <= LIMIT, `${held}`);
  },
);

shares(
  'a practice alone fills 80 % of the limit, others are served until the limit, and each refusal names its limit',
  async (context) => {
    const { service } = context;
    const busy = await newPractice(service.commands);
    const other = await newPractice(service.commands);
    const tokens = await mintKeys(context, busy.practiceId);
    // Batches, so that it is the records that count.
    const batch = (n: number) =>
      batchOf(
        Array.from({ length: 10 }, (_, place) =>
          birthBundle({ chartNumber: `B-${n * 10 + place}` }),
        ),
      );
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        post(service.url, tokens[n % KEYS] ?? busy.token, batch(n)),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 202);
    for (const answer of refused) await requireLimit(answer, /its share/);
    assert.is(await heldBy(context, busy.practiceId), SHARE);
    for (let n = 0; n < PUSHES; n += 1) {
      const taken = await post(service.url, other.token, birthBundle({ chartNumber: `U-${n}` }));
      assert.is(taken.status, 202);
    }
    const full = await post(service.url, other.token, birthBundle({ chartNumber: 'U-full' }));
    await requireLimit(full, /queue is full/);
  },
);

shares('what leaves the queue makes room at once', async (context) => {
  const { service, stores } = context;
  const busy = await newPractice(service.commands);
  const whole = batchOf(
    Array.from({ length: SHARE }, (_, n) => birthBundle({ chartNumber: `W-${n}` })),
  );
  assert.is((await post(service.url, busy.token, whole)).status, 202);
  assert.is((await post(service.url, busy.token, birthBundle())).status, 503);
  await sql`delete from app.submission`.execute(stores.db);
  assert.is((await post(service.url, busy.token, birthBundle())).status, 202);
});

shares('the changes add up to the content of the queue, folded or not', async (context) => {
  const { service, stores } = context;
  const practice = await newPractice(service.commands);
  const { rows: before } = await sql`
    select from app.queue_change where practice_id = ${practice.practiceId}`.execute(stores.db);
  assert.is(before.length, 0);
  for (let n = 0; n < 3; n += 1)
    assert.is(
      (await post(service.url, practice.token, birthBundle({ chartNumber: `L-${n}` }))).status,
      202,
    );
  // More than a process leaves unfolded.
  await sql`
    insert into app.queue_change (practice_id, courses, bytes)
    select ${practice.practiceId}, sign, sign
    from generate_series(1, 2000), (values (1), (-1)) as each (sign)`.execute(stores.db);
  const sum = async () => {
    const { rows } = await sql<{ courses: string; bytes: string; changes: string }>`
      select sum(courses) as courses, sum(bytes) as bytes, count(*) as changes
      from app.queue_change where practice_id = ${practice.practiceId}`.execute(stores.db);
    const { rows: queued } = await sql<{ courses: string; bytes: string }>`
      select sum(courses) as courses, sum(bytes) as bytes from app.submission
      where practice_id = ${practice.practiceId}`.execute(stores.db);
    assert.is(rows[0]?.courses, queued[0]?.courses);
    assert.is(rows[0]?.bytes, queued[0]?.bytes);
    return Number(rows[0]?.changes);
  };
  assert.ok((await sum()) > 2_000);
  while ((await sum()) > 1_000) await post(service.url, practice.token, birthBundle());
});

shares(
  'the changes of many practices, which folding would leave, are not folded',
  async (context) => {
    const { service, stores } = context;
    const { queue } = await openTestRegistry(stores, service.settings);
    await sql`
    insert into app.queue_change (practice_id, courses, bytes)
    select 'many-' || number, 0, 1 from generate_series(1, 1500) number`.execute(stores.db);
    const listRows = async () => {
      const { rows } = await sql`
      select practice_id, ctid::text from app.queue_change where practice_id like 'many-%'
      order by practice_id`.execute(stores.db);
      return rows;
    };
    // Folds what the other tests have left.
    await queue.countQueued();
    const before = await listRows();
    await queue.countQueued();
    assert.equal(await listRows(), before);
    assert.is(before.length, 1_500);
  },
);

shares.run();

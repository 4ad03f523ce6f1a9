import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newMember, newVisitor, PASSWORD, type TestAccount } from '../harness/pages.ts';
import { newPractice, startTestService, type TestService } from '../harness/service.ts';

/** Somebody at the sign-in who has no business there. */
const guessing = suite<Context>('guessing at the sign-in');

interface Context {
  service: TestService;
  accounts: readonly TestAccount[];
}

const ACCOUNTS = 4;
const WINDOW_SECONDS = 15 * 60;
const MAX_FROM_ONE_ADDRESS = 10;
const MAX_FROM_ALL_ADDRESSES = 100;

guessing.before(async (context) => {
  // Each guess comes from an address of its own: only the accounts count.
  context.service = await startTestService({ TRUST_PROXY: 'loopback' });
  const { practiceId } = await newPractice(context.service.commands);
  context.accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, n) =>
      newMember(context.service, practiceId, 'Viewer', `viewer-${n}@cedar.example`),
    ),
  );
});
guessing.after(({ service }) => service.stop());

let addresses = 0;

/** Guesses, unless an address is given each from one that has not been seen before. */
const guesser = async (url: string, address?: string) => {
  const visitor = newVisitor(url);
  const _csrf = await visitor.csrfToken('/sign-in');
  return async (email: string, password = 'not the password') => {
    addresses += 1;
    const from = { 'X-Forwarded-For': address ?? `198.51.100.${addresses}` };
    const response = await visitor.send('/sign-in', { _csrf, email, password }, from);
    return { response, html: await response.text() };
  };
};

type Guess = Awaited<ReturnType<Awaited<ReturnType<typeof guesser>>>>;

/** An answer without what is another each time, and without the email that was typed. */
const seen = ({ response, html }: Guess, email: string) => ({
  status: response.status,
  html: html.replaceAll(email, 'EMAIL').replaceAll(/_csrf" value="[\w-]+"/g, ''),
  headers: [...response.headers]
    .filter(([name]) => !/^(?:date|x-correlation-id|set-cookie|content-length)$/.test(name))
    .sort(([a], [b]) => a.localeCompare(b)),
  cookies: response.headers.getSetCookie().map((cookie) => cookie.split('=')[0]),
});

guessing('an unknown email gets the same answer as a wrong password', async (c) => {
  const guess = await guesser(c.service.url);
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const known = c.accounts[n]?.email ?? '';
    const unknown = `nobody-${n}@cedar.example`;
    const answers = new Map<string, unknown>();
    for (const email of [known, unknown]) {
      const answer = await guess(email);
      assert.is(answer.response.status, 401, email);
      answers.set(email, seen(answer, email));
    }
    assert.equal(answers.get(unknown), answers.get(known));
  }
});

guessing('who is tried too often waits out the window, there or not', async (c) => {
  const known = c.accounts[0]?.email ?? '';
  const unknown = 'somebody-else@cedar.example';
  const refusals: ReturnType<typeof seen>[] = [];
  for (const email of [known, unknown]) {
    const began = performance.now();
    const guess = await guesser(c.service.url, '203.0.113.1');
    let answer = await guess(email);
    for (let n = 1; answer.response.status === 401 && n <= MAX_FROM_ONE_ADDRESS; n += 1)
      answer = await guess(email);
    assert.is(answer.response.status, 429, email);
    const seconds = Number(answer.response.headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds <= WINDOW_SECONDS, `${seconds}`);
    // The window has been opened by these guesses: nearly all of it is left.
    const passed = (performance.now() - began) / 1000;
    assert.ok(seconds >= Math.floor(WINDOW_SECONDS - passed), `${seconds} after ${passed}`);
    const later = await guess(email, PASSWORD);
    assert.is(later.response.status, 429, email);
    assert.ok(Number(later.response.headers.get('retry-after')) <= seconds);
    refusals.push({ ...seen(later, email), headers: [] });
  }
  assert.equal(withoutWait(refusals[0]), withoutWait(refusals[1]));
  // Nobody else waits for it, nor does its owner elsewhere.
  const elsewhere = await guesser(c.service.url, '203.0.113.2');
  assert.is((await elsewhere('a-third@cedar.example')).response.status, 401);
  assert.is((await elsewhere(known, PASSWORD)).response.status, 303);
});

guessing('an account tried from many places opens where it has signed in before', async (c) => {
  const tried = c.accounts[2]?.email ?? '';
  const unknown = 'nobody-at-all@cedar.example';
  const ward = '203.0.113.20';
  assert.is((await (await guesser(c.service.url, ward))(tried, PASSWORD)).response.status, 303);
  const refusals: string[] = [];
  for (const email of [tried, unknown]) {
    const held = await Promise.all(
      Array.from({ length: MAX_FROM_ALL_ADDRESSES / MAX_FROM_ONE_ADDRESS + 1 }, async (_, n) => {
        const guess = await guesser(c.service.url, `192.0.2.${n}`);
        let last = await guess(email);
        for (
          let tries = 1;
          tries < MAX_FROM_ONE_ADDRESS && last.response.status === 401;
          tries += 1
        )
          last = await guess(email);
        return last.response.status;
      }),
    );
    assert.ok(held.includes(429), email);
    const guess = await guesser(c.service.url, '203.0.113.21');
    refusals.push(withoutWait({ ...seen(await guess(email, PASSWORD), email), headers: [] }));
  }
  assert.is(refusals[0], refusals[1]);
  for (const text of ['"status":429', 'data-message=\\"wait\\"', 'data-message=\\"many-places\\"'])
    assert.ok(refusals[0]?.includes(text), text);
  assert.is((await (await guesser(c.service.url, ward))(tried, PASSWORD)).response.status, 303);
});

const withoutWait = (refusal: unknown): string =>
  JSON.stringify(refusal).replaceAll(/Wait \d+ minutes?/g, 'Wait');

guessing.run();

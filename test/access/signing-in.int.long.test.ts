import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { passwordsBusy } from '../../api/web/page-problem.ts';
import { newMember, newVisitor, PASSWORD } from '../harness/pages.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { newPractice, startTestService, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const ACCOUNTS = 4;
const TRIES = 32;

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test('an unknown email is refused in the same time as a wrong password', async () => {
  // Each guess comes from an address of its own: only the accounts count.
  const service = await startTestService({ TRUST_PROXY: 'loopback' });
  try {
    const { practiceId } = await newPractice(service.commands);
    const emails = Array.from({ length: ACCOUNTS }, (_, n) => `viewer-${n}@cedar.example`);
    for (const email of emails) await newMember(service, practiceId, 'Viewer', email);
    const visitor = newVisitor(service.url);
    const _csrf = await visitor.csrfToken('/sign-in');
    let addresses = 0;
    const msOf = async (email: string): Promise<number> => {
      addresses += 1;
      const from = { 'X-Forwarded-For': `198.51.100.${addresses}` };
      const began = performance.now();
      const form = { _csrf, email, password: 'not the password' };
      const { status } = await visitor.send('/sign-in', form, from);
      assert.is(status, 401);
      return performance.now() - began;
    };
    const times: Readonly<Record<'known' | 'unknown', number[]>> = { known: [], unknown: [] };
    for (let n = 0; n < TRIES; n += 1) {
      // By turns, and each first as often as second: a slow moment of the machine is slow for both.
      const turns = [
        ['known', emails[n % ACCOUNTS] ?? ''],
        ['unknown', `nobody-${n}@cedar.example`],
      ] as const;
      for (const [kind, email] of n % 2 === 0 ? turns : turns.toReversed())
        times[kind].push(await msOf(email));
    }
    // argon2 is most of the time of a try: without it the ratio is a third.
    const ratio = medianOf(times.unknown) / medianOf(times.known);
    assert.ok(ratio > 0.6 && ratio < 1.7, `ratio of the medians: ${ratio}`);
  } finally {
    await service.stop();
  }
});

test('50 guesses at once from one address do not keep other people from signing in', async () => {
  // The costs of production: 50 at once would take every processor for seconds.
  const directory = temporaryDirectory('sign-in');
  await copyFreshCluster(directory.path);
  const settings = testSettings(directory.path, { TRUST_PROXY: 'loopback' });
  const service = await startService(settings, openServiceLog('silent'));
  await service.started;
  const commands = await openCommands(settings, openServiceLog('silent'));
  try {
    const { practiceId } = await newPractice(commands);
    const email = 'ada@cedar.example';
    await commands.accounts.addMember({ practiceId, role: 'Viewer', email, password: PASSWORD });
    const signIn = async (from: string, typed: string, password: string) => {
      const visitor = newVisitor(service.url);
      const _csrf = await visitor.csrfToken('/sign-in');
      const form = { _csrf, email: typed, password };
      return () => visitor.send('/sign-in', form, { 'X-Forwarded-For': from });
    };
    const guesses = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        signIn('198.51.100.1', `guess-${n}@cedar.example`, 'not the password'),
      ),
    );
    const own = await signIn('203.0.113.1', email, PASSWORD);
    const guessing = Promise.all(guesses.map((guess) => guess()));
    const [signedIn, guessed] = await Promise.all([own(), guessing]);
    assert.is(signedIn.status, 303);
    for (const answer of guessed) {
      assert.ok([401, 503].includes(answer.status), `${answer.status}`);
      if (answer.status === 401) continue;
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
      assert.match(await answer.text(), passwordsBusy().heading);
    }
  } finally {
    await commands.close();
    await service.stop();
    directory.remove();
  }
});

test.run();

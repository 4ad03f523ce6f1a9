import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newMember, newVisitor } from '../harness/pages.ts';
import { newPractice, startTestService } from '../harness/service.ts';

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

test.run();

import type { Request } from 'express';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { keepChallenge, takeChallenge } from '../../../api/web/session/passkey-challenge.ts';

const NOW = new Date('2026-11-24T10:00:00Z');
const minutesLater = (minutes: number): Date => new Date(NOW.getTime() + minutes * 60_000);

/** What is taken once for an account is taken, whatever request asks. */
const memory = () => {
  const taken = new Set<string>();
  return {
    take: async (accountId: string, formId: string) => {
      const name = `${accountId} ${formId}`;
      const isNew = !taken.has(name);
      taken.add(name);
      return isNew;
    },
  };
};

/** A request of a session in which a challenge to show a passkey is kept. */
const asked = (): Request => {
  const req = { session: {} } as Request;
  keepChallenge(req, 'show', 'random', NOW);
  return req;
};

const at = (now: Date) => ({ usedForms: memory(), now: () => now });

test('a challenge is taken once', async () => {
  const req = asked();
  assert.is(await takeChallenge(req, 'show', 'ada', at(NOW)), 'random');
  assert.is(await takeChallenge(req, 'show', 'ada', at(NOW)), null);
});

test('of two requests that have both read the session one takes it', async () => {
  const context = at(NOW);
  const taken = await Promise.all(
    [asked(), asked()].map((req) => takeChallenge(req, 'show', 'ada', context)),
  );
  assert.equal(taken, ['random', null]);
});

test('it is over after five minutes', async () => {
  assert.is(await takeChallenge(asked(), 'show', 'ada', at(minutesLater(4))), 'random');
  assert.is(await takeChallenge(asked(), 'show', 'ada', at(minutesLater(5))), null);
});

test('one to show a passkey adds none, and is over', async () => {
  const req = asked();
  assert.is(await takeChallenge(req, 'add', 'ada', at(NOW)), null);
  assert.is(await takeChallenge(req, 'show', 'ada', at(NOW)), null);
});

test.run();

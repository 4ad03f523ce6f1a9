import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSetUpLink, SET_UP_HOURS } from '../../api/access/set-up-link.ts';

const link = suite('the set-up link');

const START_MS = Date.parse('2026-03-12T09:00:00Z');
const HOURS_MS = SET_UP_HOURS * 3_600_000;

const opened = () => {
  const clock = { ms: START_MS };
  let tokens = 0;
  const setUpLink = createSetUpLink(
    () => new Date(clock.ms),
    () => {
      tokens += 1;
      return `token-${tokens}`;
    },
  );
  const token = setUpLink.open();
  return { clock, setUpLink, token, entry: setUpLink.enter(token) ?? '' };
};

link('opens by its token alone, and what a session keeps of it does not say the token', () => {
  const { setUpLink, token, entry } = opened();
  assert.ok(setUpLink.isOpenTo(entry));
  assert.not.match(entry, token);
  assert.is(setUpLink.enter('token-2'), null);
  assert.is(setUpLink.enter(''), null);
  assert.is(setUpLink.enter(entry), null, 'the digest is no token');
  for (const other of [undefined, '', token]) assert.not(setUpLink.isOpenTo(other));
});

link('opens nothing before it is made', () => {
  const setUpLink = createSetUpLink(
    () => new Date(START_MS),
    () => 'token',
  );
  assert.is(setUpLink.enter('token'), null);
  assert.not(setUpLink.isOpenTo('token'));
});

link('ends after its hours, also for a session that came by it before', () => {
  const { clock, setUpLink, token, entry } = opened();
  clock.ms = START_MS + HOURS_MS - 1;
  assert.ok(setUpLink.isOpenTo(entry));
  clock.ms = START_MS + HOURS_MS;
  assert.not(setUpLink.isOpenTo(entry));
  assert.is(setUpLink.enter(token), null);
});

link('ends when another is made', () => {
  const { setUpLink, token, entry } = opened();
  const next = setUpLink.open();
  assert.not(setUpLink.isOpenTo(entry));
  assert.is(setUpLink.enter(token), null);
  assert.is.not(setUpLink.enter(next), null);
});

link('of two forms sent at once one is taken, and none after it', async () => {
  const { setUpLink, entry } = opened();
  let works = 0;
  const work = async () => {
    works += 1;
    await new Promise(setImmediate);
    return works;
  };
  const answers = await Promise.all([setUpLink.use(entry, work), setUpLink.use(entry, work)]);
  assert.equal(answers, [1, null]);
  assert.is(await setUpLink.use(entry, work), null);
  assert.is(works, 1);
});

link('works again when the work could not be done', async () => {
  const { setUpLink, entry } = opened();
  const fault = new Error('The log is away.');
  const answer = await setUpLink.use(entry, () => Promise.reject(fault)).catch((error) => error);
  assert.is(answer, fault);
  assert.is(await setUpLink.use(entry, async () => 'done'), 'done');
});

link.run();

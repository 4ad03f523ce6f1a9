import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRowCipher, createTextCipher } from '../../../adapters/crypto/sealing.ts';
import { createFlowStates } from '../../../api/single-sign-on/flow-state.ts';
import { soleKey } from '../../support/in-memory.ts';

const BEGUN = Date.parse('2026-11-24T12:00:00Z');
const MINUTE_MS = 60_000;
let nowMs = BEGUN;
const cipher = createRowCipher(soleKey());
const textCipher = createTextCipher(cipher);
const flows = createFlowStates({ textCipher, now: () => new Date(nowMs) });
const flow = {
  practiceId: null,
  secrets: { nonce: 'the nonce', verifier: 'the verifier' },
  formToken: 'the token',
  next: '/registry/births',
  generation: '7',
};

test.before.each(() => {
  nowMs = BEGUN;
});

test('a state is good for ten minutes, and holds what belongs to the sign-in', async () => {
  const state = flows.seal(flow);
  assert.equal(await flows.open(state), { ...flow, begunAt: BEGUN });
  nowMs = BEGUN + 10 * MINUTE_MS - 1;
  assert.is.not(await flows.open(state), null);
  nowMs = BEGUN + 10 * MINUTE_MS;
  assert.is(await flows.open(state), null);
});

test('nobody reads it, and no two are alike', async () => {
  const state = flows.seal(flow);
  assert.not.match(Buffer.from(state, 'base64url').toString('latin1'), /verifier|nonce|births/);
  assert.is.not(flows.seal(flow), state);
});

test('what was altered, made up, or sealed for something else is none', async () => {
  const state = flows.seal(flow);
  const altered = `${state.slice(0, -6)}AAAAAA`;
  const ofSomethingElse = textCipher.seal(JSON.stringify({ ...flow, begunAt: BEGUN }), 'search');
  const underAnotherKey = createFlowStates({
    textCipher: createTextCipher(createRowCipher(soleKey())),
    now: () => new Date(nowMs),
  }).seal(flow);
  for (const text of [altered, ofSomethingElse, underAnotherKey, '', 'made-up'])
    assert.is(await flows.open(text), null);
});

test('a page with a long address is left out: providers bound the length of one', async () => {
  const next = `/registry/${'x'.repeat(500)}`;
  assert.is((await flows.open(flows.seal({ ...flow, next })))?.next, null);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Checkpointer,
  LOG_NOT_EXTENDED,
  startCheckpointer,
} from '../../api/transparency-log/start-checkpointer.ts';
import type { NextCheckpoint } from '../../transparency-log/checkpoint.ts';
import { eventually } from '../harness/eventually.ts';

const signing = suite('signing checkpoints again and again');

const NOTHING: NextCheckpoint = { kind: 'nothing-new' };
const refused = (why: 'shorter' | 'rewritten'): NextCheckpoint => ({ kind: 'refused', why });

/** Runs until each of the steps was taken; the last one goes on. @returns what the operator was told */
const told = async (
  steps: readonly (() => Promise<NextCheckpoint>)[],
  changes: Partial<Checkpointer> = {},
): Promise<readonly string[]> => {
  const words: string[] = [];
  let taken = 0;
  const stop = startCheckpointer({
    sign: () => {
      const step = steps[Math.min(taken, steps.length - 1)] ?? (async () => NOTHING);
      taken += 1;
      return step();
    },
    place: () => null,
    askWitnesses: async () => [],
    everyMs: 1,
    hasCaughtUp: async () => true,
    noteRefusal: async () => undefined,
    warn: (one) => words.push(one),
    onFault: (error) => words.push(String(error)),
    ...changes,
  });
  await eventually('each step was taken', () => taken > steps.length);
  await stop();
  return words;
};

const ok = async () => NOTHING;
const no = (why: 'shorter' | 'rewritten') => async () => refused(why);
const fault = async () => {
  throw new Error('no database');
};

signing('a log that is not the one signed for is told of, once while it lasts', async () => {
  assert.equal(await told([ok, no('rewritten'), no('rewritten')]), [LOG_NOT_EXTENDED]);
  assert.equal(await told([no('shorter'), ok, no('shorter')]), [
    LOG_NOT_EXTENDED,
    LOG_NOT_EXTENDED,
  ]);
});

signing('a shorter tree may be one that is being filled, a rewritten one is not', async () => {
  const filling = { hasCaughtUp: async () => false };
  assert.equal(await told([no('shorter'), no('shorter')], filling), []);
  assert.equal(await told([no('rewritten')], filling), [LOG_NOT_EXTENDED]);
});

signing('a fault is told once, and it goes on', async () => {
  assert.equal(await told([fault, fault, ok]), ['Error: no database']);
});

signing('a witness is told of, and asked of nothing that was refused', async () => {
  const askWitnesses = async () => ['The witness has not signed.'];
  assert.equal(await told([ok, ok, ok], { askWitnesses }), ['The witness has not signed.']);
  assert.equal(await told([no('shorter')], { askWitnesses }), [LOG_NOT_EXTENDED]);
});

signing('what is projected while a checkpoint is being signed gets one when it stops', async () => {
  let signed = 0;
  let isSigning = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    isSigning = resolve;
  });
  let finish = (_next: NextCheckpoint): void => undefined;
  const stop = startCheckpointer({
    sign: () => {
      signed += 1;
      isSigning();
      return signed > 1
        ? ok()
        : new Promise((resolve) => {
            finish = resolve;
          });
    },
    place: () => null,
    askWitnesses: async () => [],
    everyMs: 60_000,
    hasCaughtUp: async () => true,
    noteRefusal: async () => undefined,
    warn: () => undefined,
    onFault: () => undefined,
  });
  await begun;
  const stopped = stop();
  finish(NOTHING);
  await stopped;
  assert.is(signed, 2);
});

signing('what was looked at is not looked at again until the tables change', async () => {
  const looked: string[] = [];
  let place = 'one epoch, 1';
  let signs: NextCheckpoint = refused('shorter');
  const stop = startCheckpointer({
    sign: async () => {
      looked.push(place);
      const next = signs;
      signs = NOTHING;
      return next;
    },
    place: () => place,
    askWitnesses: async () => [],
    everyMs: 1,
    hasCaughtUp: async () => true,
    noteRefusal: async () => undefined,
    warn: () => undefined,
    onFault: () => undefined,
  });
  // What was refused is looked at again.
  await eventually('it was looked at again', () => looked.length === 2);
  place = 'one epoch, 2';
  await eventually('it was looked at anew', () => looked.length === 3);
  place = 'another epoch, 2';
  await eventually('it was looked at after a rebuild', () => looked.length === 4);
  await stop();
  assert.equal(looked, ['one epoch, 1', 'one epoch, 1', 'one epoch, 2', 'another epoch, 2']);
});

signing('a witness that does not answer holds up no checkpoint, nor the stop', async () => {
  let isOver = false;
  const askWitnesses = (over: AbortSignal): Promise<readonly string[]> =>
    new Promise((resolve) => {
      over.addEventListener('abort', () => {
        isOver = true;
        resolve(['The witness has not signed.']);
      });
    });
  assert.equal(await told([ok, ok, ok, ok], { askWitnesses }), []);
  assert.ok(isOver);
});

signing.run();

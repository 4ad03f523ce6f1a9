import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createTurns } from '../../api/process/turns.ts';
import { keepBusy } from '../harness/real-time.ts';

/** Notes each step, which takes longer than a slice. */
function* workIn(steps: number, note: () => void) {
  for (let step = 0; step < steps; step += 1) {
    keepBusy(2);
    note();
    if (step < steps - 1) yield;
  }
}

test('owners take turns, and not in the order in which their work came', async () => {
  const runInTurn = createTurns();
  const order: string[] = [];
  const owners = ['cedar', 'cedar', 'cedar', 'maple', 'birch', 'maple'];
  await Promise.all(
    owners.map((owner) =>
      runInTurn(
        owner,
        workIn(1, () => order.push(owner)),
      ),
    ),
  );
  assert.equal(order, ['cedar', 'maple', 'birch', 'cedar', 'maple', 'cedar']);
});

test('owners take turns with the steps of their work; one owner does one work after the other', async () => {
  const runInTurn = createTurns();
  const order: string[] = [];
  const works: readonly (readonly [string, string])[] = [
    ['cedar', 'cedar first'],
    ['cedar', 'cedar second'],
    ['maple', 'maple'],
  ];
  await Promise.all(
    works.map(([owner, name]) =>
      runInTurn(
        owner,
        workIn(2, () => order.push(name)),
      ),
    ),
  );
  const expected = ['cedar first', 'maple', 'cedar first', 'maple'];
  assert.equal(order, [...expected, 'cedar second', 'cedar second']);
});

test('other requests get in between the steps of one work', async () => {
  const runInTurn = createTurns();
  let ended = 0;
  let seen = -1;
  setImmediate(() => {
    seen = ended;
  });
  await runInTurn(
    'cedar',
    workIn(10, () => {
      ended += 1;
    }),
  );
  assert.ok(seen >= 0 && seen < 10, `${seen}`);
});

test('results that are ready within moments are handed over together, and do not wait for long work', async () => {
  const runInTurn = createTurns();
  const order: string[] = [];
  const run = (owner: string, steps: number) =>
    runInTurn(
      owner,
      workIn(steps, () => order.push(owner)),
    ).then(() => order.push(`${owner} has it`));
  await Promise.all([run('cedar', 1), run('maple', 1)]);
  assert.equal(order.splice(0), ['cedar', 'maple', 'cedar has it', 'maple has it']);
  await Promise.all([run('cedar', 1), run('maple', 40)]);
  assert.ok(order.indexOf('cedar has it') < order.lastIndexOf('maple'));
});

test('an owner that comes while another is alone has the next turn', async () => {
  const runInTurn = createTurns();
  const order: string[] = [];
  const note = (owner: string) => () => order.push(owner);
  let later: Promise<unknown> = Promise.resolve();
  setImmediate(() => {
    later = runInTurn('maple', workIn(1, note('maple')));
  });
  await runInTurn('cedar', workIn(10, note('cedar')));
  await later;
  assert.ok(order.indexOf('maple') < 9, `${order}`);
});

function* readNext() {
  yield;
  return 'read';
}

test('a result and a fault reach their caller, and what follows runs none the less', async () => {
  const runInTurn = createTurns();
  const failing = () => {
    throw new TypeError('Not this one.');
  };
  const failed = runInTurn('cedar', workIn(1, failing));
  const next = runInTurn('cedar', readNext());
  await failed.then(
    () => assert.unreachable(),
    (error) => assert.instance(error, TypeError),
  );
  assert.is(await next, 'read');
});

test.run();

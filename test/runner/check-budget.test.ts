import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Budget, checkBudget, describeBudget } from './check-budget.ts';

const budgets = suite('the budget of a whole run');

const RECORDED = { 'a.int.test.ts': 10, 'b.int.test.ts': 20, 'c.int.test.ts': 30, 'd.test.ts': 1 };
/** What the files of the record take at another pace. */
const tookAt = (pace: number): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(RECORDED).map(([file, seconds]) => [file, seconds * pace]));
const check = (took: Readonly<Record<string, number>>): Budget => {
  const budget = checkBudget(took, RECORDED);
  assert.ok(budget);
  return budget;
};

budgets('a machine at any pace is within it', () => {
  for (const pace of [0.3, 1, 1.6, 5]) {
    const budget = check(tookAt(pace));
    assert.not(describeBudget(budget).isOver);
    assert.equal(budget.grown, []);
    assert.is(budget.pace, pace);
  }
});

budgets('a file that grew exceeds it, and is named', () => {
  for (const pace of [1, 1.6]) {
    const { isOver, text } = describeBudget(
      check({ ...tookAt(pace), 'b.int.test.ts': 2 * 20 * pace }),
    );
    assert.ok(isOver);
    assert.match(text, `  ${(40 * pace).toFixed(1)} s, ${(20 * pace).toFixed(1)} s before: b.int`);
    assert.not.match(text, 'c.int');
  }
});

budgets('a quarter more is allowed', () => {
  assert.not(describeBudget(check({ ...tookAt(1), 'c.int.test.ts': 45 })).isOver);
  assert.ok(describeBudget(check({ ...tookAt(1), 'c.int.test.ts': 46 })).isOver);
});

budgets('a new file has to be recorded once it takes more than the slack', () => {
  assert.not(describeBudget(check({ ...tookAt(1), 'new.int.test.ts': 15 })).isOver);
  const { isOver, text } = describeBudget(check({ ...tookAt(1), 'new.int.test.ts': 16 }));
  assert.ok(isOver);
  assert.match(text, '  16.0 s, 0.0 s before: new.int.test.ts');
});

budgets('what a removed file took is not for others to use', () => {
  const { 'a.int.test.ts': _, ...others } = tookAt(1);
  assert.ok(describeBudget(check({ ...others, 'c.int.test.ts': 43 })).isOver);
});

budgets('where no figures are, nothing is compared', () => {
  assert.is(checkBudget(tookAt(0), RECORDED), null);
  assert.is(checkBudget(tookAt(1), {}), null);
});

budgets.run();

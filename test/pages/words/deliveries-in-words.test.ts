import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatDeliveries } from '../../../api/pages/statistics/format-figures.ts';

const told: readonly (readonly [births: number, coursesOfCare: number, words: string])[] = [
  [1, 1, 'in 1 delivery'],
  [2, 1, 'in 1 delivery'],
  [1_250, 1_200, 'in 1,200 deliveries'],
  [1, 0, 'of a delivery that began in another period'],
  [2, 0, 'of deliveries that began in another period'],
  [0, 0, 'in 0 deliveries'],
];

for (const [births, coursesOfCare, words] of told)
  test(`births ${births} of ${coursesOfCare} deliveries are “${words}”`, () => {
    assert.is(formatDeliveries({ births, coursesOfCare }), words);
  });

test.run();

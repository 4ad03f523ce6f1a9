import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { comparedFigures } from './compare.ts';
import type { MeasuredFigure } from './report.ts';

const compare = suite('the comparison of two trees');

const figure =
  (name: string, unit: string, wanted: MeasuredFigure['wanted']) =>
  (value: number): MeasuredFigure => ({ name, value, unit, wanted, parts: {} });

const rate = figure('pushes', '/s', { atLeast: 100 });
const wait = figure('wait', 'ms', { atMost: 25 });

compare('a gain above 1 is for the better, whether more or less is wanted', () => {
  const gains = comparedFigures([{ there: [rate(100), wait(20)], here: [rate(200), wait(10)] }]);
  assert.equal(
    gains.map(({ name, gain }) => [name, gain.median]),
    [
      ['pushes', 2],
      ['wait', 2],
    ],
  );
});

compare('the gain is the median of the pairs, not the ratio of the medians', () => {
  const pairs = [
    [100, 110],
    [50, 60],
    [200, 100],
  ].map(([there, here]) => ({ there: [rate(there ?? 0)], here: [rate(here ?? 0)] }));
  assert.equal(comparedFigures(pairs), [
    {
      name: 'pushes',
      unit: '/s',
      there: 100,
      here: 100,
      gain: { median: 1.1, least: 0.5, most: 1.2 },
      pairs: 3,
    },
  ]);
});

compare(
  'a figure that only one tree measures is left out, and a pair without it does not count',
  () => {
    assert.equal(comparedFigures([{ there: [rate(1)], here: [wait(1)] }]), []);
    const [one] = comparedFigures([
      { there: [rate(100)], here: [rate(150)] },
      { there: [], here: [rate(150)] },
    ]);
    assert.is(one?.pairs, 1);
  },
);

compare.run();

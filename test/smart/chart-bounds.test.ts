import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packChart, readChart } from '../../api/reading/read-chart.ts';
import { MAX_CHILDREN } from '../../domain/course/limits.ts';
import { mapChart } from '../../domain/mapping/us-core/map-chart.ts';
import { MAX_OBSERVATIONS } from '../../domain/mapping/us-core/observations.ts';
import type { Prefill, SavedChart } from '../../domain/mapping/us-core/prefill.ts';
import {
  MAX_ENTRY_VALUES,
  MAX_LIST_LENGTH,
  type PulledChart,
} from '../../domain/mapping/us-core/pulled-chart.ts';
import { observation, quantity } from '../../scripts/ehr-simulator/resources.ts';
import { CHART_LISTS, chartOfLengths } from '../support/chart-lists.ts';
import { BORN, mapped, motherChart, newbornChart, TODAY } from '../support/charts.ts';
import { countWork } from '../support/count-work.ts';
import { runs } from '../support/runs.ts';

const bounds = suite('the bounds of a chart');

const IN_UTC = { today: TODAY, offsetAt: null };

const read = (chart: PulledChart) => mapChart(chart, IN_UTC, new Map());

/** Work of reading a chart, which the limits must not have shortened. */
const countChartWork = (chart: PulledChart): number => {
  let saved: SavedChart | null = null;
  const work = countWork(() => {
    saved = read(chart);
  });
  const { unread = [] } = (saved as SavedChart | null) ?? {};
  assert.equal(
    unread.filter(({ why }) => why === 'too-large' || why === 'incomplete'),
    [],
  );
  return work;
};

/** True if twice the length costs less than three times the work. */
const isProportional = (chartOf: (length: number) => PulledChart, length: number): boolean => {
  // Not without elements: an empty list may change how the others are read.
  // The first chart of a process looks up texts that the others find.
  countChartWork(chartOf(1));
  const least = countChartWork(chartOf(1));
  const once = countChartWork(chartOf(length)) - least;
  const twice = countChartWork(chartOf(2 * length)) - least;
  return twice < 3 * Math.max(once, length);
};

bounds('twice as many elements in a list cost less than three times the work', () => {
  const disproportionate = CHART_LISTS.filter(
    (list) => !isProportional((length) => chartOfLengths({ [list]: length }, 2), 20),
  );
  assert.equal(disproportionate, []);
});

const isWithin = (one: string, other: string): boolean => one.startsWith(`${other}.`);

bounds('so do twice as many elements in two lists of an entry', () => {
  // Extensions in extensions make too many pairs.
  const lists = CHART_LISTS.filter((list) => !list.includes('extension.'));
  const pairs = lists.flatMap((one, index) =>
    lists
      .slice(index + 1)
      .filter((other) => one.split('.')[0] === other.split('.')[0])
      .filter((other) => !isWithin(one, other) && !isWithin(other, one))
      .map((other) => [one, other] as const),
  );
  const { numRuns, seed } = runs(pairs.length);
  const step = Math.ceil(pairs.length / numRuns);
  const tried = pairs.filter((_, index) => index % step === seed % step);
  assert.ok(tried.length > 100);
  const disproportionate = tried.filter(
    ([one, other]) =>
      !isProportional((length) => chartOfLengths({ [one]: length, [other]: length }, 1), 25),
  );
  assert.equal(disproportionate, []);
});

const listOf = <T>(length: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => make(index));

const focusOn = (index: number, children: number) => ({
  focus: listOf(children, (child) => ({ reference: `Patient/c${index}-${child}` })),
});

const weight = (index: number, more: object = {}, minute = 0) =>
  observation(
    {
      id: `w${index}`,
      patient: 'm',
      code: ['8339-4', 'Birth weight'],
      at: new Date(Date.parse(`${BORN}T01:01:00Z`) + minute * 60_000).toISOString(),
    },
    { ...quantity(3410, 'g'), ...more },
  );

const gestation = (index: number, more: object) =>
  observation(
    { id: `g${index}`, patient: 'm', code: ['18185-9', 'Gestational age'], at: BORN },
    { valueString: '39w', ...more },
  );

// Each has two lists that grow, or one that many entries have.
const HOSTILE: Readonly<Record<string, (length: number) => readonly object[]>> = {
  'a thousand Observations with a hundred in focus': (length) =>
    listOf(length, (index) => weight(index, focusOn(index, 100))),
  'weights and gestational ages of many children': (length) =>
    listOf(length, (index) =>
      index % 2 === 0 ? weight(index, focusOn(index, 200)) : gestation(index, focusOn(index, 200)),
    ),
  'equal weights': (length) => listOf(length, (index) => weight(index)),
  'equal weights at different times': (length) =>
    listOf(length, (index) => weight(index, {}, index)),
  'weights and their corrections': (length) =>
    listOf(length, (index) =>
      weight(index, { status: index % 2 === 0 ? 'final' : 'corrected' }, index),
    ),
  'components of Observations with a long focus': (length) => [
    weight(0, {
      ...focusOn(0, length),
      component: listOf(length, () => ({
        code: { coding: [{ code: '9274-2' }] },
        valueInteger: 9,
      })),
    }),
  ],
};
const LENGTHS: Readonly<Record<string, number>> = {
  'a thousand Observations with a hundred in focus': 500,
  'components of Observations with a long focus': 200,
};

for (const [name, observationsOf] of Object.entries(HOSTILE))
  bounds(`${name} cost in proportion to their number, as mother and as newborn`, () => {
    for (const chartOf of [motherChart, newbornChart])
      assert.ok(
        isProportional(
          (length) =>
            chartOf({
              patientId: 'm',
              observations: observationsOf(length),
            }),
          LENGTHS[name] ?? 250,
        ),
      );
  });

bounds('a time zone with the same effect as another one costs nearly nothing', async () => {
  const chart = motherChart({
    observations: listOf(500, (index) => weight(index, {}, index)),
    encounters: [],
  });
  const pieces = await packChart(chart);
  const now = new Date(`${TODAY}T12:00:00Z`);
  const countIn = (timeZones: readonly string[]): number =>
    countWork(() => readChart(pieces, timeZones, now));
  const eastern = ['America/New_York', 'America/Detroit', 'America/Toronto', 'America/Nassau'];
  assert.ok(countIn(eastern) < 2 * countIn(eastern.slice(0, 1)));
});

bounds('reading ends if it costs more than the size of the chart allows', () => {
  const chart = motherChart({ observations: listOf(9, (index) => weight(index)) });
  assert.is(mapChart(chart, IN_UTC, new Map(), { perZone: 0, perByte: 0.01 }), null);
  assert.is.not(read(chart), null);
});

const whyNot = ({ notTaken }: Prefill): readonly unknown[] => notTaken.map(({ why }) => why);

bounds('more children than a birth can have are not offered, and the page says so', () => {
  const chartOf = (children: number) =>
    motherChart({ observations: listOf(children, (index) => weight(index, focusOn(index, 1))) });
  const atMost = mapped(chartOf(MAX_CHILDREN)).asMother;
  assert.equal([atMost.children, whyNot(atMost), atMost.leftOut], [MAX_CHILDREN, [], 0]);
  const more = mapped(chartOf(MAX_CHILDREN + 2)).asMother;
  assert.is(more.children, MAX_CHILDREN);
  assert.equal(whyNot(more), [
    `A birth has at most ${MAX_CHILDREN} children here: the others are not filled in.`,
  ]);
  assert.equal([more.notTaken[0]?.said, more.leftOut], [String(MAX_CHILDREN + 2), 2]);
});

/** The parts that a chart says are too large, and how many entries it leaves out. */
const leftOutOf = (changes: Partial<PulledChart>): readonly unknown[] => {
  const { unread, asMother } = mapped(motherChart(changes));
  return [unread.map(({ part, why }) => `${part} ${why}`), asMother.leftOut];
};

const birthWeights = (chart: PulledChart): number =>
  mapped(chart).asMother.values['children.0.birth_weight_grams']?.length ?? 0;

bounds('an entry with a longer list than any chart has is left out, and the page says so', () => {
  const longest = weight(1, { note: listOf(MAX_LIST_LENGTH, () => 1) });
  assert.equal(leftOutOf({ observations: [longest] }), [[], 0]);
  const observations = [weight(0), weight(1, { note: listOf(MAX_LIST_LENGTH + 1, () => 1) })];
  assert.equal(leftOutOf({ observations }), [['Observation too-large'], 1]);
  assert.is(birthWeights(motherChart({ observations })), 1);
});

bounds('an entry with more values than any chart has is left out, and the page says so', () => {
  const resource = { subject: { reference: 'Patient/m' }, note: [{}] };
  const many = { ...resource, note: listOf(MAX_LIST_LENGTH, () => listOf(20, () => 1)) };
  assert.ok(MAX_LIST_LENGTH * 20 >= MAX_ENTRY_VALUES);
  for (const [type, list] of [
    ['Condition', 'conditions'],
    ['Encounter', 'encounters'],
  ] as const) {
    assert.equal(leftOutOf({ [list]: [{ ...resource, resourceType: type }] }), [[], 0]);
    assert.equal(leftOutOf({ [list]: [{ ...many, resourceType: type }] }), [
      [`${type} too-large`],
      1,
    ]);
  }
  const { person, unread } = mapped(motherChart({ patient: { ...many, name: [{ text: 'A' }] } }));
  assert.equal([person.name, unread], [null, [{ part: 'Patient', why: 'too-large' }]]);
});

bounds('Observations beyond the limit are not read, components included', () => {
  const components = 400;
  const panel = (index: number) =>
    weight(index, {
      component: listOf(components, () => ({
        code: { coding: [{ code: '9274-2' }] },
        valueInteger: 9,
      })),
    });
  const panels = Math.ceil(MAX_OBSERVATIONS / components);
  const observations = listOf(panels, panel);
  const read = panels * (components + 1);
  assert.equal(leftOutOf({ observations }), [['Observation incomplete'], read - MAX_OBSERVATIONS]);
});

bounds.run();

import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildFiguresCsv } from '../../../api/pages/statistics/figures-csv.ts';
import { type Benchmark, computeBenchmark } from '../../../domain/statistics/benchmark.ts';
import { computeFigures } from '../../../domain/statistics/figures.ts';
import type { ContributedCell } from '../../../domain/statistics/ports.ts';
import { runs } from '../../support/runs.ts';

const benchmark = suite('the benchmark of other practices');

const cesareans = (
  practiceId: string,
  numerator: number,
  denominator: number,
  more: Partial<ContributedCell> = {},
): ContributedCell => ({
  practiceId,
  place: 'Hospital',
  attendantRole: null,
  tallies: { cesarean: { numerator, denominator }, ntsvCesarean: partOf(numerator, denominator) },
  ...more,
});

/** Of some births another rate counts about a third: what is counted there is counted in the first, too. */
const partOf = (numerator: number, denominator: number) => ({
  numerator: Math.floor(numerator / 3),
  denominator: Math.floor(numerator / 3) + Math.floor((denominator - numerator) / 3),
});

const shownOf = (...courses: readonly ContributedCell[]) =>
  computeBenchmark(9, { courses, births: [] }).rates['cesarean']?.value;

const five = (numerator: number, denominator: number) =>
  ['a', 'b', 'c', 'd', 'e'].map((id) => cesareans(id, numerator, denominator));

for (const [name, cells, expected] of [
  ['five practices are shown, in whole percent', five(7, 21), 0.33],
  ['four are too few', five(7, 21).slice(1), null],
  [
    'one that knows it of none of its births is no contributor',
    [...five(7, 21).slice(1), cesareans('e', 0, 0)],
    null,
  ],
  [
    'one that has more than half gives itself away',
    [...five(7, 20), cesareans('f', 40, 101)],
    null,
  ],
  ['half is not more than half', [...five(7, 20), cesareans('f', 35, 100)], 0.35],
  ['ten that are counted are too few', five(2, 20), null],
  ['eleven are enough', [...five(2, 20), cesareans('f', 1, 1)], 0.11],
  ['ten that are not counted are too few', five(18, 20), null],
] as const)
  benchmark(name, () => {
    assert.is(shownOf(...cells), expected);
  });

benchmark('no counts and no interval stand beside a rate', () => {
  assert.equal(computeBenchmark(5, { courses: five(7, 21), births: [] }).rates['cesarean'], {
    numerator: null,
    denominator: null,
    value: 0.33,
    low: null,
    high: null,
    hidden: false,
  });
});

benchmark(
  'a group of which nothing is shown is not named; attendants other and unknown never',
  () => {
    const of = (more: Partial<ContributedCell>) =>
      five(7, 21).map((cell) => ({ ...cell, ...more }));
    const { by } = computeBenchmark(5, {
      births: [],
      courses: [
        ...of({ attendantRole: 'midwife' }),
        ...of({ attendantRole: 'other', place: 'Home' }),
        ...of({ attendantRole: 'nurse' }).slice(1),
      ],
    });
    assert.equal(Object.keys(by.attendantRole), ['midwife']);
    assert.equal(Object.keys(by.place), ['Home', 'Hospital']);
  },
);

/*
 * The attacker is a member of one practice, or of two that tell each other everything. They see the
 * benchmark under every filter there is, on the page, in its CSV file and by the command, and they know
 * their own births. Whatever they compute, they compute it from that: if another world, in which a practice
 * has more than three births more or fewer, shows them the same under every filter, no computation tells the
 * two apart, and the count is not known within three.
 */

const YEARS = [2025, 2026];
const PLACES = ['Hospital', 'Home'] as const;
const ROLES = ['midwife', 'physician', null] as const;

interface WorldCell extends ContributedCell {
  readonly year: number;
}

type World = readonly WorldCell[];

const NEARBY = 3;

/** Everything that a practice is shown of the others, under every filter. */
const seenBy = (viewer: string, world: World): string => {
  const others = world.filter(({ practiceId }) => practiceId !== viewer);
  const seen: unknown[] = [];
  for (const year of [null, ...YEARS])
    for (const place of [null, ...PLACES])
      for (const role of [undefined, 'midwife', 'physician'] as const) {
        const courses = others.filter(
          (cell) =>
            (year === null || cell.year === year) &&
            (place === null || cell.place === place) &&
            (role === undefined || cell.attendantRole === role),
        );
        const shown = computeBenchmark(9, { courses, births: [] });
        seen.push(shown, csvOf(shown));
      }
  return JSON.stringify(seen);
};

const csvOf = (shown: Benchmark): string =>
  buildFiguresCsv(
    {
      ...computeFigures({ courses: [], births: [] }),
      sandbox: false,
      excluded: { voided: 0, sandbox: 0, attendantOther: 0 },
      benchmark: shown,
      unknown: {},
      overTime: null,
      notable: { findings: [], comparedElsewhere: 0, comparedBefore: 0 },
      lastMonthCompared: null,
    },
    { period: '', place: '', attendant: '' },
  );

const births = (world: World, practiceId: string): number =>
  world
    .filter((cell) => cell.practiceId === practiceId)
    .reduce((sum, { tallies }) => sum + (tallies['cesarean']?.denominator ?? 0), 0);

/** Some births of a cell as ones of another practice; nothing of them changes beside. */
const moved = (world: World, from: number, to: string, most: number): World => {
  const cell = world[from];
  const tally = cell?.tallies['cesarean'];
  if (cell === undefined || tally === undefined) return world;
  const taken = {
    denominator: Math.min(most, tally.denominator),
    numerator: Math.round(
      (tally.numerator * Math.min(most, tally.denominator)) / (tally.denominator || 1),
    ),
  };
  const left = {
    numerator: tally.numerator - taken.numerator,
    denominator: tally.denominator - taken.denominator,
  };
  // The births that are moved take with them what the narrower rate says of them.
  const whole = cell.tallies['ntsvCesarean'] ?? { numerator: 0, denominator: 0 };
  const takenOfPart = {
    numerator: Math.min(whole.numerator, partOf(taken.numerator, taken.denominator).numerator),
    denominator: Math.min(
      whole.denominator,
      partOf(taken.numerator, taken.denominator).denominator,
    ),
  };
  const leftOfPart = {
    numerator: whole.numerator - takenOfPart.numerator,
    denominator: whole.denominator - takenOfPart.denominator,
  };
  return [
    ...world.slice(0, from),
    { ...cell, tallies: { cesarean: left, ntsvCesarean: leftOfPart } },
    ...world.slice(from + 1),
    { ...cell, practiceId: to, tallies: { cesarean: taken, ntsvCesarean: takenOfPart } },
  ];
};

/** Worlds in which a practice has more than three births more or fewer. */
function* worldsBeside(world: World, victim: string, others: readonly string[]): Generator<World> {
  const changed = (next: World): boolean =>
    Math.abs(births(next, victim) - births(world, victim)) > NEARBY;
  for (const most of [4, 5, 8, 13]) {
    for (const [at, cell] of world.entries()) {
      if (cell.practiceId === victim)
        for (const to of others) {
          const next = moved(world, at, to, most);
          if (changed(next)) yield next;
        }
      else if (others.includes(cell.practiceId)) {
        const next = moved(world, at, victim, most);
        if (changed(next)) yield next;
      }
    }
    // Where nothing is shown nothing has to add up.
    for (const year of YEARS)
      for (const place of PLACES)
        yield [...world, { ...cesareans(victim, 1, most, { place }), year }];
  }
}

const worldOf = (practices: number): fc.Arbitrary<World> =>
  fc
    .array(
      fc.record({
        practice: fc.nat({ max: practices - 1 }),
        year: fc.constantFrom(...YEARS),
        place: fc.constantFrom(...PLACES),
        attendantRole: fc.constantFrom(...ROLES),
        denominator: fc.integer({ min: 1, max: 60 }),
        share: fc.integer({ min: 0, max: 100 }),
      }),
      { minLength: practices * 3, maxLength: practices * 6 },
    )
    .map((cells) =>
      cells.map(({ practice, year, place, attendantRole, denominator, share }) => ({
        ...cesareans(`p${practice}`, Math.round((denominator * share) / 100), denominator, {
          place,
          attendantRole,
        }),
        year,
      })),
    );

const isHidden = (
  world: World,
  viewers: readonly string[],
  victim: string,
  all: readonly string[],
): boolean => {
  const before = viewers.map((viewer) => seenBy(viewer, world)).join();
  const others = all.filter((id) => id !== victim && !viewers.includes(id));
  for (const next of worldsBeside(world, victim, others))
    if (viewers.map((viewer) => seenBy(viewer, next)).join() === before) return true;
  return false;
};

for (const practices of [2, 5, 10])
  for (const attackers of [1, 2])
    if (attackers < practices)
      benchmark(
        `of ${practices} practices ${attackers} cannot compute the count of another within ${NEARBY}, from nested rates either`,
        () => {
          const all = Array.from({ length: practices }, (_, at) => `p${at}`);
          const viewers = all.slice(0, attackers);
          const victim = all.at(-1) ?? '';
          let shown = 0;
          fc.assert(
            fc.property(worldOf(practices), (world) => {
              if (seenBy('p0', world).includes('"hidden":false')) shown += 1;
              return isHidden(world, viewers, victim, all);
            }),
            runs(40),
          );
          // Nothing is learned where nothing is ever shown: with ten practices something is.
          assert.is(shown > 0, practices > 5, `shown in ${shown} worlds`);
        },
      );

benchmark('the attacker of these tests finds a count that is given away', () => {
  // As it was shown before: all practices together, with what is counted and how many are known.
  const world: World = [
    { ...cesareans('p0', 10, 40), year: 2026 },
    { ...cesareans('p1', 7, 25), year: 2026 },
  ];
  const asBefore = (cells: World): string => {
    const of = (part: 'numerator' | 'denominator') =>
      cells.reduce((sum, { tallies }) => sum + (tallies['cesarean']?.[part] ?? 0), 0);
    return `${of('numerator')} of ${of('denominator')}`;
  };
  for (const next of worldsBeside(world, 'p1', [])) assert.is.not(asBefore(next), asBefore(world));
});

benchmark.run();

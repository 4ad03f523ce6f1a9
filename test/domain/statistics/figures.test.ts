import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  computeFigures,
  countUnknown,
  formatPlurality,
} from '../../../domain/statistics/figures.ts';
import type { BirthCell, Cells } from '../../../domain/statistics/ports.ts';

const figures = suite('figures of cells');

const cell = (changes: Partial<BirthCell>): BirthCell => ({
  year: 2026,
  month: 5,
  place: 'Hospital',
  source: 'fhir_push',
  plurality: 1,
  attendantRole: null,
  count: 1,
  sex: 'female',
  fetalDeaths: 0,
  tallies: {},
  ...changes,
});

const PRACTICE: Cells = {
  courses: [
    cell({ count: 8, tallies: { cesarean: { numerator: 2, denominator: 7, unknown: 1 } } }),
    cell({ count: 2, place: 'Home', attendantRole: 'midwife', year: null, month: null }),
  ],
  births: [
    cell({
      count: 9,
      fetalDeaths: 1,
      tallies: { preterm: { numerator: 1, denominator: 9, unknown: 0 } },
    }),
    cell({ count: 3, place: 'Home', attendantRole: 'midwife', plurality: 2, sex: null }),
    cell({ count: 1, year: 2025, month: 12, sex: 'male' }),
  ],
};

figures('counts, with what is not known under its name', () => {
  const { coursesOfCare, births, fetalDeaths, by } = computeFigures(PRACTICE);
  assert.equal([coursesOfCare, births, fetalDeaths], [10, 13, 1]);
  assert.equal(by.year, {
    2025: { coursesOfCare: 0, births: 1 },
    2026: { coursesOfCare: 8, births: 12 },
    unknown: { coursesOfCare: 2, births: 0 },
  });
  assert.equal(by.month, {
    '2025-12': { coursesOfCare: 0, births: 1 },
    '2026-05': { coursesOfCare: 8, births: 12 },
  });
  assert.equal(by.sex, {
    female: { births: 9 },
    male: { births: 1 },
    unknown: { births: 3 },
  });
  assert.equal(by.plurality['twins'], { coursesOfCare: 0, births: 3 });
});

figures('rates of the whole, by place and by attendant, over known values', () => {
  const { rates, by } = computeFigures(PRACTICE);
  assert.is(rates['cesarean']?.numerator, 2);
  assert.is(rates['cesarean']?.denominator, 7);
  assert.is(by.place['Hospital']?.rates['preterm']?.denominator, 9);
  assert.is(by.attendantRole['midwife']?.rates['cesarean']?.value, null);
});

figures('how often a rate is not known', () => {
  const unknown = countUnknown(PRACTICE);
  assert.equal([unknown['cesarean'], unknown['preterm'], unknown['vbac']], [1, 0, 0]);
});

figures('plurality in words', () => {
  assert.equal([0, 1, 2, 3, 8].map(formatPlurality), [
    'singleton',
    'singleton',
    'twins',
    'triplets or more',
    'triplets or more',
  ]);
});

figures.run();

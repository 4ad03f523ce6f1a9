import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getDefaultClock } from '../../../domain/practice/clock.ts';

const clocks = suite('default clock of a practice');

for (const zone of ['America/New_York', 'America/Indiana/Indianapolis', 'Pacific/Guam'])
  clocks(`12 hours in ${zone}`, () => {
    assert.is(getDefaultClock(zone), '12');
  });

for (const zone of ['Europe/London', 'America/Toronto', 'UTC'])
  clocks(`24 hours in ${zone}`, () => {
    assert.is(getDefaultClock(zone), '24');
  });

clocks.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getDefaultDateOrder } from '../../../../domain/mapping/form/date-order.ts';

const order = suite('how a practice writes dates that has set nothing');

for (const zone of [
  'America/New_York',
  'America/Indiana/Indianapolis',
  'America/Puerto_Rico',
  'Pacific/Honolulu',
  'Pacific/Guam',
  'US/Eastern',
])
  order(`the month first in ${zone}`, () => {
    assert.is(getDefaultDateOrder(zone), 'month-first');
  });

for (const zone of ['Europe/London', 'America/Mexico_City', 'America/Toronto', 'UTC'])
  order(`the day first in ${zone}`, () => {
    assert.is(getDefaultDateOrder(zone), 'day-first');
  });

order.run();

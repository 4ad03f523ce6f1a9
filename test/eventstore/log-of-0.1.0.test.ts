import { readFileSync } from 'node:fs';
import type { RecordedEvent } from '@eventstore/db-client';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readEvent } from '../../adapters/event-log/event-catalog.ts';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { type KnownBirthRecord, recordFold } from '../../domain/birth-record/state.ts';
import { listStatedValues } from '../../domain/course/course-paths.ts';
import { FIELDS } from '../../domain/course/fields.ts';
import { isKnown } from '../../domain/event-log.ts';
import { stateAfter } from '../../domain/fold.ts';

// What a service of release 0.1.0 wrote for synthetic births: pushed, amended, retracted, sent by a
// partner, entered by hand.
const LOG: readonly Readonly<Record<string, unknown>>[] = JSON.parse(
  readFileSync('test/fixtures/eventstore/log-0.1.0.json', 'utf8'),
);

const stored = LOG.map(({ stream, revision, type, data, metadata }, index) =>
  readEvent({
    event: {
      id: `event-${index}`,
      streamId: stream,
      revision: BigInt(Number(revision)),
      isJson: true,
      type,
      data,
      metadata,
    } as unknown as RecordedEvent,
  }),
).filter(isKnown);

const recordUnder = (chartNumber: string): KnownBirthRecord => {
  const streams = new Set(
    stored.filter(({ event }) => event.type === 'BirthRecorded').map(({ stream }) => stream),
  );
  for (const stream of streams) {
    const events = stored.filter((one) => one.stream === stream);
    const state = stateAfter<ReturnType<typeof recordFold.evolve>, BirthRecordEvent>(
      events,
      recordFold,
    );
    if (state.status !== 'none' && state.course.chart_number === chartNumber) return state;
  }
  throw new Error(`No record under ${chartNumber}`);
};

test('every event that 0.1.0 wrote is read', () => {
  assert.is(stored.length, LOG.length);
  assert.ok(new Set(stored.map(({ event }) => event.type)).size > 15);
});

test('its records hold every field of today', () => {
  for (const chartNumber of ['MRN-1', 'MRN-2', 'P-1', 'F-1']) {
    const { course } = recordUnder(chartNumber);
    const holders = {
      '': [course],
      mother: [course.mother],
      'mother.address': [course.mother.address],
      children: course.children,
      transfers: course.transfers,
      consent: [course.consent],
    };
    for (const { path, parent, name } of FIELDS)
      for (const one of holders[parent]) assert.ok(Object.hasOwn(one, name), path);
  }
});

test('its records say what was sent', () => {
  const states = ['MRN-1', 'MRN-2', 'P-1', 'F-1'].map(recordUnder);
  assert.equal(
    states.map(({ status, version, keyKind }) => [status, version, keyKind]),
    [
      ['live', 2, 'native'],
      ['voided', 2, 'native'],
      ['live', 1, 'partner'],
      ['live', 1, null],
    ],
  );
  const [amended, , partners, entered] = states.map(({ course }) => listStatedValues(course));
  assert.is(amended?.get('children.0.birth_weight_grams'), 3_450);
  assert.is(amended?.get('children.0.apgar_five_minute'), 9);
  assert.is(partners?.get('children.0.birth_date'), '2026');
  assert.type(partners?.get('attendant'), 'string');
  assert.is(entered?.get('delivery_method'), '700000006');
  assert.equal(entered?.get('induction_agents'), ['oxytocin']);
  assert.is(entered?.get('transfers.0.facility'), 'East Hospital');
  assert.is(entered?.get('consent.granted'), true);
});

test.run();

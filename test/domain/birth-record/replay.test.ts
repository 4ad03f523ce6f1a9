import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { passOverLostRecord, toLoadedRecord } from '../../../domain/birth-record/replay.ts';
import type { StreamEvent } from '../../../domain/event-log.ts';
import { entryAt } from '../../support/in-memory.ts';

/** What is left of a stream: the types of its events, by revision. */
const leftOf = (events: Readonly<Record<number, string>>): readonly StreamEvent[] =>
  Object.entries(events).map(([revision, type]) => {
    const entry = entryAt(BigInt(revision), 'record-1', BigInt(revision), {
      type,
      data: { version: 1, course: {} },
    });
    if (entry.kind !== 'event') throw new TypeError('It is an event.');
    return entry.stored;
  });

const CASES = [
  { name: 'nothing is lost', left: { 0: 'BirthRecorded', 1: 'BirthAmended' }, counts: [0, 1] },
  { name: 'some in the middle', left: { 0: 'BirthRecorded', 2: 'BirthAmended' }, counts: [0, 2] },
  { name: 'the first', left: { 1: 'BirthAmended', 2: 'BirthRetracted' }, counts: [] },
  {
    name: 'the first, and the birth was recorded again',
    left: { 1: 'BirthAmended', 2: 'BirthRecorded', 3: 'BirthAmended' },
    counts: [2, 3],
  },
];

for (const { name, left, counts } of CASES)
  test(`what is left of a record counts from where it is recorded: ${name}`, () => {
    const stored = leftOf(left as Readonly<Record<number, string>>);
    const after = passOverLostRecord(stored);
    assert.equal(
      after.flatMap(({ event, revision }) => (event === null ? [] : [Number(revision)])),
      counts,
    );
    // The next append follows all of them.
    const passedOver = after.filter(({ event }) => event === null);
    if (counts.length === 0)
      assert.equal(toLoadedRecord(passedOver as never), {
        state: { status: 'none' },
        expectedRevision: stored.at(-1)?.revision,
        firstPosition: null,
      });
  });

test.run();

import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../../adapters/embedded-eventstore/store/decide.ts';
import type { RecordedEvent } from '../../adapters/embedded-eventstore/store/event.ts';
import { planGroup, type Write } from '../../adapters/embedded-eventstore/store/group.ts';
import type { Head } from '../../adapters/embedded-eventstore/store/heads.ts';
import { runs } from '../support/runs.ts';

const test = suite('group');

/** A log in memory, written group by group. */
const memoryLog = () => {
  const rows: RecordedEvent[] = [];
  const heads = new Map<string, Head>();
  const ids = new Map<string, RecordedEvent>();
  const run = (writes: readonly Write[]) => {
    const plan = planGroup(
      writes,
      {
        position: rows.at(-1)?.position ?? 0n,
        head: (stream) =>
          heads.get(stream.replace(/^\$\$/u, '')) ?? {
            revision: NO_STREAM,
            metaRevision: NO_STREAM,
            metadata: null,
          },
        findId: (id) => ids.get(id),
        storedAt: (stream, revision) =>
          rows.find((row) => row.stream === stream && row.revision === revision),
      },
      0n,
    );
    rows.push(...plan.rows);
    for (const row of plan.rows) ids.set(row.id, row);
    for (const [base, head] of plan.heads) heads.set(base, head);
    return plan.outcomes;
  };
  return { rows, run };
};

const isSystem = ({ type }: RecordedEvent): boolean => type.startsWith('$');

/** Rows without the random ids of the node's own events. */
const comparable = (rows: readonly RecordedEvent[]) =>
  rows.map((row) => ({
    ...row,
    id: isSystem(row) ? '' : row.id,
    data: Buffer.from(row.data).toString('utf8'),
  }));

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

const proposed = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f').map((id) => ({
  id,
  type: 'Tried',
  isJson: true,
  data: bytes('{}'),
  meta: bytes(''),
}));

const expectation = fc.constantFrom(ANY, ANY, STREAM_EXISTS, NO_STREAM, 0n, 1n, 2n, 3n);

const write: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      stream: fc.constantFrom('one', 'two'),
      expected: expectation,
      intent: fc.constant('append' as const),
      events: fc.array(proposed, { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      stream: fc.constantFrom('one', 'two'),
      expected: expectation,
      intent: fc.constantFrom('delete' as const, 'tombstone' as const),
      events: fc.constant([]),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('{"$maxCount":3}', '{"$tb":1}', 'no json').map((json) => ({
      stream: '$$one',
      expected: ANY,
      intent: 'append' as const,
      events: [
        { id: `meta ${json}`, type: '$metadata', isJson: true, data: bytes(json), meta: bytes('') },
      ],
    })),
  },
);

test('a group comes to the same as its writes one by one', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 12 }), (writes) => {
      const together = memoryLog();
      const single = memoryLog();
      const outcomes = together.run(writes);
      assert.equal(
        outcomes,
        writes.flatMap((one) => single.run([one])),
      );
      assert.equal(comparable(together.rows), comparable(single.rows));
    }),
    runs(500),
  );
});

test('revisions of a stream have no gaps and positions grow', () => {
  fc.assert(
    fc.property(fc.array(fc.array(write, { maxLength: 6 }), { maxLength: 6 }), (groups) => {
      const log = memoryLog();
      for (const group of groups) log.run(group);
      for (const stream of ['one', 'two', '$$one', '$$two']) {
        const own = log.rows.filter(
          (row) => row.stream === stream && row.type !== '$streamDeleted',
        );
        assert.equal(
          own.map(({ revision }) => revision),
          own.map((_, index) => BigInt(index)),
        );
      }
      const positions = log.rows.map(({ position }) => position);
      assert.ok(positions.every((position, index) => position > (positions[index - 1] ?? 0n)));
    }),
    runs(300),
  );
});

test('the same appends again, at exact revisions, change nothing and answer the same', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(proposed, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
      (all) => {
        const log = memoryLog();
        let expected = NO_STREAM;
        const writes = all.map((events): Write => {
          const at = expected;
          expected += BigInt(events.length);
          return { stream: 'one', expected: at, intent: 'append', events };
        });
        const first = log.run(writes);
        const stored = log.rows.length;
        assert.equal(log.run(writes.slice(0, -1)), first.slice(0, -1));
        for (const [index, one] of writes.entries()) {
          if (index < writes.length - 1) assert.equal(log.run([one]), [first[index]]);
        }
        assert.is(log.rows.length, stored);
      },
    ),
    runs(200),
  );
});

test.run();

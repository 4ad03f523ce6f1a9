import * as assert from 'uvu/assert';
import { openStreamStore } from '../../adapters/postgres/read-model/stream-store.ts';
import { evolveDigest } from '../../api/operator/record-digest.ts';
import { createStreamHeads, type StreamHead } from '../../api/operator/stream-heads.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { recorded } from '../support/birth-records.ts';

const streams = databaseSuite('the streams of a log that do not fit into the memory');

const digest = evolveDigest(null, recorded);

streams('are remembered as those that do', ({ db }) =>
  openStreamStore(db, async (store) => {
    const seen = createStreamHeads(store, 7);
    const expected = new Map<string, StreamHead>();
    // Every stream comes back again and again, in another order each time.
    for (let round = 0n; round < 4n; round += 1n)
      for (let n = 0; n < 100; n += 1) {
        const stream = `record-${(n * (7 + Number(round))) % 100}`;
        const held = await seen.at(stream, round);
        assert.equal(
          held,
          expected.get(stream) ?? { revision: -1n, version: 0, record: null, isUnreadable: false },
        );
        const record = n % 3 === 0 || held.record !== null ? digest : null;
        Object.assign(held, { revision: round, version: n, record, isUnreadable: n % 5 === 0 });
        expected.set(stream, { ...held });
      }
    const records = [...expected.values()].filter(({ record }) => record !== null).length;
    assert.is(seen.count(), 100);
    assert.is(seen.records(), records);
    const asked = ['record-99', 'record-0', 'record-42', 'record-other'];
    const found = await seen.find(asked);
    assert.equal([...found.keys()].toSorted(), ['record-0', 'record-42', 'record-99']);
    for (const [stream, one] of found) assert.equal(one, expected.get(stream));
    const paged = new Map<string, StreamHead>();
    for await (const page of seen.pages()) for (const [stream, one] of page) paged.set(stream, one);
    assert.equal([...paged].toSorted(), [...expected].toSorted());
    assert.is(seen.records(), records);
  }),
);

streams('of two that verify at once are kept apart, and nothing stays', async ({ db }) => {
  const texts = await Promise.all(
    ['one', 'other'].map((text) =>
      openStreamStore(db, async (store) => {
        await store.put([['record-x', 'before']]);
        await store.put([['record-x', text]]);
        return (await store.get(['record-x'])).map(([, held]) => held);
      }),
    ),
  );
  assert.equal(texts, [['one'], ['other']]);
  await openStreamStore(db, async (store) => assert.equal(await store.get(['record-x']), []));
});

streams.run();

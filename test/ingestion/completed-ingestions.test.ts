import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCompletedIngestions } from '../../api/ingestion/completed-ingestions.ts';

const completed = suite('ingestions that were completed');

/** Read tables at a place, and what was deleted from the queue. */
const withTables = () => {
  const tables = { position: 5n, epoch: 'first' };
  const deleted: string[] = [];
  const ingestions = createCompletedIngestions(
    { position: () => tables.position, epoch: () => tables.epoch, look: async () => undefined },
    async (ids) => void deleted.push(...ids),
  );
  return { tables, deleted, ingestions };
};

completed('stay in the queue until the read tables show their end', async () => {
  const { tables, deleted, ingestions } = withTables();
  ingestions.note('a', 6n);
  assert.is(await ingestions.deleteProjected(), 0);
  assert.equal(ingestions.listUnprojected(), ['a']);
  tables.position = 6n;
  assert.is(await ingestions.deleteProjected(), 1);
  assert.equal(deleted, ['a']);
});

completed(
  'are forgotten when a rebuild may have lost their end, and are picked again',
  async () => {
    const { tables, deleted, ingestions } = withTables();
    ingestions.note('lost', 6n);
    Object.assign(tables, { position: 3n, epoch: 'second' });
    assert.equal(ingestions.listUnprojected(), []);
    tables.position = 9n;
    assert.is(await ingestions.deleteProjected(), 0);
    assert.equal(deleted, []);
    ingestions.note('later', 10n);
    assert.equal(ingestions.listUnprojected(), ['later']);
  },
);

completed.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { splitBySize } from '../../domain/submission/split-by-size.ts';

const appends = suite('events in appends');

const KIB = 1024;
const eventOf = (type: string, kib: number) => ({ type, data: { text: 'x'.repeat(kib * KIB) } });
const typesOf = (...events: readonly ReturnType<typeof eventOf>[]) =>
  splitBySize(events, ({ data }) => data).map((together) => together.map(({ type }) => type));

appends('are one as long as they are small', () => {
  assert.equal(typesOf(eventOf('a', 1), eventOf('b', 200), eventOf('c', 300)), [['a', 'b', 'c']]);
  assert.equal(typesOf(), []);
});

appends('are as few as hold them, in their order', () => {
  assert.equal(
    typesOf(eventOf('a', 300), eventOf('b', 300), eventOf('c', 200), eventOf('d', 600)),
    [['a'], ['b', 'c'], ['d']],
  );
});

appends('count bytes, not characters', () => {
  const chinese = { type: 'a', data: { text: '患'.repeat(100 * KIB) } };
  assert.is(splitBySize([chinese, chinese], ({ data }) => data).length, 2);
});

appends.run();

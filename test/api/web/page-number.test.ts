import type { Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPageNumber, slicePage } from '../../../api/web/page-number.ts';

const test = suite('the page of a list');

const PAGES: readonly (readonly [asked: unknown, page: number])[] = [
  [undefined, 1],
  ['', 1],
  ['7', 7],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['0', 1] as const,
  ['-1', 1] as const,
  ['1.5', 1] as const,
  ['two', 1] as const,
  ['9007199254740992', 1] as const,
  ['1e999', 1] as const,
  [['2', '3'], 2],
];

for (const [asked, page] of PAGES)
  test(`${JSON.stringify(asked) ?? 'no page'} asks for page ${page}`, () =>
    assert.is(readPageNumber({ query: { page: asked } } as unknown as Request), page));

test('a list has its rows on one of its pages, and a page after its end is the last', () => {
  const all = [1, 2, 3, 4, 5];
  assert.equal(slicePage(all, 1, 2), { rows: [1, 2], page: 1, pages: 3 });
  assert.equal(slicePage(all, 9, 2), { rows: [5], page: 3, pages: 3 });
  assert.equal(slicePage([], 2, 2), { rows: [], page: 1, pages: 1 });
});

test.run();

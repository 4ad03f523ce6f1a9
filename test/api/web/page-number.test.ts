import type { Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPageNumber } from '../../../api/web/page-number.ts';

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

test.run();

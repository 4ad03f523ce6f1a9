import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { FILE_FIELD, IMPORT_PATH } from '../../api/pages/import/file-form.tsx';
import { countsInWords } from '../../api/pages/import/import-words.ts';
import type { RowCounts } from '../../domain/csv/staged-import.ts';
import { eventually } from '../harness/eventually.ts';
import type { TestVisitor } from '../harness/pages.ts';

/** A file as the browser brings it. */
export const brought = (name: string, bytes: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(bytes),
});

/** Brings a file on the page that is open, and waits for the answer. @param label of the field */
export const bring = async (
  page: Page,
  name: string,
  bytes: string | Buffer,
  label = 'File of births',
): Promise<void> => {
  await page.getByLabel(label).setInputFiles(brought(name, bytes));
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.waitForLoadState();
};

/** The text of a page without its frame. */
export const mainOf = (page: Page): Promise<string> => page.locator('main').innerText();

/** What the check of a file says of its rows. */
export const counted = (counts: Partial<RowCounts>): string =>
  `${countsInWords({ new: 0, amends: 0, flagged: 0, refused: 0, ...counts })}.`;

/** The figures of an import that has ended, by their names. */
export const figuresOf = async (page: Page): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await page
      .locator('.import-outcome > div')
      .evaluateAll((figures) =>
        figures.map((figure) => [...figure.children].map((part) => part.textContent ?? '')),
      ),
  );

const FINISHED = 'Import finished';

/** Waits until the page says how an import has ended. */
export const importEnded = (page: Page, heading = FINISHED): Promise<void> =>
  page.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: 60_000 });

/** Brings a file over HTTP, for tests that look at no page. @returns address of its check */
export const bringWithoutPage = async (
  url: string,
  visitor: TestVisitor,
  bytes: string,
): Promise<string> => {
  const body = new FormData();
  body.set('_csrf', await visitor.csrfToken(IMPORT_PATH));
  body.set(FILE_FIELD, new Blob([bytes]), 'births.csv');
  const answer = await fetch(`${url}${IMPORT_PATH}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { Cookie: visitor.cookie() },
  });
  assert.is(answer.status, 303);
  return answer.headers.get('location') ?? '';
};

/** Imports it, and waits until that has ended. @param path of its check @returns address of its result */
export const importWithoutPage = async (visitor: TestVisitor, path: string): Promise<string> => {
  const _csrf = await visitor.csrfToken(path);
  const answer = await visitor.send(`${path}/confirm`, { _csrf });
  const progress = answer.headers.get('location') ?? '';
  await eventually('the import has ended', async () =>
    (await (await visitor.send(progress)).text()).includes(FINISHED),
  );
  return progress;
};

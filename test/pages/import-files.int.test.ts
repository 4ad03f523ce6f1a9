import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  NOT_UTF_8_MESSAGE,
  OLD_WORKBOOK_MESSAGE,
  OLDER_ENCODING_MESSAGE,
  PROTECTED_WORKBOOK_MESSAGE,
  UTF_16_MESSAGE,
} from '../../adapters/csv/decode-text.ts';
import {
  EMPTY_FIRST_ROW_MESSAGE,
  NO_ROWS_MESSAGE,
  TOO_MANY_ROWS_MESSAGE,
} from '../../adapters/csv/file-table.ts';
import { TOO_LARGE_MESSAGE } from '../../adapters/csv/read-csv.ts';
import { UNREADABLE_WORKBOOK_MESSAGE } from '../../adapters/xlsx/read-xlsx.ts';
import {
  checkExpired,
  checkNotFound,
  NO_FILE_MESSAGE,
} from '../../api/pages/import/import-router.tsx';
import { NO_COLUMN_MESSAGE, nameOtherSheets, refuseFile } from '../../domain/mapping/csv/header.ts';
import { faultsOf } from '../harness/gallery.ts';
import { sharedTestPages, signInVisitor } from '../harness/pages.ts';
import type { TestPage } from '../harness/test-page.ts';
import { errorsOf } from '../support/birth-form.ts';
import { BIRTH_COLUMNS, birthRow, counted, csvOf, openTestImports } from '../support/imports.ts';
import { takeCases } from '../support/runs.ts';
import { workbookOf } from '../support/workbooks.ts';

/** Files that are not what they should be, and the ways in which they come. */

const pages = await sharedTestPages();
test.after(() => pages.stop());

const BIRTHS = csvOf(BIRTH_COLUMNS, [birthRow('F-1', 'Ångström'), birthRow('F-2', 'Zeković')]);
const MEBIBYTE = 1024 * 1024;

const REFUSED: readonly (readonly [what: string, bytes: Buffer, says: string])[] = [
  ['UTF-16 with a mark', Buffer.from(`\ufeff${BIRTHS}`, 'utf16le'), UTF_16_MESSAGE],
  ['UTF-16 without one', Buffer.from(BIRTHS, 'utf16le'), NOT_UTF_8_MESSAGE],
  ['an export of Windows', Buffer.from(BIRTHS.replace('ć', 'é'), 'latin1'), OLDER_ENCODING_MESSAGE],
  ['a damaged workbook', Buffer.from('PK\u0003\u0004rest', 'latin1'), UNREADABLE_WORKBOOK_MESSAGE],
  ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), OLD_WORKBOOK_MESSAGE],
  [
    'a workbook with a password',
    Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]),
    PROTECTED_WORKBOOK_MESSAGE,
  ],
  ['a list of something else', Buffer.from('fruit,price\r\napple,1'), NO_COLUMN_MESSAGE],
  [
    'a workbook whose first sheet is something else',
    workbookOf({
      sheets: [
        { name: 'Read me', rows: [['How to fill this in'], ['One row is one birth.']] },
        { name: 'Births', rows: [BIRTH_COLUMNS, birthRow('F-3', 'Ozols')] },
      ],
    }),
    nameOtherSheets(refuseFile('no-known-column', NO_COLUMN_MESSAGE), {
      name: 'Read me',
      names: ['Read me', 'Births'],
    }).problem,
  ],
  ['names without rows', Buffer.from(csvOf(BIRTH_COLUMNS, [])), NO_ROWS_MESSAGE],
  ['nothing', Buffer.alloc(0), EMPTY_FIRST_ROW_MESSAGE],
  [
    'too many rows',
    Buffer.from(`chart_number\r\n${'x\r\n'.repeat(10_001)}`),
    TOO_MANY_ROWS_MESSAGE,
  ],
  ['too large', Buffer.alloc(25 * MEBIBYTE, 'x'), TOO_LARGE_MESSAGE],
];

const chooseBytes = async (page: TestPage, buffer: Buffer): Promise<void> => {
  const file = { name: 'births.csv', mimeType: 'text/csv', buffer };
  await page.getByLabel('File of births').setInputFiles(file);
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.locator('[data-error-summary]').waitFor();
};

pages.pageTest(
  'a file that cannot be read is refused with what to do about it',
  { as: 'Admin', at: '/registry/import' },
  async ({ page }) => {
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.locator('[data-error-summary]').waitFor();
    assert.match(await page.locator('main').innerText(), NO_FILE_MESSAGE);
    assert.equal(await faultsOf(page, 'import-none-chosen'), []);
    for (const [what, bytes, says] of REFUSED) {
      await page.goto('/registry/import');
      await chooseBytes(page, bytes);
      assert.equal(await errorsOf(page), [says], what);
    }
    assert.equal(await faultsOf(page, 'import-refused'), []);
    assert.ok((await page.title()).startsWith('Error: '));
  },
);

pages.scriptTest(
  'the focus is on what to do about a file that was refused',
  { as: 'Admin', at: '/registry/import' },
  async ({ page }) => {
    for (const [, bytes] of takeCases(REFUSED)) {
      await page.goto('/registry/import');
      await chooseBytes(page, bytes);
      assert.is(await page.locator('[data-error-summary]:focus').count(), 1);
    }
  },
);

pages.scriptTest(
  'a file that is dropped on the box is checked at once',
  { as: 'Scribe', at: '/registry/import' },
  async ({ page }) => {
    await page.getByText('Or drop the file anywhere in this box').waitFor();
    await page.evaluate((text) => {
      const box = document.querySelector('.drop-zone');
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], 'dropped.csv', { type: 'text/csv' }));
      for (const type of ['dragenter', 'dragover', 'drop'])
        box?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    }, BIRTHS);
    await page.getByRole('heading', { level: 1, name: 'Preview: dropped.csv' }).waitFor();
    assert.match(await page.locator('main').innerText(), counted({ new: 2 }));
  },
);

const multipart = (parts: readonly string[]): { body: string; type: string } => ({
  body: `${parts.map((part) => `--line\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--line--\r\n`,
  type: 'multipart/form-data; boundary=line',
});

test('nothing is taken of a form without its token, cut short, or of nobody', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  const token = await visitor.csrfToken('/registry/import');
  const sent = async (parts: readonly string[], type?: string, cookie = visitor.cookie()) => {
    const form = multipart(parts);
    const response = await fetch(`${pages.service.url}/registry/import`, {
      method: 'POST',
      redirect: 'manual',
      body: form.body,
      headers: { 'Content-Type': type ?? form.type, Cookie: cookie },
    });
    return response.status;
  };
  const tokenPart = (value: string) => `name="_csrf"\r\n\r\n${value}`;
  const filePart = `name="file"; filename="b.csv"\r\nContent-Type: text/csv\r\n\r\n${BIRTHS}`;
  assert.is(await sent([tokenPart(token), filePart]), 303);
  assert.is(await sent([filePart, tokenPart(token)]), 403, 'the token comes too late');
  assert.is(await sent([tokenPart('another'), filePart]), 403);
  assert.is(await sent([filePart]), 403);
  assert.is(await sent([tokenPart(token)]), 422, 'no file');
  assert.is(await sent([tokenPart(token), filePart], 'multipart/form-data'), 400);
  assert.is(await sent([tokenPart(token), filePart], 'multipart/form-data; boundary=other'), 400);
  assert.is(await sent([tokenPart(token), filePart], undefined, ''), 401);
  assert.is((await visitor.send('/registry/import', { _csrf: token })).status, 422);
});

test('characters that no text can hold are left out of an upload', async () => {
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  const token = await visitor.csrfToken('/registry/import');
  const form = multipart([
    `name="_csrf"\r\n\r\n${token}`,
    `name="instead_of"\r\n\r\na\0b`,
    `name="file"; filename*=UTF-8''nul%00.csv\r\nContent-Type: text/csv\r\n\r\n${BIRTHS}`,
  ]);
  const answer = await fetch(`${pages.service.url}/registry/import`, {
    method: 'POST',
    redirect: 'manual',
    body: form.body,
    headers: { 'Content-Type': form.type, Cookie: visitor.cookie() },
  });
  assert.is(answer.status, 303);
});

test('a check that has expired says so, and nothing of it is imported', async () => {
  const opened = await openTestImports(pages.service.settings);
  const visitor = await signInVisitor(pages.service.url, pages.members.Admin);
  const token = await visitor.csrfToken('/registry/import');
  const form = multipart([
    `name="_csrf"\r\n\r\n${token}`,
    `name="file"; filename="old.csv"\r\nContent-Type: text/csv\r\n\r\n${BIRTHS}`,
  ]);
  const answer = await fetch(`${pages.service.url}/registry/import`, {
    method: 'POST',
    redirect: 'manual',
    body: form.body,
    headers: { 'Content-Type': form.type, Cookie: visitor.cookie() },
  });
  const path = answer.headers.get('location') ?? '';
  const importId = path.split('/').at(-1) ?? '';
  try {
    // The housekeeping of the service waits, or it might drop the check before anybody has looked.
    await opened.stores.db.transaction().execute(async (held) => {
      await sql`lock table app.staged_import_chunk in exclusive mode`.execute(held);
      await opened.stores.db
        .updateTable('app.staged_import')
        .set({ expires_at: new Date(0) })
        .where('import_id', '=', importId)
        .execute();
      const shown = await visitor.send(path);
      assert.is(shown.status, 410);
      assert.match(await shown.text(), checkExpired().heading);
      assert.is((await visitor.send(`${path}/confirm`, { _csrf: token })).status, 410);
    });
    await opened.registry.stagedImports.dropExpired();
    const later = await visitor.send(path);
    assert.is(later.status, 404);
    assert.match(await later.text(), checkNotFound().heading);
  } finally {
    await opened.close();
  }
});

test.run();

import type { Page } from 'playwright-core';

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

/** Waits until the page says how an import has ended. */
export const importEnded = (page: Page, heading = 'Import finished'): Promise<void> =>
  page.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: 60_000 });

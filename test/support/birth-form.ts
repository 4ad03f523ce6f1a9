import type { Page } from 'playwright-core';

/** Types values into the form of a birth, by the names of its fields. */
export const fillBirth = async (
  page: Page,
  values: Readonly<Record<string, string>>,
): Promise<void> => {
  for (const [name, value] of Object.entries(values))
    await page.locator(`[name="${name}"]`).fill(value);
};

/** Presses the button that records the birth. */
export const recordBirth = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Record birth' }).click();

/** What a posted correction says of its reason. */
export const REASON = { reason: 'Typing error' } as const;

/** Says why a record is corrected, and saves the correction. */
export const saveCorrection = async (page: Page): Promise<void> => {
  await page.getByLabel(REASON.reason, { exact: true }).check({ force: true });
  await page.getByRole('button', { name: 'Save correction' }).click();
};

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

import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import {
  atWidth,
  axeViolations,
  BOTH_WIDTHS,
  consoleOf,
  crampedLabels,
  openBrowser,
  screenshots,
  scrollsSideways,
  WIDTHS,
} from './browser.ts';
import { isShown } from './found-elements.ts';
import { shared } from './shared.ts';
import type { TestPage } from './test-page.ts';
import { isVisit, type Visit } from './visit.ts';

/**
 * Looks at a page as every page is looked at: axe, no sideways scroll at either width; keeps pictures. A page
 * without a browser is shown to one, unless a page of the same structure has been.
 * @param axeWidths at which axe looks; it takes longer than the rest of most tests
 * @returns what is wrong with it, nothing if all is well
 */
export const faultsOf = async (
  page: TestPage | Page,
  name: string,
  axeWidths: readonly number[] = [WIDTHS.phone],
): Promise<readonly string[]> => {
  if (!isVisit(page)) return faultsInBrowser(page as Page, name, axeWidths);
  const faults = [...page.document.querySelectorAll('main a[href^="#"]')]
    .map((link) => link.getAttribute('href') ?? '')
    .filter((href) => page.document.getElementById(href.slice(1)) === null)
    .map((href) => `${name}: ${href} leads nowhere`);
  if ([...page.document.querySelectorAll('h1')].filter(isShown).length !== 1)
    faults.push(`${name}: not one <h1>`);
  return [...faults, ...(await faultsInGallery(page, name, axeWidths))];
};

const faultsInBrowser = async (
  page: Page,
  name: string,
  axeWidths: readonly number[],
): Promise<readonly string[]> => {
  const faults = await faultsAtWidths(page, name, axeWidths);
  for (const href of await page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>('main a[href^="#"]')]
      .filter(({ hash }) => document.getElementById(hash.slice(1)) === null)
      .map(({ hash }) => hash),
  ))
    faults.push(`${name}: ${href} leads nowhere`);
  if ((await page.locator('h1:visible').count()) !== 1) faults.push(`${name}: not one <h1>`);
  await screenshots(page, name);
  return faults;
};

const faultsAtWidths = async (
  page: Page,
  name: string,
  axeWidths: readonly number[],
  isGallery = false,
): Promise<string[]> => {
  const faults: string[] = [];
  // From the width that it has: a page of the gallery still has that of the one before.
  const isAtPhone = page.viewportSize()?.width === WIDTHS.phone;
  for (const width of isGallery && !isAtPhone ? BOTH_WIDTHS.toReversed() : BOTH_WIDTHS) {
    await atWidth(page, width);
    if (axeWidths.includes(width))
      for (const violation of await axeViolations(page))
        faults.push(`${name} at ${width}: ${violation}`);
    if (await scrollsSideways(page)) faults.push(`${name} at ${width}: scrolls sideways`);
    if (width === WIDTHS.phone)
      for (const label of await crampedLabels(page)) faults.push(`${name}: no room for “${label}”`);
  }
  return faults;
};

/** One page of a browser shows all pages that were visited without one. */
const theGallery = shared(
  async () => {
    const browser = openBrowser();
    const context = await browser.newContext('');
    return { browser, page: await context.newPage(), frame: '' };
  },
  ({ browser }) => browser.close(),
);

/**
 * Opens an empty page at an origin with a policy. Pages are written into it: opened each at its own
 * address, they would load their styles anew, and axe.
 */
const openFrame = async (page: Page, origin: string, policy: string): Promise<void> => {
  const address = `${origin}/gallery`;
  await page.route(address, (route) =>
    route.fulfill({
      body: '',
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': policy },
    }),
  );
  await page.goto(address);
  // While there is a route, Chromium caches nothing.
  await page.unroute(address);
};

const writePage = (page: Page, html: string): Promise<void> =>
  page.evaluate(
    (text) =>
      new Promise<void>((resolve) => {
        document.open();
        addEventListener('load', () => resolve(), { once: true });
        document.write(text);
        document.close();
      }),
    html.replaceAll(/<script\b[^>]*>.*?<\/script>/gs, ''),
  );

const faultsInGallery = async (
  visit: Visit,
  name: string,
  axeWidths: readonly number[],
): Promise<readonly string[]> => {
  const mark = markOf(visit.document, axeWidths);
  if (mark !== null && existsSync(mark) && process.env['SCREENSHOTS'] === undefined) return [];
  const { item, leave } = await theGallery.join();
  try {
    const { page } = item;
    const { 'content-security-policy': policy = '' } = visit.headers();
    const { origin } = new URL(visit.url());
    const frame = `${origin} ${policy}`;
    if (item.frame !== frame) await openFrame(page, origin, policy);
    item.frame = frame;
    const messages = consoleOf(page);
    await writePage(page, await visit.content());
    const faults = [...(await faultsAtWidths(page, name, axeWidths, true)), ...messages];
    await screenshots(page, name);
    page.removeAllListeners();
    if (faults.length === 0 && mark !== null) writeFileSync(mark, '');
    return faults;
  } finally {
    await leave();
  }
};

/** File that says that a structure is in order, for all workers of a run; null without a run. */
const markOf = (document: Document, axeWidths: readonly number[]): string | null => {
  const directory = process.env['GALLERY_SEEN'];
  const text = `${axeWidths} ${skeletonOf(document)}`;
  return directory === undefined
    ? null
    : join(directory, createHash('sha256').update(text).digest('hex'));
};

/** Says nothing about how a page looks, or what axe finds in it. */
const UNSEEN = new Set(['id', 'name', 'value', 'href', 'action', 'for', 'datetime', 'title']);
const LETTERS_IN_STEP = 8;

/**
 * What decides how a page looks and what axe finds: its elements with their attributes, and how long the
 * longest word of each text is. Of equal neighbors, as the rows of a list are, the first counts.
 */
const skeletonOf = (document: Document): string => {
  const draw = (element: Element): string => {
    const attributes = [...element.attributes]
      .filter(({ name }) => !(UNSEEN.has(name) || name.startsWith('data-')))
      .map(({ name, value }) =>
        name.startsWith('aria-') && value !== 'true' ? name : `${name}=${value}`,
      )
      .toSorted();
    let last = '';
    let parts = '';
    for (const child of element.childNodes) {
      const part =
        child.nodeType === 1 ? draw(child as Element) : drawText(child.textContent ?? '');
      if (part !== last) parts += part;
      if (part !== '') last = part;
    }
    return `<${element.localName} ${attributes.join(' ')}>${parts}`;
  };
  return draw(document.body);
};

const drawText = (text: string): string => {
  const words = text.split(/\s+/).map(({ length }) => length);
  const longest = Math.max(...words);
  return longest === 0 ? '' : `"${Math.ceil(longest / LETTERS_IN_STEP)}`;
};

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

/** Widths at which every page has to be readable: a laptop and a small phone. CSS pixels. */
export const WIDTHS = { laptop: 1280, phone: 320 } as const;

/** Chromium for one test file. */
export interface TestBrowser {
  /** A context of its own, as another person's browser. */
  newContext(
    baseUrl: string,
    width?: number,
    options?: BrowserContextOptions,
  ): Promise<BrowserContext>;
  close(): Promise<void>;
}

/** The same engine; the first has no windows to draw, and takes a third of the processor's time. */
const EXECUTABLES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const ARGUMENTS = [
  ...['--no-sandbox', '--headless', '--disable-gpu', '--disable-dev-shm-usage'],
  // All pages are the same site: no process for each of them.
  ...['--in-process-gpu', '--renderer-process-limit=1', '--disable-site-isolation-trials'],
];

/** Starts the system's Chromium without a window. */
export const startBrowser = async (): Promise<TestBrowser> => {
  const browser: Browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? EXECUTABLES.find(existsSync) ?? 'chromium',
    args: ARGUMENTS,
  });
  return {
    newContext: (baseURL, width = WIDTHS.laptop, options = {}) =>
      browser.newContext({
        ...{ baseURL, viewport: { width, height: 800 }, reducedMotion: 'reduce' },
        ...options,
      }),
    close: () => browser.close(),
  };
};

/** What a page said to the console, and its scripts' faults: tests expect none. */
export const consoleOf = (page: Page): readonly string[] => {
  const messages: string[] = [];
  page.on('console', (message) => {
    // Chromium tells of each answer of 400 and more by itself.
    if (!message.text().startsWith('Failed to load resource')) messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(error.message));
  return messages;
};

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Every violation that axe finds on a page, best practices included, each in a line. */
export const axeViolations = async (page: Page): Promise<readonly string[]> => {
  // Evaluated, not added as a script: the page's own policy stays as it is.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(async () => {
    interface Axe {
      run(): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
    }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`,
    );
  });
};

/** Whether a page is wider than its window. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Makes a page as wide as a laptop or a phone. */
export const atWidth = (page: Page, width: number): Promise<void> =>
  page.setViewportSize({ width, height: 800 });

/**
 * Keeps pictures of a page at both widths in the folder that SCREENSHOTS names, for somebody to look
 * at; nobody asked for any unless it is set.
 */
export const screenshots = async (page: Page, name: string): Promise<void> => {
  const directory = process.env['SCREENSHOTS'];
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  for (const width of [WIDTHS.phone, WIDTHS.laptop]) {
    await atWidth(page, width);
    await page.screenshot({ path: join(directory, `${name}-${width}.png`), fullPage: true });
  }
};

/**
 * Looks at a page at both widths, as every page is looked at: axe, no sideways scroll; keeps
 * pictures. @returns what is wrong with it, nothing if all is well
 */
export const faultsOf = async (page: Page, name: string): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const width of [WIDTHS.phone, WIDTHS.laptop]) {
    await atWidth(page, width);
    for (const violation of await axeViolations(page))
      faults.push(`${name} at ${width}: ${violation}`);
    if (await scrollsSideways(page)) faults.push(`${name} at ${width}: scrolls sideways`);
  }
  if ((await page.locator('h1').count()) !== 1) faults.push(`${name}: not one <h1>`);
  await screenshots(page, name);
  return faults;
};

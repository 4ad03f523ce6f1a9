import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { findChromium, type TestChromium } from './find-chromium.ts';
import { shared } from './shared.ts';
import type { TestLocator } from './test-page.ts';

/** Widths at which every page has to be readable: a laptop and a small phone. CSS pixels. */
export const WIDTHS = { laptop: 1280, phone: 320 } as const;
// In this order: the tests go on at the last one.
export const BOTH_WIDTHS = [WIDTHS.phone, WIDTHS.laptop];

/** Of what a test waits for in a page. It is long: on a machine at a fifth of its pace some take half a minute. */
const MAX_WAIT_MS = 90_000;

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

const ARGUMENTS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  // All pages are the same site: no process for each of them.
  '--in-process-gpu',
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
];

/** Starts Chromium; once more when it ends while it starts, as one start in thousands does. */
export const launchChromium = async ({ executablePath, env }: TestChromium): Promise<Browser> => {
  const launch = () =>
    chromium.launch({
      executablePath,
      args: ARGUMENTS,
      env: { ...process.env, ...env } as Record<string, string>,
    });
  return launch().catch(launch);
};

const theBrowser = shared(
  async (): Promise<Browser> => launchChromium(await findChromium()),
  (browser) => browser.close(),
);

/** Chromium without a window, started once in a process, when the first context is asked for. */
export const openBrowser = (): TestBrowser => {
  const opened: BrowserContext[] = [];
  let joined: ReturnType<typeof theBrowser.join> | null = null;
  return {
    async newContext(baseURL, width = WIDTHS.laptop, options = {}) {
      joined ??= theBrowser.join();
      const { item: browser } = await joined;
      const context = await browser.newContext({
        baseURL,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
        ...options,
      });
      context.setDefaultTimeout(MAX_WAIT_MS);
      opened.push(context);
      return context;
    },
    async close() {
      for (const context of opened.splice(0)) await context.close();
      if (joined !== null) await (await joined).leave();
    },
  };
};

/** Chromium tells by itself of each answer of 400 and more, of what a sign-out clears, and of two passwords in a form. */
const OF_CHROMIUM = /^(Failed to load resource|Clear-Site-Data header on |\[DOM\] Multiple forms )/;

/** What a page said to the console, and its scripts' faults: tests expect none. */
export const consoleOf = (page: Page): readonly string[] => {
  const messages: string[] = [];
  page.on('console', (message) => {
    if (!OF_CHROMIUM.test(message.text())) messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(error.message));
  return messages;
};

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Every violation that axe finds on a page, best practices included, each in a line. */
export const axeViolations = async (page: Page): Promise<readonly string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    // Evaluated, not added as a script: the page's own policy stays as it is. And not by the page's own
    // eval, by which V8 would compile it anew on each page.
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: axeSource });
    await session.detach();
  }
  return page.evaluate(async () => {
    interface Axe {
      run(options: {
        resultTypes: string[];
        preload: boolean;
      }): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    // All rules run; only the account of what is in order is not made up. What preloads is sound and film.
    const { violations } = await axe.run({ resultTypes: ['violations'], preload: false });
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' | ')}`,
    );
  });
};

/** Clicks the label of a radio button or checkbox: the style hides the control itself. */
export const choose = async (answer: TestLocator): Promise<void> => {
  const id = await answer.getAttribute('id');
  await answer.page().locator(`label[for="${id}"]`).click();
};

/** Whether a page is wider than its window. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Labels of stacked tables that are higher than their cells, or touch the value beside them. */
export const crampedLabels = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.usa-table--stacked tbody :is(th, td)')]
      .filter((cell) => {
        const label = document.createRange();
        label.selectNodeContents(cell);
        const { right, bottom } = label.getBoundingClientRect();
        const { left = right, top = bottom } =
          cell.nextElementSibling?.getBoundingClientRect() ?? {};
        const isTouching = top < bottom && left > 0 && left < right + 4;
        const { height } = getComputedStyle(cell, '::before');
        const isHigher = Number.parseFloat(height) > cell.clientHeight;
        return cell.checkVisibility() && (isTouching || isHigher);
      })
      .map((cell) => cell.getAttribute('data-label') ?? cell.textContent),
  );

/** Makes a page as wide as a laptop or a phone. */
export const atWidth = (page: Page, width: number): Promise<void> =>
  page.setViewportSize({ width, height: 800 });

/**
 * Keeps pictures of a page at both widths in the folder that SCREENSHOTS names, for someone to look
 * at; nobody asked for any unless it is set.
 */
export const screenshots = async (page: Page, name: string): Promise<void> => {
  const directory = process.env['SCREENSHOTS'];
  if (directory === undefined) return;
  mkdirSync(directory, { recursive: true });
  for (const width of BOTH_WIDTHS) {
    await atWidth(page, width);
    await page.screenshot({ path: join(directory, `${name}-${width}.png`), fullPage: true });
  }
};

/** A passkey, as a virtual authenticator holds it. */
export interface HeldPasskey {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly rpId?: string;
  readonly privateKey: string;
  readonly userHandle?: string;
  readonly signCount: number;
}

/** Chromium's virtual authenticator, as it holds passkeys for one page. */
export interface TestAuthenticator {
  /** The passkeys that it holds, with their private keys. */
  credentials(): Promise<readonly HeldPasskey[]>;
  /** Takes a passkey of another one. */
  add(passkey: HeldPasskey): Promise<void>;
  /** How many passkeys it holds. */
  count(): Promise<number>;
  /** Sets its count of uses back, as a copy that was made earlier would have it. */
  setBack(): Promise<void>;
  /** Loses it, and everything on it. */
  lose(): Promise<void>;
}

/**
 * A new authenticator for a page: that of its computer unless another way to reach it is given. Chromium forgets it
 * when any other session of its protocol is detached from the page, as axe's is: look at pages in another one.
 */
export const newAuthenticator = async (
  page: Page,
  transport: 'internal' | 'usb' = 'internal',
): Promise<TestAuthenticator> => {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const held = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    credentials: held,
    async add(credential) {
      await session.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
    count: async () => (await held()).length,
    async setBack() {
      for (const credential of await held()) {
        const { credentialId } = credential;
        await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
        const copy = { ...credential, signCount: 1 };
        await session.send('WebAuthn.addCredential', { authenticatorId, credential: copy });
      }
    },
    async lose() {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
};

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchChromium } from './browser.ts';
import { BrowserMissing, findChromium, isInBrowser } from './find-chromium.ts';

const browser = suite('the browser of the tests');

/** Neither named nor installed. */
const NONE = '';

browser('the one that is named comes first', async () => {
  assert.equal(await findChromium('/opt/chromium'), { executablePath: '/opt/chromium', env: {} });
});

browser('where no package brings one, the message says what to install', async () => {
  const refused = await findChromium(NONE, 'darwin arm64').catch((error: unknown) => error);
  assert.instance(refused, BrowserMissing);
  assert.match(
    String(refused),
    /for darwin arm64\. Install Chromium, and name its program in CHROMIUM\./,
  );
});

browser('the tests of pages are known by their folder', () => {
  assert.ok(isInBrowser('test/pages/home.int.test.ts'));
  assert.not(isInBrowser('test/push/rate-limit.int.test.ts'));
});

if (process.platform === 'linux' && process.arch === 'x64')
  browser('the one of the package draws text with fonts of its own', async () => {
    // Several processes may be the first.
    const [found] = await Promise.all([findChromium(NONE), findChromium(NONE)]);
    const { executablePath, env } = found;
    const { stdout } = await promisify(execFile)(executablePath, ['--version'], { env });
    assert.match(stdout, /147\./);
    const started = await launchChromium(found);
    try {
      const page = await started.newPage();
      await page.setContent('<span>iiii</span><br><span>mmmm</span>');
      const widths = await page
        .locator('span')
        .evaluateAll((spans) => spans.map((span) => span.getBoundingClientRect().width));
      // Without fonts every letter is as wide as any other, or has no width at all.
      assert.ok((widths[0] ?? 0) > 0 && (widths[1] ?? 0) > 2 * (widths[0] ?? 0), String(widths));
    } finally {
      await started.close();
    }
  });

browser.run();

import type { BrowserContextOptions } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { keepTrying } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { sharedTestPages } from '../harness/pages.ts';
import { sendBirth } from '../harness/service.ts';
import { birthBundle, twinsBundle } from '../support/bundles.ts';
import { takeCases } from '../support/runs.ts';

/** Pages with real content in the schemes that a person may have chosen for all of their programs. */
const pages = await sharedTestPages();
test.after(() => pages.stop());

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  dark: { colorScheme: 'dark' },
  forced: { forcedColors: 'active' },
};

const record = await sendBirth(pages, twinsBundle(2_405, '2026-03-12T12:00:00Z'));
await sendBirth(pages, birthBundle({ chartNumber: 'LOOK-1' }));
await sendBirth(pages, birthBundle({ chartNumber: 'LOOK-2' }));

const PATHS: Readonly<Record<string, string>> = {
  record: `/registry/records/${record}`,
  home: '/registry',
  records: '/registry/records',
  correct: `/registry/records/${record}/correct`,
  void: `/registry/records/${record}/void`,
  new: '/registry/records/new',
  import: '/registry/import',
  births: '/registry/births',
  duplicates: '/registry/duplicates',
  statistics: '/registry/statistics',
  integrations: '/registry/integrations',
  practice: '/registry/practice',
  needed: '/registry/practice/completeness',
  security: '/account/security',
};

for (const [look, options] of Object.entries(LOOKS))
  pages.scriptTest(
    `pages can be read with ${look} colors`,
    { as: 'Admin', at: PATHS['record'] ?? '', ...options },
    async ({ page }) => {
      for (const [name, path] of takeCases(Object.entries(PATHS))) {
        if (new URL(page.url()).pathname !== path) await page.goto(path);
        assert.equal(await faultsOf(page, `${look}-${name}`), []);
      }
    },
  );

for (const [name, at] of [
  ['not-found', '/registry/nowhere'],
  ['docs-codes', '/docs/codes'],
] as const)
  pages.pageTest(`${name} can be read`, { as: 'Viewer', at }, async ({ page }) => {
    assert.equal(await faultsOf(page, name), []);
  });

pages.browserTest('the focus is seen in every scheme', async ({ open }) => {
  for (const options of [{}, ...Object.values(LOOKS)]) {
    const page = await open('Admin', { at: `/registry/records/${record}`, ...options });
    for (const focused of ['.rail a', '.frame__main .usa-button', '.values__value', '#find']) {
      // By the keyboard, for which a browser shows the focus.
      await page.locator(focused).first().focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      const outline = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(
          document.activeElement ?? document.body,
        );
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 1;
      });
      assert.ok(outline, `${focused} in ${JSON.stringify(options)}`);
    }
  }
});

pages.scriptTest(
  'letters of names and the signs of our texts are in the fonts that we ship',
  { as: 'Viewer', at: '/registry/records' },
  async ({ page }) => {
    // Hawaiian, Māori, Vietnamese, Navajo, Lakota, Salish, Haida, Yoruba, Welsh; arrows and comparisons.
    const letters =
      'Kaʻahumanu ʻĀina Māori Nguyễn Phượng Yázhí Hastį́į́n Dą́ą́ Ǫ́ ȟ ǧ ŋ ɬ ƛ ʼ x̱ g̱ Ọláṣẹ ŵ → ← − ≥';
    const session = await page.context().newCDPSession(page);
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const listFontsOfMachine = async (selector: string): Promise<readonly string[]> => {
      const { root } = await session.send('DOM.getDocument');
      const { nodeId } = await session.send('DOM.querySelector', {
        nodeId: root.nodeId,
        selector,
      });
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
      return fonts.flatMap(({ familyName, isCustomFont }) => (isCustomFont ? [] : [familyName]));
    };
    for (const selector of ['main p', 'h1', 'main .usa-button', 'main .usa-label']) {
      await page
        .locator(selector)
        .first()
        .evaluate((element, text) => {
          element.textContent = text;
        }, letters);
      await keepTrying(async () => assert.equal(await listFontsOfMachine(selector), []), 10_000);
    }
  },
);

pages.scriptTest(
  'a print is dark on white, says when it was made, and takes few sheets',
  { as: 'Admin', at: `/registry/records/${record}`, colorScheme: 'dark' },
  async ({ page }) => {
    assert.not(await page.locator('.print-only').isVisible());
    await page.locator('.print-only time').evaluate((time) => {
      time.textContent = 'hours ago';
    });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    assert.match(
      (await page.locator('.print-only').textContent()) ?? '',
      /^Printed \w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M$/,
    );
    await page.emulateMedia({ media: 'print' });
    assert.ok(await page.locator('.print-only').isVisible());
    assert.is(
      await page.evaluate(() => getComputedStyle(document.body).backgroundColor),
      'rgb(255, 255, 255)',
    );
    const pdf = await page.pdf({ format: 'Letter' });
    const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert.ok(sheets > 0 && sheets <= 2, `${sheets} sheets`);
  },
);

test.run();

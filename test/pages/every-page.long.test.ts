import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BOTH_WIDTHS } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newVisitor, startTestPages, type Who } from '../harness/pages.ts';
import { fillPractice, openEveryPage } from '../support/filled-practice.ts';
import { withMountedRoutes } from '../support/mounted-routes.ts';

/**
 * Every page that a seat, the staff and a visitor can reach, at both widths. The tests of each page let
 * axe look at the small one alone.
 */
const [pages, routes] = await withMountedRoutes(() => startTestPages());
const { service, members, staff } = pages;
test.after(() => pages.stop());

const [admin, scribe, registrar] = [members.Admin, members.Scribe, staff].map((account) => {
  const visitor = newVisitor(service.url);
  return { visitor, signedIn: visitor.signIn(account) };
});
assert.ok(admin && scribe && registrar);
await Promise.all([admin.signedIn, scribe.signedIn, registrar.signedIn]);
await fillPractice(pages, admin.visitor, scribe.visitor);

const VISITED = [
  { as: 'Admin', visitor: admin.visitor, within: /^\/(registry|account)\b/ },
  { as: 'staff', visitor: registrar.visitor, within: /^\/staff\b/ },
  // The page of the contract itself is Swagger UI’s.
  { as: 'visitor', visitor: newVisitor(service.url), within: /^\/(docs\/|sign-in|start)/ },
] as const satisfies readonly { as: Who; [others: string]: unknown }[];

const MIN_PAGES = { Admin: 40, staff: 5, visitor: 5 };

for (const { as, visitor, within } of VISITED)
  pages.scriptTest(`every page of ${as} at both widths`, { as }, async ({ page }) => {
    const opened = await openEveryPage(visitor, routes, within);
    // A file once there is a checkpoint, a page before.
    const shown = opened.filter(({ address }) => !address.endsWith('/proofs'));
    // One of each kind: what they say differs, what they are made of does not.
    const kinds = new Map(
      shown.map(({ address }) => [
        (address.split('?')[0] ?? '').replaceAll(/[0-9a-f-]{36}|[\w-]{21,}|\b\d+\b/g, ':id'),
        address,
      ]),
    );
    assert.ok(kinds.size >= MIN_PAGES[as], [...kinds.keys()].join(' '));
    const faults: string[] = [];
    for (const [kind, address] of kinds) {
      await page.goto(address);
      faults.push(...(await faultsOf(page, kind, BOTH_WIDTHS)));
    }
    assert.equal(faults, []);
  });

test.run();

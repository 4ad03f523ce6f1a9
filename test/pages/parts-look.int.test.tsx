import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import session from 'express-session';
import type { BrowserContextOptions } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { assetsRouter } from '../../api/pages/assets/assets-router.ts';
import { readAsset } from '../../api/pages/assets/page-assets.ts';
import { CheckboxField } from '../../api/pages/layout/checkbox-field.tsx';
import { Confirm } from '../../api/pages/layout/confirm.tsx';
import { DataTable } from '../../api/pages/layout/data-table.tsx';
import { EmptyState } from '../../api/pages/layout/empty-state.tsx';
import { ErrorSummary } from '../../api/pages/layout/error-summary.tsx';
import { findError } from '../../api/pages/layout/field-errors.ts';
import { Form } from '../../api/pages/layout/form.tsx';
import { createPageErrorHandler } from '../../api/pages/layout/page-errors.tsx';
import { Pagination } from '../../api/pages/layout/pagination.tsx';
import { RadioGroup } from '../../api/pages/layout/radio-group.tsx';
import { SelectField } from '../../api/pages/layout/select-field.tsx';
import { sendPage } from '../../api/pages/layout/send-page.tsx';
import { Tag } from '../../api/pages/layout/tag.tsx';
import { TextArea } from '../../api/pages/layout/text-area.tsx';
import { TextField } from '../../api/pages/layout/text-field.tsx';
import { Time } from '../../api/pages/layout/time.tsx';
import { DraftNotice } from '../../api/pages/parts/birth-form/drafts/draft-notice.tsx';
import { setSecurityHeaders } from '../../api/web/guards/security-headers.ts';
import { pageNotFound } from '../../api/web/page-problem.ts';
import { addFlash } from '../../api/web/session/flash.ts';
import { createSessions } from '../../api/web/session/session.ts';
import { loadAccount } from '../../api/web/session/signed-in-session.ts';
import { consoleOf, openBrowser, type TestBrowser, WIDTHS } from '../harness/browser.ts';
import { faultsOf } from '../harness/gallery.ts';

/** Every part of the frame on two pages, with errors and without, to look at and to hold to axe. */
const errors = [
  {
    field: 'weight',
    id: 'unit-missing',
    message: 'The birth weight is missing a unit. Use grams, or pounds and ounces.',
  },
  { field: 'sex', id: 'no-sex', message: 'Say which sex the record states.' },
  { field: 'place', id: 'no-place', message: 'Choose where the birth took place.' },
  { field: 'reason', id: 'no-reason', message: 'Say why, in three letters at least.' },
  { field: 'sure', id: 'no-sure', message: 'Say that you have read this.' },
];

const rows = [
  {
    id: '1',
    name: 'María José Åström-Villanueva de la Cruz y Montenegro',
    grams: 3400,
    gone: false,
  },
  { id: '2', name: 'Nguyễn Thị Ánh Nguyệt', grams: 980, gone: true },
  { id: '4', name: 'registrar.of.births'.repeat(7), grams: 2_900, gone: false },
  { id: '3', name: 'Wolfeschlegelsteinhausenbergerdorff', grams: 12_345, gone: false },
];

const Fields = ({ shown }: { readonly shown: typeof errors }) => (
  <Form action="/fields">
    <TextField
      name="weight"
      label="Birth weight"
      hint="For example 3400 g, or 7 lb 8 oz"
      width="medium"
      value="3400"
      error={findError(shown, 'weight')}
    />
    <TextField name="name" label="Family name" optional />
    <TextField name="digits" label="Apgar after five minutes" width="small" inputMode="numeric" />
    <RadioGroup
      name="sex"
      label="Sex"
      hint="As the record states it"
      inline
      value="female"
      choices={[
        { value: 'female', text: 'Female' },
        { value: 'male', text: 'Male' },
        { value: 'unknown', text: 'Unknown' },
      ]}
      error={findError(shown, 'sex')}
    />
    <SelectField
      name="place"
      label="Place of birth"
      empty="Choose one"
      choices={[{ value: 'home', text: 'Home' }]}
      error={findError(shown, 'place')}
    />
    <TextArea name="reason" label="Reason" rows={3} error={findError(shown, 'reason')} />
    <CheckboxField name="sure" label="I have read this" error={findError(shown, 'sure')} />
    <div class="buttons">
      <button type="submit" class="usa-button">
        Save record
      </button>
      <a class="usa-button usa-button--unstyled" href="/parts">
        Cancel
      </a>
    </div>
  </Form>
);

const draft = {
  draftId: 'd',
  values: { 'mother.family_name': 'Kaʻahumanu' },
  version: null,
  isFinished: false,
  savedAt: new Date('2026-05-12T18:03:00Z'),
  revision: 1,
};

const Parts = () => (
  <>
    <DraftNotice
      drafts={[draft]}
      action="/parts"
      resume={() => '/fields'}
      text="Unfinished entry"
    />
    <DataTable
      caption="Births of one week"
      rows={rows}
      keyOf={({ id }) => id}
      rowClass={({ gone }) => (gone ? 'is-voided' : undefined)}
      columns={[
        { heading: 'Mother', namesRow: true, cell: ({ name }) => <a href="/parts">{name}</a> },
        {
          heading: 'Status',
          cell: ({ gone }) => (
            <>
              <Tag kind={gone ? 'voided' : 'live'} /> <Tag kind="fetal-death" />{' '}
              <Tag kind="suspected-duplicate" />
            </>
          ),
        },
        { heading: 'Born', cell: () => <Time at={new Date('2026-05-12T18:03:00Z')} /> },
        { heading: 'Weight', figures: true, cell: ({ grams }) => `${grams} g` },
      ]}
    />
    <Pagination page={2} pages={9} of="births" href={(page) => `/parts?page=${page}`} />
    <h2>Nothing here</h2>
    <EmptyState links={[{ href: '/parts', text: 'Import a CSV' }]}>No births yet.</EmptyState>
    <h2>Void this record?</h2>
    <Confirm action="/parts" submit="Void record" cancel="/parts" destructive>
      <p>
        The record <strong>{'MRN1234567890'.repeat(10)}</strong> is struck through in every list and
        counts in no figure any more.
      </p>
    </Confirm>
  </>
);

let server: Server;
let url: string;
let browser: TestBrowser;

test.before(async () => {
  const app = express();
  const store = new session.MemoryStore();
  app.use('/assets', assetsRouter());
  app.use(
    setSecurityHeaders(false),
    ...createSessions({ store, secret: 'a secret', isSecure: false, now: () => new Date() }),
  );
  app.use(
    loadAccount(
      async () => ({
        kind: 'member',
        isAuditor: false,
        memberId: 'm',
        email: 'a.very.long.address.of.somebody@cedar-birth-center.example',
        name: 'María de la Concepción Villanueva-Ångström y Fernández-Żółkiewska',
        role: 'Admin',
        practiceId: 'p',
        seatId: 's',
        practice: {
          name: 'Cedar Birth Center and Midwifery Practice of the Northern Valleys',
          sandbox: true,
          beta: true,
          requiresSecondFactor: false,
          neededItems: [],
          daysUntilDue: null,
          writesEditFlags: false,
          lastBreakGlass: null,
          timeZone: 'America/Chicago',
          clock: '12',
        },
      }),
      () => new Date(),
    ),
  );
  app.get('/begin', (req, res) => {
    Object.assign(req.session, { accountId: 'm', startedAt: Date.now() });
    addFlash(req, { kind: 'success', text: 'The record was voided.' });
    addFlash(req, { kind: 'warning', text: 'Two records look alike.' });
    addFlash(req, { kind: 'error', text: 'The file was not read.' });
    addFlash(req, { kind: 'info', text: 'The import goes on while you work.' });
    res.redirect(303, '/parts');
  });
  app.get('/parts', (req, res) => {
    const action = (
      <a class="usa-button" href="/fields">
        Enter a birth
      </a>
    );
    sendPage(req, res, { title: 'Parts', action, children: <Parts /> });
  });
  app.get('/fields', (req, res) => {
    sendPage(req, res, { title: 'Fields', children: <Fields shown={[]} /> });
  });
  app.get('/fields/wrong', (req, res) => {
    const children = (
      <>
        <ErrorSummary errors={errors} />
        <Fields shown={errors} />
      </>
    );
    sendPage(req, res, { title: 'Fields', hasErrors: true, children });
  });
  app.use(() => {
    throw pageNotFound();
  });
  app.use(
    createPageErrorHandler(
      () => false,
      () => undefined,
    ),
  );
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = openBrowser();
});

test.after(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { forcedColors: 'active' },
};

for (const [look, options] of Object.entries(LOOKS))
  test(`every part is readable at both widths, without a violation or a word to the console: ${look}`, async () => {
    const page = await (await browser.newContext(url, WIDTHS.laptop, options)).newPage();
    const messages = consoleOf(page);
    await page.goto('/begin');
    assert.is(await page.locator('p.notice').count(), 4);
    assert.equal(await faultsOf(page, `parts-${look}`), []);
    await page.goto('/parts');
    assert.is(await page.locator('p.notice').count(), 0); // said once
    for (const [path, name] of [
      ['/fields', 'fields'],
      ['/fields/wrong', 'fields-wrong'],
      ['/nowhere', 'not-found'],
    ] as const) {
      await page.goto(path);
      assert.equal(await faultsOf(page, `${name}-${look}`), []);
    }
    assert.equal(messages, []);
  });

test('the style sheet names colors in its tokens only, so that each scheme has them all', () => {
  const css = readAsset('registry.css').toString();
  const rules = css.replaceAll(/:root \{[^}]*\}/g, '').replaceAll(/\/\*.*?\*\//gs, '');
  assert.equal(rules.match(/#[0-9a-f]{3,8}\b/gi) ?? [], []);
});

test('a link of the summary leads to its field, radio buttons included', async () => {
  const page = await (await browser.newContext(url)).newPage();
  await page.goto('/begin');
  await page.goto('/fields/wrong');
  for (const { field, message } of errors) {
    await page.locator('.error-summary').getByRole('link', { name: message }).click();
    assert.is(await page.locator(':focus').getAttribute('name'), field);
  }
});

test.run();

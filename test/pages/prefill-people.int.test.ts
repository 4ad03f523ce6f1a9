import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { formatZone } from '../../api/pages/layout/page.tsx';
import { ENTERED_PATH } from '../../api/pages/parts/birth-form/confirm/after-save.ts';
import { formatChildLabel } from '../../api/pages/text/field-labels.ts';
import { formatUnread } from '../../api/pages/text/prefill-text.ts';
import { FORM_OF_ANOTHER_USER } from '../../api/web/page-problem.ts';
import { DEFAULT_TIME_ZONE } from '../../domain/practice/state.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newVisitor, RECORD, signInHere, signInVisitor } from '../harness/pages.ts';
import { findMessage } from '../harness/test-page.ts';
import { inputOf, LAUNCHED, save, startTestPrefillPages } from '../support/launches.ts';
import { submit } from '../support/sent-forms.ts';

const pages = await startTestPrefillPages();
test.after(() => pages.stop());

const PREFILL = '/registry/capture/prefill';

pages.pageTest(
  'a removed twin takes its marks along',
  { as: 'Admin', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'mother-2');
    assert.equal(await faultsOf(page, 'prefill-twins'), []);
    await page.getByRole('button', { name: 'Remove child 1' }).click();
    await page.getByRole('group', { name: formatChildLabel(0, 1), exact: true }).waitFor();
    await inputOf(page, 'place_of_birth').selectOption('Hospital');
    await inputOf(page, 'chart_number').fill('PF-5');
    await inputOf(page, 'children.1.birth_date').fill('11/15/2026');
    await save(page);
    await page.waitForURL(RECORD);
    const course = await pages.courseUnder('PF-5');
    assert.equal(
      course?.children.map((child) => child.birth_weight_grams),
      [2350],
    );
    const ofChildren = course?.sources.filter(({ subject }) => subject === 'child') ?? [];
    assert.ok(ofChildren.length > 0);
    assert.ok(ofChildren.every(({ child }) => child === 0));
  },
);

pages.pageTest(
  'the chart may be taken for the other person’s, and what was typed stays',
  { as: 'visitor', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'newborn-1');
    assert.is(await page.getByText(formatZone(DEFAULT_TIME_ZONE)).count(), 1);
    assert.match(await page.locator('.patient-banner').innerText(), /Read .*\d [AP]M E[SD]T from/);
    assert.is(await inputOf(page, 'children.0.given_names').inputValue(), 'Babygirl');
    await inputOf(page, 'prenatal_care_site').fill('Smůla Clinic');
    await page.getByRole('button', { name: 'This is the mother’s chart' }).click();
    await page.getByRole('button', { name: 'This is the newborn’s chart' }).waitFor();
    assert.is(await inputOf(page, 'mother.given_names').inputValue(), 'Babygirl');
    assert.is(await inputOf(page, 'children.0.given_names').inputValue(), '');
    assert.is(await inputOf(page, 'prenatal_care_site').inputValue(), 'Smůla Clinic');
  },
);

pages.pageTest(
  'a Viewer looks and does not save, a Scribe saves and reads nothing',
  { as: 'Viewer', ...LAUNCHED },
  async ({ page: viewer }) => {
    await pages.launch(viewer, 'mother-3');
    await findMessage(viewer, 'viewer-may-not-save').waitFor();
    assert.equal(await faultsOf(viewer, 'prefill-viewer'), []);
    await inputOf(viewer, 'place_of_birth').selectOption('Home');
    await save(viewer);
    assert.is(viewer.status(), 403);
    assert.is(await viewer.locator('h1').innerText(), 'Your role can’t save births');
    assert.match(await viewer.locator('main').innerText(), 'Nothing was saved.');

    const scribe = await signInVisitor(pages.service.url, pages.members.Scribe);
    const saved = await submit(scribe, await pages.launchWithoutPage(scribe, 'mother-3'), {
      place_of_birth: 'Home',
      'children.0.birth_date': '11/14/2026',
      save: 'save',
    });
    assert.is(saved.headers.get('location'), ENTERED_PATH);
    assert.match(await (await scribe.send(ENTERED_PATH)).text(), '<h1>Birth recorded</h1>');
  },
);

pages.scriptTest(
  'who signs in while a pre-fill is open looks it over as themselves before it is saved',
  { as: 'visitor', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'mother-1');
    await inputOf(page, 'place_of_birth').selectOption('Home');
    await inputOf(page, 'chart_number').fill('PF-6');
    await page.getByText('Draft saved').waitFor();
    const tab = await page.context().newPage();
    await tab.goto('/sign-in');
    await signInHere(tab, pages.members.Provider);
    await tab.waitForURL(/\/registry/);
    await inputOf(page, 'children.0.birth_date').fill('11/17/2026');
    await page.getByText('You opened this form too long ago, or before you signed in.').waitFor();
    await save(page);
    await findMessage(page, 'review-before-saving').waitFor();
    assert.is(await pages.courseUnder('PF-6'), null);
    assert.is(await inputOf(page, 'children.0.birth_date').inputValue(), '11/17/2026');
    await save(page);
    await page.waitForURL(RECORD);
    assert.is((await pages.courseUnder('PF-6'))?.place_of_birth, 'Home');
  },
);

pages.pageTest(
  'a pre-fill that somebody began is not saved by another',
  { as: 'Provider', ...LAUNCHED },
  async ({ page }) => {
    await pages.launch(page, 'mother-1');
    await inputOf(page, 'place_of_birth').selectOption('Home');
    await inputOf(page, 'chart_number').fill('PF-7');
    const tab = page.newTab();
    await tab.goto('/registry');
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await signInHere(tab, pages.members.Admin);
    await tab.waitForURL(/\/registry/);
    await save(page);
    await page.getByRole('heading', { name: FORM_OF_ANOTHER_USER }).waitFor();
    assert.is(await pages.courseUnder('PF-7'), null);
  },
);

test('another browser does not find a pre-fill, by its id neither', async () => {
  const own = await signInVisitor(pages.service.url, pages.members.Admin);
  const address = await pages.launchWithoutPage(own, 'mother-4');
  assert.match(await (await own.send(address)).text(), 'Fairweather');
  const other = await signInVisitor(pages.service.url, pages.members.Admin);
  const html = await (await other.send(address)).text();
  assert.match(html, 'data-message="prefill-gone"');
  assert.not.match(html, 'Fairweather');
});

test('who looks at a chart is in the access log: nobody known before the sign-in, then the member', async () => {
  const { commands } = pages.service;
  const { Viewer } = pages.members;
  const visitor = newVisitor(pages.service.url);
  await visitor.send(await pages.launchWithoutPage(visitor, 'mother-1'));
  const viewer = await signInVisitor(pages.service.url, Viewer);
  await viewer.send(await pages.launchWithoutPage(viewer, 'mother-1'));
  const chartsIn = async (practiceId: string | null, person: string | null) => {
    const query = { person, record: null, kind: 'records' } as const;
    const { entries } = await commands.accessLog(practiceId, query);
    return entries.filter(({ type }) => type === 'ChartsShown');
  };
  const ofNobody = await chartsIn(null, null);
  assert.ok(ofNobody.length > 0);
  assert.ok(ofNobody.every(({ actor, accountId }) => actor.kind === 'service' && !accountId));
  assert.ok((await chartsIn(pages.practice.practiceId, Viewer.id)).length > 0);
  assert.equal(
    (await chartsIn(pages.practice.practiceId, null)).filter(
      ({ actor }) => actor.kind !== 'member',
    ),
    [],
  );
});

test('where age and sex do not tell whose chart it is, the clinician does', async () => {
  const chart = pages.ehr.charts['mother-4'];
  Object.assign(chart?.patient ?? {}, { gender: 'unknown' });
  const page = await pages.visit('visitor', LAUNCHED);
  await pages.launch(page, 'mother-4');
  Object.assign(chart?.patient ?? {}, { gender: 'female' });
  await page.getByRole('heading', { name: 'Whose chart is this?', exact: true }).waitFor();
  assert.equal(await faultsOf(page, 'prefill-whose'), []);
  await page.getByRole('link', { name: 'The mother’s chart' }).click();
  await page.getByText('Using this as the mother’s chart').waitFor();
});

test('a visitor sees the zone of a time that the EHR sent in UTC', async () => {
  const url = 'http://hl7.org/fhir/StructureDefinition/patient-birthTime';
  const { patient } = pages.ehr.charts['newborn-2'] ?? {};
  const valueDateTime = `${patient?.['birthDate']}T14:11:00Z`;
  Object.assign(patient ?? {}, { _birthDate: { extension: [{ url, valueDateTime }] } });
  const page = await pages.visit('visitor', LAUNCHED);
  await pages.launch(page, 'newborn-2');
  Object.assign(patient ?? {}, { _birthDate: undefined });
  const field = page.locator('[data-field="children.0.birth_time"]');
  assert.match(await field.innerText(), /From the EHR \w+ \d+, \d+, \d+:11 AM E[SD]T/);
});

test('what could not be read is said at the top', async () => {
  pages.ehr.behave({
    conditions: 'failing',
    scope:
      'launch openid fhirUser patient/Patient.read patient/Observation.read patient/Condition.read',
  });
  const page = await pages.visit('visitor', LAUNCHED);
  await pages.launch(page, 'mother-1');
  pages.ehr.behave({});
  const told = await page.locator('.notice--warning').innerText();
  assert.match(told, formatUnread({ part: 'Condition', why: 'not-readable' }));
  assert.match(told, formatUnread({ part: 'Encounter', why: 'not-granted' }));
  assert.equal(await faultsOf(page, 'prefill-unread'), []);
});

pages.pageTest(
  'a pre-fill whose time is over leaves what was typed to go on by hand',
  { as: 'Provider', ...LAUNCHED },
  async ({ page }) => {
    const prefillId = await pages.launch(page, 'mother-1');
    await inputOf(page, 'children.0.given_names').fill('Øyvind');
    await inputOf(page, 'place_of_birth').selectOption('Home');
    await pages.expirePrefills();
    await save(page);
    await page.getByRole('button', { name: 'Continue by hand' }).waitFor();
    await findMessage(page, 'nothing-saved').waitFor();
    assert.equal(await faultsOf(page, 'prefill-gone'), []);
    await page.getByRole('button', { name: 'Continue by hand' }).click();
    await page.waitForURL(/\/registry\/records\/new\?draft=/);
    assert.is(await inputOf(page, 'children.0.given_names').inputValue(), 'Øyvind');
    assert.is(await inputOf(page, 'mother.family_name').inputValue(), 'Quintanilla-Brandvold');
    await page.goto(`/registry/capture/prefill?id=${prefillId}`);
    await findMessage(page, 'prefill-gone').waitFor();
  },
);

test('a pre-fill is discarded with all that was typed', async () => {
  const visitor = newVisitor(pages.service.url);
  const address = await pages.launchWithoutPage(visitor, 'mother-4');
  const answer = await submit(visitor, address, { discard: 'yes' }, 'name="discard"');
  assert.is(answer.headers.get('location'), PREFILL);
  const html = await (await visitor.send(PREFILL)).text();
  assert.match(html, 'data-message="prefill-discarded"');
  assert.match(html, 'data-message="nothing-read"');
});

test('an EHR that shows the patient itself leaves the banner without the name', async () => {
  const banner = async () => {
    const visitor = newVisitor(pages.service.url);
    const html = await (
      await visitor.send(await pages.launchWithoutPage(visitor, 'mother-1'))
    ).text();
    return /<section\s+class="patient-banner.*?<\/section>/s.exec(html)?.[0] ?? '';
  };
  for (const words of ['Marisol', 'Born']) assert.match(await banner(), words);
  pages.ehr.behave({ needsPatientBanner: false });
  try {
    const told = await banner();
    assert.match(told, 'patient-banner');
    for (const words of ['Marisol', 'Born']) assert.not.match(told, words);
  } finally {
    pages.ehr.behave({});
  }
});

test.run();

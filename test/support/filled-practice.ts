import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import type { TestAccounts, TestVisitor } from '../harness/pages.ts';
import { push, sendBirth } from '../harness/service.ts';
import { batchOf, birthBundle } from './bundles.ts';
import { BIRTH_COLUMNS, birthRow, bringWithoutPage, csvOf, importWithoutPage } from './imports.ts';
import type { MountedRoute } from './mounted-routes.ts';
import { ada, attendedBirth, doula, joan, newPartnerFeed } from './partners.ts';
import { IS_LONG } from './runs.ts';

/** Somebody whose record a practice holds. */
export interface Woman {
  readonly id: string;
  /** Of her alone. */
  readonly marks: readonly string[];
}

/** The chart number of a birth that was refused. */
export const REFUSED = 'REFUSED-1';

/** The name of two women who look like one. */
const TWICE = 'Delacroix';

/** Sends a birth, and says what its record is known by. */
export const sendWoman = async (
  accounts: TestAccounts,
  chartNumber: string,
  family: string,
  parts: Parameters<typeof birthBundle>[0] = {},
): Promise<Woman> => {
  const bundle = birthBundle({ chartNumber, mother: { family, given: ['Ana'] }, ...parts });
  const isAlone = family !== TWICE;
  return {
    id: await sendBirth(accounts, bundle),
    marks: [chartNumber, ...(isAlone ? [family] : [])],
  };
};

/** Fills the practice with whatever pages tell of. @returns its records */
export const fillPractice = async (
  accounts: TestAccounts,
  admin: TestVisitor,
  scribe: TestVisitor,
): Promise<readonly Woman[]> => {
  const { service, practice } = accounts;
  const { url } = service;
  const sent = (...woman: [string, string, Parameters<typeof birthBundle>[0]?]) =>
    sendWoman(accounts, ...woman);
  const women = [
    await sent('SHOWN-1', 'Abernathy'),
    await sent('SHOWN-2', 'Babcock', { children: [{ weight: 9_000, weeks: 24 }] }),
    await sent('SHOWN-3', 'Castellano'),
    // Alike, under two chart numbers: a suspected duplicate.
    await sent('SHOWN-4', TWICE, { children: [{ birthDate: '2026-05-01' }] }),
    await sent('SHOWN-5', TWICE, { children: [{ birthDate: '2026-05-01' }] }),
  ];
  // Refused, under a chart number of its own.
  await push(
    url,
    practice.token,
    batchOf([birthBundle({ chartNumber: REFUSED, mother: { family: '' }, children: [] })]),
  );
  const feed = await newPartnerFeed(service.commands, practice.practiceId);
  for (const people of [{ attendant: joan }, { attendant: ada, doula }])
    women.push({ id: await sendBirth(accounts, attendedBirth(people), feed), marks: [] });

  const _csrf = await admin.csrfToken('/registry');
  const voided = women[2];
  assert.ok(voided);
  const record = `/registry/records/${voided.id}`;
  const fields = { _csrf, version: '1', seen: '1', reason: 'Entered twice' };
  assert.is((await admin.send(`${record}/void`, fields)).status, 303);
  const typed = { _csrf, 'mother.given_names': 'Half', save: 'save' };
  await admin.send(`/registry/records/${women[0]?.id}/correct`, typed);

  const rows = [birthRow('SHOWN-8', 'Featherstone'), birthRow('SHOWN-1', 'Somebody Else')];
  const file = csvOf(BIRTH_COLUMNS, rows);
  await importWithoutPage(admin, await bringWithoutPage(url, admin, file));
  await bringWithoutPage(url, admin, csvOf(BIRTH_COLUMNS, [birthRow('SHOWN-2', 'Babcock')]));
  const path = await bringWithoutPage(url, scribe, csvOf(BIRTH_COLUMNS, rows));
  await scribe.send(`${path}/rows/3/hand-over`, { _csrf: await scribe.csrfToken(path) });
  const { db, close } = await openStores(service.settings, 'command', openServiceLog('silent'));
  const { id } = await db
    .selectFrom('read.birth_record')
    .select('submission_uuid as id')
    .where('chart_number', '=', 'SHOWN-8')
    .executeTakeFirstOrThrow();
  await close();
  women.push({ id, marks: ['SHOWN-8', 'Featherstone'] });
  return women;
};

/** Pages of one route tell what the others would. */
const MAX_PER_ROUTE = IS_LONG ? 12 : 4;

/** A page that was opened. */
export interface OpenedPage {
  readonly address: string;
  readonly correlationId: string;
  readonly html: string;
}

const patternOf = ({ path }: MountedRoute): RegExp =>
  new RegExp(`^${path.replaceAll(/:\w+|\*\w+|\{.*\}/g, '[^/]+')}$`);

/**
 * Opens every page that somebody's own pages lead to.
 * @param within the paths that are opened
 */
export const openEveryPage = async (
  visitor: TestVisitor,
  routes: readonly MountedRoute[],
  within = /^\/(registry|account)\b/,
): Promise<readonly OpenedPage[]> => {
  const patterns = routes.filter(({ method }) => method === 'GET').map(patternOf);
  const left = new Map(patterns.map(({ source }) => [source, MAX_PER_ROUTE]));
  const addresses = new Set(
    routes.map(({ path }) => path).filter((path) => within.test(path) && !/[:*]/.test(path)),
  );
  const opened: OpenedPage[] = [];
  for (const address of addresses) {
    const source = patterns.find((one) => one.test(address.split('?')[0] ?? ''))?.source ?? '';
    const more = left.get(source) ?? 0;
    if (more === 0) continue;
    left.set(source, more - 1);
    const answer = await visitor.send(address);
    const html = await answer.text();
    if (!/^text\/html/.test(answer.headers.get('content-type') ?? '')) continue;
    opened.push({ address, correlationId: answer.headers.get('x-correlation-id') ?? '', html });
    for (const [, linked = ''] of html.matchAll(/href="(\/[^"#]*)/g))
      if (within.test(linked)) addresses.add(linked.replaceAll('&amp;', '&'));
  }
  return opened;
};

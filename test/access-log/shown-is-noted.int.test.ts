import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AUDIT_TRAIL_VIEWED } from '../../api/pages/audit/access-text.ts';
import { formatAuditEntry } from '../../api/pages/text/audit-text.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import type { AccessEvent } from '../../domain/access-log/events.ts';
import { eventually } from '../harness/eventually.ts';
import { newMember, newVisitor, signInVisitor, startTestAccounts } from '../harness/pages.ts';
import { REASON } from '../support/birth-form.ts';
import { fillPractice, openEveryPage, REFUSED, sendWoman } from '../support/filled-practice.ts';
import { withMountedRoutes } from '../support/mounted-routes.ts';
import { ada, doula, joan } from '../support/partners.ts';
import { submit } from '../support/sent-forms.ts';

/**
 * Every page, opened as every seat: the records that its HTML shows are those that the access log says
 * it showed, and no other. What a page shows is found by what tells one woman of these tests from
 * another: the id of her record, her chart number, her family name. Pages of a file, and of a birth that
 * was handed over, show what somebody typed: there only the id counts.
 */
const [accounts, routes] = await withMountedRoutes(() => startTestAccounts());
const { service, practice, members } = accounts;
/** A Viewer with the permission of an auditor. */
const auditing = await newMember(service, practice.practiceId, 'Viewer', 'auditor@cedar.example');
await service.commands.members.setAuditorPermission(practice.practiceId, auditing.id, true);
const AUDITED = formatAuditEntry({
  ...{ type: 'AuditorPermissionSet', value: 'true', key: null },
  member: { email: auditing.email, name: null },
});
const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
test.after(async () => {
  await stores.close();
  await service.stop();
});

const OF_WHAT_WAS_TYPED = /^\/registry\/(import|records\/handed-over)\b/;
/** Everybody else that pages name. */
const NAMED = [joan, ada, doula]
  .map(({ name }) => name)
  .concat(
    Object.values(members).map(({ email }) => email),
    'Somebody Else',
  );

/** What the access log says of each answer: the records that it showed, and whether refused ones. */
const notedOf = async () => {
  await eventually('all notes are in the log', async () => {
    const { rows } = await sql`select 1 from app.noted_access limit 1`.execute(stores.db);
    return rows.length === 0;
  });
  const { rows } = await sql<{ event: AccessEvent; correlation: string }>`
    select jsonb_build_object('type', type, 'data', convert_from(data, 'utf8')::jsonb) as event,
      convert_from(meta, 'utf8')::jsonb ->> 'correlationId' as correlation
    from eventstore.event where stream like 'access-%'`.execute(stores.db);
  const noted = new Map<string, { readonly ids: Set<string>; refused: boolean }>();
  for (const { event, correlation } of rows) {
    const note = noted.get(correlation) ?? { ids: new Set(), refused: false };
    if (event.type === 'ReceiptsRead') note.refused = true;
    else if ('recordIds' in event.data) for (const id of event.data.recordIds) note.ids.add(id);
    noted.set(correlation, note);
  }
  return noted;
};

test('what a page shows is noted, and nothing else', async () => {
  const visitors = await Promise.all(
    Object.entries({ ...members, auditor: auditing }).map(async ([who, account]) => {
      const visitor = await signInVisitor(service.url, account);
      return [who, visitor] as const;
    }),
  );
  const by = new Map(visitors);
  const [admin, scribe] = [by.get('Admin'), by.get('Scribe')];
  assert.ok(admin !== undefined && scribe !== undefined);
  const women = await fillPractice(accounts, admin, scribe);
  const pages = await Promise.all(
    visitors.map(async ([role, visitor]) => ({
      role,
      opened: await openEveryPage(visitor, routes),
    })),
  );
  const noted = await notedOf();
  const wrong: string[] = [];
  const places = new Set<string>();
  let refusals = 0;
  for (const { role, opened } of pages)
    for (const { address, correlationId, html } of opened) {
      const { ids = new Set(), refused = false } = noted.get(correlationId) ?? {};
      // Tabs are shared, and the browser keeps their titles.
      const [, tab = ''] = /<title>([^<]*)/.exec(html) ?? [];
      if (
        NAMED.some((name) => tab.includes(name)) ||
        women.some(({ marks }) => marks.some((mark) => tab.includes(mark)))
      )
        wrong.push(`${role} ${address}: the tab says ${tab}`);
      const isTyped = OF_WHAT_WAS_TYPED.test(address);
      for (const { id, marks } of women) {
        const isShown = [id, ...(isTyped ? [] : marks)].some((mark) => html.includes(mark));
        if (isShown) places.add(address.replace(/[?].*/, '').replaceAll(/[\w-]{21,}/g, ':id'));
        if (isShown !== ids.has(id))
          wrong.push(
            `${role} ${address}: ${marks[0] ?? id} shown ${isShown}, noted ${ids.has(id)}`,
          );
      }
      if (html.includes(REFUSED)) refusals += 1;
      if (html.includes(REFUSED) !== refused) wrong.push(`${role} ${address}: refused`);
    }
  assert.equal(wrong, []);
  assert.ok(refusals > 0, 'a page has shown what was refused');
  assert.ok(places.size > 20, `records were seen on ${[...places].join(' ')}`);
});

test('what stands in the way of a restored version is noted', async () => {
  const admin = await signInVisitor(service.url, members.Admin);
  const births = { children: [{ birthDate: '2026-05-12', birthTime: null }] };
  const { id } = await sendWoman(accounts, 'SHOWN-20', 'Galloway', births);
  const record = `/registry/records/${id}`;
  const corrected = { ...REASON, 'mother.family_name': 'Wrong', save: 'record' };
  const correction = await submit(admin, `${record}/correct`, corrected);
  assert.is(correction.headers.get('location'), record);
  const other = await sendWoman(accounts, 'SHOWN-21', 'Galloway', births);
  const refused = await submit(
    admin,
    `${record}/restore?version=1`,
    {},
    `action="${record}/restore"`,
  );
  assert.is(refused.status, 422);
  assert.ok((await refused.text()).includes(other.id));
  const note = (await notedOf()).get(refused.headers.get('x-correlation-id') ?? '');
  assert.equal([...(note?.ids ?? [])].sort(), [id, other.id].sort());
});

test('who reads the logs of the practice is in the access log', async () => {
  const [auditor, page] = [newVisitor(service.url), '/registry/audit'];
  await auditor.signIn(auditing);
  const answer = await auditor.send(page);
  assert.is(answer.status, 200);
  assert.ok((await answer.text()).includes(AUDITED));
  const query = { person: auditing.id, record: null, kind: 'records' } as const;
  const isListed = async (): Promise<boolean> => {
    const { entries } = await service.commands.accessLog(practice.practiceId, query);
    return entries.some(({ kind, detail }) => kind === 'log-viewed' && detail === 'audit-trail');
  };
  await eventually('the entry is listed', isListed);
  const log = await (await auditor.send('/registry/access-log')).text();
  assert.ok(log.includes(AUDIT_TRAIL_VIEWED));
});

/** Who downloaded the access log, by the correlation id of the answer. */
const downloadsNoted = async (): Promise<number> => {
  await notedOf();
  const { rows } = await sql<{ noted: number }>`
    select count(*)::integer as noted from eventstore.event
    where stream like 'access-%' and type = 'DataExported'`.execute(stores.db);
  return rows[0]?.noted ?? Number.NaN;
};

const FILE = '/registry/access-log.csv';

test('nobody has downloaded what was only asked about, or fetched ahead', async () => {
  const visitor = await signInVisitor(service.url, members.Admin);
  const before = await downloadsNoted();
  const asked = await fetch(`${service.url}${FILE}`, {
    method: 'HEAD',
    headers: { Cookie: visitor.cookie() },
  });
  assert.is(asked.status, 200);
  for (const [name, value] of [
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Purpose', 'prefetch'],
    ['X-Moz', 'prefetch'],
  ] as const) {
    const ahead = await visitor.send(FILE, undefined, { [name]: value });
    assert.equal([ahead.status, await ahead.text()], [403, ''], value);
  }
  assert.is(await downloadsNoted(), before);
  assert.is((await visitor.send(FILE)).status, 200);
  assert.is(await downloadsNoted(), before + 1);
});

test('a file of the access log has every entry once, however many they are', async () => {
  await sql`
    insert into read.access_entry (entry_id, position, type, at, actor, account_id, practice_id)
    select 'made-' || n, 0, 'AccountSignedOut', now() - (n / 7) * interval '1 second',
      jsonb_build_object('kind', 'member', 'id', 'made-' || n), 'made', ${practice.practiceId}
    from generate_series(1, 10500) n`.execute(stores.db);
  const visitor = await signInVisitor(service.url, members.Admin);
  const csv = await (await visitor.send(`${FILE}?person=made`)).text();
  const made = [...csv.matchAll(/,made-(\d+),/g)].map(([, n]) => Number(n));
  assert.is(new Set(made).size, 10_500);
  assert.is(made.length, 10_500);
});

test.run();

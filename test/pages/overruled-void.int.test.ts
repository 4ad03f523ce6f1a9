import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRefusal } from '../../api/commands/refusal-messages.ts';
import { formatRecord } from '../../api/pages/text/record-titles.ts';
import { NOTHING_NOW } from '../../api/pages/to-do/practice-home.tsx';
import {
  signInVisitor,
  startTestAccounts,
  type TestAccounts,
  type TestVisitor,
} from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { birthBundle, retractionBundle } from '../support/bundles.ts';

interface Decided {
  accounts: TestAccounts;
  admin: TestVisitor;
  viewer: TestVisitor;
}

const decisions = suite<Decided>('records that were voided and sent again');

decisions.before(async (context) => {
  const accounts = await startTestAccounts();
  const signedIn = async (role: 'Admin' | 'Viewer') => {
    const visitor = await signInVisitor(accounts.service.url, accounts.members[role]);
    return visitor;
  };
  Object.assign(context, {
    accounts,
    admin: await signedIn('Admin'),
    viewer: await signedIn('Viewer'),
  });
});
decisions.after(({ accounts }) => accounts.service.stop());

const REASON = 'Entered for another mother';
/** Name of the button that keeps a record. */
const KEEP = 'Keep record';

const htmlOf = async (visitor: TestVisitor, path: string): Promise<string> =>
  (await visitor.send(path)).text();

/** Text without tags and moments. */
const wordsOf = (html: string): string =>
  html
    .replace(/<time.*?<\/time>|<[^>]+>/gs, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** What a page says, without its tags. */
const textOf = async (visitor: TestVisitor, path: string): Promise<string> =>
  wordsOf(await htmlOf(visitor, path));

/** What Home asks about a record; null: nothing. */
const askedAbout = async (visitor: TestVisitor, record: string): Promise<string | null> => {
  const home = await htmlOf(visitor, '/registry');
  const list = /<h3 id="overruled-voids">.*?<\/ul>/s.exec(home)?.[0] ?? '';
  const line = list.split(/<li[^>]*>/).find((one) => one.includes(`href="${record}"`));
  return line === undefined ? null : wordsOf(line);
};

const sent = async ({ accounts }: Decided, bundle: unknown): Promise<string> => {
  const receipt = await push(accounts.service.url, accounts.practice.token, bundle);
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  const [accepted] = receipt.outcome.accepted;
  if (accepted === undefined) throw new Error(JSON.stringify(receipt.outcome.rejected));
  return `/registry/records/${accepted.submission_uuid}`;
};

/** Sends a form of a page, as a browser would. */
const pressed = async (
  visitor: TestVisitor,
  page: string,
  to: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> => visitor.send(to, { _csrf: await visitor.csrfToken(page), ...fields });

const voidIn = async (visitor: TestVisitor, record: string, version: number): Promise<void> => {
  const answer = await pressed(visitor, `${record}/void`, `${record}/void`, {
    version: String(version),
    reason: REASON,
  });
  assert.is(answer.status, 303);
};

decisions('a Bundle for a record that a person voided is asked about on Home', async (context) => {
  const { admin, viewer } = context;
  const { email } = context.accounts.members.Admin;
  const bundle = birthBundle({ chartNumber: 'AGAIN-1' });
  const record = await sent(context, bundle);
  await voidIn(admin, record, 1);
  assert.match(await htmlOf(admin, '/registry'), `Needs attention</h2><p>${NOTHING_NOW}</p>`);
  await sent(context, bundle);

  const named = formatRecord({
    motherName: 'Rosa Elena Marin',
    keyKind: 'native',
    chartNumber: 'AGAIN-1',
    born: '2026-03-12',
    children: 1,
    fetalDeaths: 0,
  });
  const said = `${named} : voided by ${email}, (“${REASON}”); sent again by an EHR, .`;
  const asked = `${said} ${KEEP} ${named} Void again ${named}`;
  assert.is(await askedAbout(admin, record), asked);
  assert.is(await askedAbout(viewer, record), said);
  const shown = await textOf(admin, record);
  assert.ok(shown.indexOf(KEEP) > shown.indexOf(`voided by ${email}`));
  assert.match(shown, `voided by ${email}`);
  assert.not.match(await textOf(viewer, record), KEEP);

  // Another Bundle is no decision.
  await sent(context, bundle);
  assert.is(await askedAbout(admin, record), asked);

  const refused = await pressed(viewer, '/registry', `${record}/keep`, { version: '3' });
  assert.is(refused.status, 403);
  const kept = await pressed(admin, '/registry', `${record}/keep`, { version: '3', on: 'home' });
  assert.equal([kept.status, kept.headers.get('location')], [303, '/registry']);
  const afterwards = await htmlOf(admin, '/registry');
  assert.match(afterwards, 'data-message="record-kept"');
  assert.not.match(afterwards, KEEP);
  assert.match(await textOf(admin, record), `Kept active by ${email}`);
  const again = await pressed(admin, record, `${record}/keep`, { version: '3', on: 'record' });
  assert.is(again.headers.get('location'), record);
});

decisions('voiding it again is an answer too, and a third Bundle asks again', async (context) => {
  const { admin } = context;
  const bundle = birthBundle({ chartNumber: 'AGAIN-2', mother: { family: 'Okafor' } });
  const record = await sent(context, bundle);
  await voidIn(admin, record, 1);
  await sent(context, bundle);
  assert.match((await askedAbout(admin, record)) ?? '', KEEP);
  await voidIn(admin, record, 3);
  assert.not.match(await textOf(admin, '/registry'), KEEP);
  const late = await pressed(admin, '/registry', `${record}/keep`, { version: '3' });
  assert.is(late.status, 303);
  assert.match(await textOf(admin, record), formatRefusal({ code: 'voided-since' }));
  await sent(context, bundle);
  assert.match((await askedAbout(admin, record)) ?? '', KEEP);
});

decisions('what its sender retracted comes back without a question', async (context) => {
  const { admin } = context;
  const bundle = birthBundle({ chartNumber: 'AGAIN-3', mother: { family: 'Lindqvist' } });
  const record = await sent(context, bundle);
  await sent(context, retractionBundle('AGAIN-3'));
  // The older Bundle arrives after the retraction: the record is live again.
  await sent(context, bundle);
  assert.match(await textOf(admin, record), 'Restored. ');
  assert.is(await askedAbout(admin, record), null);
});

decisions('a rebuild finds the same questions', async ({ accounts }) => {
  const { differences } = await accounts.service.commands.rebuild('compare');
  assert.equal(differences, []);
});

decisions.run();

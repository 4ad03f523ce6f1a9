import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RECORD_KEPT } from '../../api/pages/records/keep-router.ts';
import {
  newVisitor,
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
    const visitor = newVisitor(accounts.service.url);
    await visitor.signIn(accounts.members[role]);
    return visitor;
  };
  Object.assign(context, {
    accounts,
    admin: await signedIn('Admin'),
    viewer: await signedIn('Viewer'),
  });
});
decisions.after(({ accounts }) => accounts.service.stop());

/** What a page says, without its tags. */
const textOf = async (visitor: TestVisitor, path: string): Promise<string> =>
  (await (await visitor.send(path)).text())
    .replace(/<[^>]+>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ');

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
): Promise<Response> => visitor.send(to, { ...(await visitor.birthFormFields(page)), ...fields });

const voidIn = async (visitor: TestVisitor, record: string, version: number): Promise<void> => {
  const answer = await pressed(visitor, `${record}/void`, `${record}/void`, {
    version: String(version),
    reason: 'Entered for another mother',
  });
  assert.is(answer.status, 303);
};

decisions('a Bundle for a record that a person voided is asked about on Home', async (context) => {
  const { admin, viewer } = context;
  const bundle = birthBundle({ chartNumber: 'AGAIN-1' });
  const record = await sent(context, bundle);
  await voidIn(admin, record, 1);
  assert.match(await textOf(admin, '/registry'), /Needs attention Nothing right now/);
  await sent(context, bundle);

  const said =
    /chart number AGAIN-1, born \w+ \d+, 2026 : voided by admin@cedar\.example, .{10,60} \(“Entered for another mother”\) ?; sent again by .{3,60}, .{10,60}\. /;
  const home = await textOf(admin, '/registry');
  assert.match(home, said);
  assert.match(home, /Keep record .{0,40}AGAIN-1.* Void again .{0,40}AGAIN-1/);
  const read = await textOf(viewer, '/registry');
  assert.match(read, said);
  assert.not.match(read, /Keep record|Void again/);
  assert.match(await textOf(admin, record), /voided by admin@cedar\.example.*Keep record/);
  assert.not.match(await textOf(viewer, record), /Keep record/);

  // Another Bundle is no decision.
  await sent(context, bundle);
  assert.match(await textOf(admin, '/registry'), said);

  const refused = await pressed(viewer, '/registry', `${record}/keep`, { version: '3' });
  assert.is(refused.status, 403);
  const kept = await pressed(admin, '/registry', `${record}/keep`, { version: '3', on: 'home' });
  assert.equal([kept.status, kept.headers.get('location')], [303, '/registry']);
  const afterwards = await textOf(admin, '/registry');
  assert.match(afterwards, RECORD_KEPT);
  assert.not.match(afterwards, /Keep record/);
  assert.match(
    await textOf(admin, record),
    /Kept active by admin@cedar\.example after it was sent again/,
  );
  const again = await pressed(admin, record, `${record}/keep`, { version: '3', on: 'record' });
  assert.is(again.headers.get('location'), record);
});

decisions('voiding it again is an answer too, and a third Bundle asks again', async (context) => {
  const { admin } = context;
  const bundle = birthBundle({ chartNumber: 'AGAIN-2', mother: { family: 'Okafor' } });
  const record = await sent(context, bundle);
  await voidIn(admin, record, 1);
  await sent(context, bundle);
  assert.match(await textOf(admin, '/registry'), /AGAIN-2.*Keep record/);
  await voidIn(admin, record, 3);
  assert.not.match(await textOf(admin, '/registry'), /Keep record/);
  const late = await pressed(admin, '/registry', `${record}/keep`, { version: '3' });
  assert.is(late.status, 303);
  assert.match(await textOf(admin, record), /voided in the meantime\. There is nothing to keep/);
  await sent(context, bundle);
  assert.match(await textOf(admin, '/registry'), /AGAIN-2.*Keep record/);
});

decisions('what its sender retracted comes back without a question', async (context) => {
  const { admin } = context;
  const bundle = birthBundle({ chartNumber: 'AGAIN-3', mother: { family: 'Lindqvist' } });
  const record = await sent(context, bundle);
  await sent(context, retractionBundle('AGAIN-3'));
  // The older Bundle arrives after the retraction: the record is live again.
  await sent(context, bundle);
  assert.match(await textOf(admin, record), /Restored\. /);
  assert.not.match(await textOf(admin, '/registry'), /AGAIN-3[^.]*: voided by/);
});

decisions('a rebuild finds the same questions', async ({ accounts }) => {
  const { differences } = await accounts.service.commands.rebuild('compare');
  assert.equal(differences, []);
});

decisions.run();

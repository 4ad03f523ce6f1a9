import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROWS_PER_PAGE } from '../../api/web/page-number.ts';
import {
  newVisitor,
  startTestAccounts,
  type TestAccounts,
  type TestVisitor,
} from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { readMessage } from '../harness/test-page.ts';
import { batchOf } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';

/** Lists that people or programs can make as long as they like. */
const lists = suite<{ accounts: TestAccounts; admin: TestVisitor; staff: TestVisitor }>(
  'lists without a limit of their own',
);

lists.before(async (context) => {
  const accounts = await startTestAccounts();
  const [admin, staff] = [newVisitor(accounts.service.url), newVisitor(accounts.service.url)];
  await Promise.all([admin.signIn(accounts.members.Admin), staff.signIn(accounts.staff)]);
  Object.assign(context, { accounts, admin, staff });
});
lists.after(({ accounts }) => accounts.service.stop());

const MORE = ROWS_PER_PAGE + 3;

const oneAfterAnother = async (work: (n: number) => Promise<unknown>): Promise<void> => {
  for (let n = 0; n < MORE; n += 1) await work(n);
};

const rowsOf = (html: string): number =>
  (html.match(/<tbody>[\s\S]*?<\/tbody>/)?.[0] ?? '').split('<tr').length - 1;

/** Opens both pages of a list. @param page the address of its second page */
const assertTwoPages = async (
  visitor: TestVisitor,
  [first, second]: readonly [string, string],
  all: number,
  perPage = ROWS_PER_PAGE,
): Promise<void> => {
  const [one, other] = await Promise.all(
    [first, second].map(async (path) => (await visitor.send(path)).text()),
  );
  assert.match(readMessage(one ?? '', 'page-of-list'), /\b1\b.*\b2$/);
  assert.is(rowsOf(one ?? ''), perPage);
  assert.match(readMessage(other ?? '', 'page-of-list'), /\b2\b.*\b2$/);
  assert.is(rowsOf(other ?? ''), all - perPage);
};

lists('the API keys of a practice', async ({ accounts: { service, practice }, admin }) => {
  const { practiceId } = practice;
  const scopes = ['ingest:write'] as const;
  await oneAfterAnother((n) =>
    service.commands.keys.mintNative({ practiceId, name: `key ${n}`, scopes }),
  );
  const home = '/registry/integrations';
  await assertTwoPages(admin, [home, `${home}?keys=2`], MORE + 1);
});

lists('the members of a practice', async ({ accounts: { service, practice, members }, admin }) => {
  const { practiceId } = practice;
  await oneAfterAnother((n) => {
    const email = `viewer-${n}@cedar.example`;
    return service.commands.members.invite({ practiceId, email, role: 'Viewer' });
  });
  const home = '/registry/members';
  const all = MORE + Object.keys(members).length;
  await assertTwoPages(admin, [home, `${home}?page=2`], all);
});

lists('the partners', async ({ accounts: { service }, staff }) => {
  await oneAfterAnother((n) =>
    service.commands.partners.create({ name: `Partner ${n}`, beta: false, status: 'Pending' }),
  );
  const home = '/staff/partners';
  await assertTwoPages(staff, [home, `${home}?page=2`], MORE);
});

lists('the providers that one can be merged into, likely ones first', async (context) => {
  const { accounts, admin } = context;
  const { service, practice } = accounts;
  const feed = await newPartnerFeed(service.commands, practice.practiceId);
  const births = Array.from({ length: 62 }, (_, n) =>
    attendedBirth(
      {
        attendant: {
          identity: `staff-${n}`,
          name: n === 61 ? 'Reyes, J.' : `Ada ${'x'.repeat(n + 1)}`,
        },
      },
      { chartNumber: `P-${n}` },
    ),
  );
  const joan = attendedBirth(
    { attendant: { identity: 'joan', name: 'Joan Reyes' } },
    { chartNumber: 'J-1' },
  );
  const receipt = await push(service.url, feed, batchOf([...births, joan]));
  assert.is(receipt.status, 'completed');
  const known = await service.commands.providers.list(practice.practiceId);
  const { providerId = '' } = known.find(({ identity }) => identity === 'joan') ?? {};
  const home = `/registry/providers/${providerId}/merge`;
  const [one, other] = await Promise.all(
    [home, `${home}?page=2`].map(async (path) => (await admin.send(path)).text()),
  );
  assert.match(one ?? '', 'Reyes, J.');
  assert.match(readMessage(one ?? '', 'page-of-list'), /\b1\b.*\b2$/);
  assert.not.match(other ?? '', 'Reyes, J.');
  assert.match(readMessage(other ?? '', 'page-of-list'), /\b2\b.*\b2$/);
});

lists.run();

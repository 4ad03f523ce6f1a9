import * as assert from 'uvu/assert';
import { createPasswordStore } from '../../adapters/postgres/access/passwords.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { createAccountCommands } from '../../api/commands/manage-accounts.ts';
import { createPracticeCommands } from '../../api/commands/manage-practices.ts';
import type { MemberEvent } from '../../domain/account/member-events.ts';
import type { StaffEvent } from '../../domain/account/staff-events.ts';
import type { ApiKeyEvent } from '../../domain/api-key/events.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import type { PartnerEvent } from '../../domain/partner/events.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import type { Role } from '../../domain/roles.ts';
import { memberStream, staffStream } from '../../domain/stream-names.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { databaseSuite } from '../harness/postgres.ts';
import {
  logInMemory,
  testCommandContext,
  WITHOUT_SESSIONS,
  WITHOUT_TURNS,
} from '../support/in-memory.ts';

const tables = databaseSuite('organizations and accounts', 6);

tables.before(async ({ db }) => {
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
});

const actor = { kind: 'operator', id: 'shell' } as const;
const recordedAt = new Date('2026-03-01T10:00:00Z');

const stored = (
  event: PracticeEvent | PartnerEvent | ApiKeyEvent | MemberEvent | StaffEvent,
): StoredEvent => ({
  id: 'id',
  stream: 'stream',
  revision: 0n,
  position: 0n,
  event,
  metadata: {
    schemaVersion: 1,
    correlationId: 'test',
    causationId: null,
    actor,
    recordedAt: recordedAt.toISOString(),
  },
});

const practiceId = 'practice';
const partnerId = 'partner';
const keyId = 'k-1';

tables('each has a row that follows its events, replayed or not', async ({ db }) => {
  const history = [
    stored({
      type: 'PracticeCreated',
      data: { practiceId, name: 'Cedar', sandbox: false, beta: false },
    }),
    stored({ type: 'PracticeSandboxSet', data: { practiceId, sandbox: true } }),
    stored({ type: 'PracticeBetaSet', data: { practiceId, beta: true } }),
    stored({
      type: 'PartnerCreated',
      data: { partnerId, name: 'Maple EHR', beta: false, status: 'Pending' },
    }),
    stored({ type: 'PartnerBetaSet', data: { partnerId, beta: true } }),
    stored({ type: 'PartnerContractStatusChanged', data: { partnerId, status: 'Active' } }),
    stored({
      type: 'ApiKeyMinted',
      data: {
        keyId,
        practiceId,
        kind: 'partner',
        partnerId,
        name: null,
        tokenHash: 'hash',
        scopes: ['ingest:write'],
      },
    }),
    stored({
      type: 'MemberAdded',
      data: { memberId: 'm-1', practiceId, email: 'ada@cedar.example', role: 'Admin' },
    }),
    ...[
      { memberId: 'm-8', role: 'Viewer', becomes: 'Provider' },
      { memberId: 'm-9', role: 'Provider', becomes: 'Scribe' },
    ].flatMap(({ memberId, role, becomes }) => [
      stored({
        type: 'MemberAdded',
        data: { memberId, practiceId, email: `${memberId}@cedar.example`, role: role as Role },
      }),
      stored({ type: 'AuditorPermissionSet', data: { memberId, practiceId, granted: true } }),
      stored({ type: 'SeatChanged', data: { memberId, practiceId, role: becomes as Role } }),
    ]),
    stored({ type: 'StaffAdded', data: { staffId: 's-1', email: 'sam@registry.example' } }),
  ];
  for (let replay = 0; replay < 2; replay += 1) {
    await applyChanges(db, 'read', history.flatMap(collectChanges));
    assert.equal(await db.selectFrom('read.practice').selectAll().execute(), [
      {
        practice_id: practiceId,
        name: 'Cedar',
        sandbox: true,
        beta: true,
        sandbox_since: recordedAt,
        time_zone: 'America/New_York',
      },
    ]);
    assert.equal(await db.selectFrom('read.partner').selectAll().execute(), [
      {
        partner_id: partnerId,
        name: 'Maple EHR',
        beta: true,
        status: 'Active',
        created_at: recordedAt,
      },
    ]);
    const members = db.selectFrom('read.member').selectAll().orderBy('member_id');
    const [admin, ...auditing] = await members.execute();
    assert.equal(
      auditing.map(({ role, auditor }) => [role, auditor]),
      [
        ['Provider', true],
        ['Scribe', false],
      ],
    );
    assert.equal(
      [admin],
      [
        {
          member_id: 'm-1',
          practice_id: practiceId,
          email: 'ada@cedar.example',
          name: null,
          role: 'Admin',
          auditor: false,
          added_at: recordedAt,
          removed_at: null,
          signed_in_at: null,
        },
      ],
    );
    assert.equal(await db.selectFrom('read.staff').selectAll().execute(), [
      {
        staff_id: 's-1',
        email: 'sam@registry.example',
        name: null,
        added_at: recordedAt,
        removed_at: null,
        signed_in_at: null,
      },
    ]);
    const keys = db
      .selectFrom('read.api_key')
      .select(['partner_id', 'scopes', 'minted_by', 'revoked_by']);
    assert.equal(await keys.execute(), [
      { partner_id: partnerId, scopes: ['ingest:write'], minted_by: actor, revoked_by: null },
    ]);
  }
  const revoked = stored({ type: 'ApiKeyRevoked', data: { keyId } });
  await applyChanges(db, 'read', collectChanges(revoked));
  const key = await db.selectFrom('read.api_key').selectAll().executeTakeFirstOrThrow();
  assert.equal([key.revoked_at, key.revoked_by], [recordedAt, actor]);
});

tables('a name is one of its practice, replayed or not, and outlives the seat', async ({ db }) => {
  const seat = { memberId: 'm-2', email: 'ana@cedar.example', role: 'Viewer' } as const;
  const at = (id: string) => ({ ...seat, practiceId: id });
  const asked = { endsAt: '2026-05-15T10:00:00.000Z', byStaff: false };
  const history = [
    stored({ type: 'MemberInvited', data: { ...at('one'), ...asked, name: 'Anna' } }),
    stored({ type: 'MemberAdded', data: { ...at('one'), name: 'Ana' } }),
    stored({
      type: 'MemberNamed',
      data: { memberId: 'm-2', practiceId: 'one', name: 'Ana Ruiz' },
    }),
    stored({ type: 'MemberRemoved', data: { memberId: 'm-2', practiceId: 'one' } }),
    stored({ type: 'MemberAdded', data: at('two') }),
    stored({ type: 'MemberInvited', data: { ...at('three'), ...asked } }),
    stored({ type: 'StaffAdded', data: { staffId: 's-2', email: 's@registry.example' } }),
    stored({ type: 'StaffNamed', data: { staffId: 's-2', name: 'Sam Reyes' } }),
    stored({ type: 'StaffRemoved', data: { staffId: 's-2' } }),
  ];
  for (let replay = 0; replay < 2; replay += 1) {
    await applyChanges(db, 'read', history.flatMap(collectChanges));
    const namesIn = async (table: 'read.member' | 'read.invitation') =>
      (
        await db
          .selectFrom(table)
          .select(['practice_id', 'name'])
          .where('member_id', '=', 'm-2')
          .orderBy('practice_id')
          .execute()
      ).map(({ practice_id, name }) => [practice_id, name]);
    assert.equal(await namesIn('read.member'), [
      ['one', 'Ana Ruiz'],
      ['two', null],
    ]);
    assert.equal(await namesIn('read.invitation'), [
      ['one', 'Anna'],
      ['three', null],
    ]);
    const staff = db.selectFrom('read.staff').select(['name']).where('staff_id', '=', 's-2');
    assert.equal(await staff.execute(), [{ name: 'Sam Reyes' }]);
  }
});

tables('an account is held by one at a time, and keeps what ended well', async ({ db }) => {
  const passwords = createPasswordStore(db);
  const steps: string[] = [];
  const add = (name: string) =>
    passwords.holdAccount('account', async (account) => {
      steps.push(`${name} begins`);
      if (!(await account.hasPassword())) await account.setPassword(`hash of ${name}`);
      steps.push(`${name} ends`);
      return name;
    });
  await Promise.all([add('a'), add('b'), add('c')]);
  for (let at = 0; at < steps.length; at += 2)
    assert.is(steps[at + 1], steps[at]?.replace('begins', 'ends'));
  assert.is((await passwords.find('account'))?.hash, `hash of ${steps[0]?.[0]}`);

  const failed = await passwords
    .holdAccount('another', async (account) => {
      await account.setPassword('hash');
      throw new Error('The append failed');
    })
    .catch((error: Error) => error.message);
  assert.is(failed, 'The append failed');
  assert.is(await passwords.find('another'), null);
});

tables('an email that a practice and the staff ask for at once is one account', async ({ db }) => {
  const log = logInMemory();
  const context = testCommandContext();
  const practices = createPracticeCommands(log, WITHOUT_TURNS, context);
  const here = await practices.create({ name: 'Cedar', sandbox: false, beta: true });
  const there = await practices.create({ name: 'Birch', sandbox: false, beta: true });
  const commands = createAccountCommands(
    log,
    practices,
    {
      ...WITHOUT_SESSIONS,
      accountId: (email) => `id-of-${email}`,
      hashPassword: async (password) => `hash of ${password}`,
      holdAccount: createPasswordStore(db).holdAccount,
    },
    context,
  );
  const person = { email: 'ada@cedar.example', password: 'twelve chars' };
  const outcomes = await Promise.allSettled([
    commands.addMember({ ...person, practiceId: here, role: 'Admin' }),
    commands.addStaff(person),
    commands.addMember({ ...person, practiceId: there, role: 'Viewer' }),
  ]);
  assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  for (const one of outcomes)
    if (one.status === 'rejected') assert.is(one.reason.name, 'CommandRefused');
  const id = 'id-of-ada@cedar.example';
  const added = [...log.typesOf(memberStream(id)), ...log.typesOf(staffStream(id))];
  assert.is(added.length, 1);
});

tables.run();

import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashOneTimePassword, verifyPassword } from '../../../adapters/crypto/credentials.ts';
import { createInvitationStore } from '../../../adapters/postgres/access/invitations.ts';
import { createPasswordStore } from '../../../adapters/postgres/access/passwords.ts';
import { createAuditReads } from '../../../adapters/postgres/read-model/audit-trail.ts';
import { createOrganizationReads } from '../../../adapters/postgres/read-model/organizations.ts';
import { createFindSignedIn } from '../../../api/access/find-signed-in.ts';
import { changePassword } from '../../../api/commands/change-password.ts';
import { type CommandSets, createCommands } from '../../../api/commands/command-sets.ts';
import type { InvitedMember } from '../../../api/commands/manage-members.ts';
import { formatActorName } from '../../../api/pages/text/actor-name.ts';
import type { Actor } from '../../../domain/event-log.ts';
import { isKnown } from '../../../domain/event-log.ts';
import type { Role } from '../../../domain/roles.ts';
import { push, startWritingService, type WritingService } from '../../harness/service.ts';
import { birthBundle } from '../../support/bundles.ts';

interface People {
  service: WritingService;
  commandsOf: (person: Actor, correlationId?: string) => CommandSets;
}

const people = suite<People>('what signed-in people may change');

people.before(async (context) => {
  const service = await startWritingService();
  context.service = service;
  context.commandsOf = (...person) => createCommands(service.registry, ...person);
});
people.after(({ service }) => service.stop());

const admin = { kind: 'member', id: 'the-admin' } as const;
const newPractice = ({ service }: People) =>
  service.commands.practices.create({ name: 'Cedar', sandbox: false, beta: true });

const refusalOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: Error) => (error.name === 'CommandRefused' ? error.message : Promise.reject(error)),
  );

const seatOf = ({ service }: People, memberId: string) =>
  createFindSignedIn(service.registry, async () => BigInt(Date.now()))(memberId);

const rowOf = ({ service }: People, memberId: string) =>
  service.stores.db
    .selectFrom('read.member')
    .select(['role', 'removed_at'])
    .where('member_id', '=', memberId)
    .executeTakeFirst();

/** Invites a person, who accepts. @returns their id */
const seated = async (
  { service, commandsOf }: People,
  practiceId: string,
  email: string,
  role: Role,
): Promise<string> => {
  const { memberId } = await commandsOf(admin).members.invite({ practiceId, email, role });
  await commandsOf({ kind: 'member', id: memberId }).members.accept(practiceId, memberId, 'hash');
  assert.ok(await createPasswordStore(service.stores.db).find(memberId));
  return memberId;
};

people('an invitation is no seat before it is accepted, once', async (context) => {
  const { service, commandsOf } = context;
  const practiceId = await newPractice(context);
  const { members } = commandsOf(admin);
  const order = { practiceId, email: 'ines.one@cedar.example', role: 'Provider' } as const;
  const first = await members.invite(order);
  assert.match((await refusalOf(members.invite(order))) ?? '', /already invited, .* role Provider/);
  await members.withdraw(practiceId, first.memberId);
  const { memberId, oneTimePassword, expiresAt } = await members.invite(order);
  assert.is(first.memberId, memberId);
  assert.match(oneTimePassword, /^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  const hours = (expiresAt.getTime() - Date.now()) / 3_600_000;
  assert.ok(hours > 71 && hours <= 72, `${hours}`);
  assert.is(await seatOf(context, memberId), null);
  assert.is(await rowOf(context, memberId), undefined);
  const find = (password: string) =>
    service.registry.invitations.find(memberId, hashOneTimePassword(password));
  assert.is(await find(first.oneTimePassword), null);
  assert.is((await find(oneTimePassword))?.practiceId, practiceId);
  const accept = () => members.accept(practiceId, memberId, 'hash of her own');
  await accept();
  assert.is((await seatOf(context, memberId))?.kind, 'member');
  assert.is((await rowOf(context, memberId))?.role, 'Provider');
  assert.is((await createPasswordStore(service.stores.db).find(memberId))?.hash, 'hash of her own');
  assert.is(await find(oneTimePassword), null);
  assert.match((await refusalOf(accept())) ?? '', /invitation has expired/);
  assert.match((await refusalOf(members.invite(order))) ?? '', /already a member .* role Provider/);
});

people('a member has a name in every process, and in the log who gave it', async (context) => {
  const { commandsOf, service } = context;
  const practiceId = await newPractice(context);
  const memberId = await seated(context, practiceId, 'ana.name@cedar.example', 'Provider');
  assert.is((await seatOf(context, memberId))?.name, null);
  const own = commandsOf({ kind: 'member', id: memberId }).members;
  await own.rename(practiceId, memberId, ' Ana  Ruiz ');
  assert.is((await seatOf(context, memberId))?.name, 'Ana Ruiz');
  const trail = () => createAuditReads(service.stores.db).readPracticeAudit(practiceId, 10);
  const before = (await trail()).length;
  await own.rename(practiceId, memberId, 'Ana Ruiz');
  assert.is((await trail()).length, before);
  await commandsOf(admin).members.rename(practiceId, memberId, 'Ana Soto');
  const [byAdmin, byHerself] = await trail();
  assert.equal(
    [byAdmin?.type, byAdmin?.value, byHerself?.value, byHerself?.by.name],
    ['MemberNamed', 'Ana Soto', 'Ana Ruiz', 'Ana Soto'],
  );
  assert.equal(byAdmin?.member, { email: 'ana.name@cedar.example', name: 'Ana Soto' });
  for (const [name, words] of [
    [' ', /Enter a name/],
    ['admin@cedar.example', /no @/],
    ['x'.repeat(101), /more than 100 characters/],
    ['Ana\u0007', /cannot be shown/],
  ] as const)
    assert.match((await refusalOf(own.rename(practiceId, memberId, name))) ?? '', words);
  const elsewhere = await newPractice(context);
  assert.match(
    (await refusalOf(own.rename(elsewhere, memberId, 'Mickey'))) ?? '',
    /no member with this id/,
  );
  await commandsOf(admin).members.remove(practiceId, memberId);
  assert.match(
    (await refusalOf(own.rename(practiceId, memberId, 'Mickey'))) ?? '',
    /no member with this id/,
  );
  // A name is the practice's that knows the person by it.
  const invited = await commandsOf(admin).members.invite({
    practiceId: elsewhere,
    email: 'ana.name@cedar.example',
    role: 'Viewer',
  });
  assert.is(await own.nameWhenInvited(elsewhere, invited.memberId), null);
  assert.is(await own.nameWhenInvited(practiceId, invited.memberId), 'Ana Soto');
});

people('two Admins who invite one email at once give it one seat', async (context) => {
  const { commandsOf } = context;
  const practiceId = await newPractice(context);
  const email = 'wanted.twice@cedar.example';
  const roles = ['Viewer', 'Scribe'] as const;
  const answers = await Promise.allSettled(
    roles.map((role) => commandsOf(admin).members.invite({ practiceId, email, role })),
  );
  const [invited, ...others] = answers.filter(({ status }) => status === 'fulfilled');
  const [refused] = answers.filter(({ status }) => status === 'rejected');
  assert.is(others.length, 0);
  const role = roles[answers.indexOf(invited as (typeof answers)[number])];
  assert.match(
    String((refused as PromiseRejectedResult).reason),
    `is already invited, with the role ${role}.`,
  );
  const { memberId, oneTimePassword } = (invited as PromiseFulfilledResult<InvitedMember>).value;
  // The one-time password of the first is still good.
  const held = await createInvitationStore(context.service.stores.db).find(
    memberId,
    hashOneTimePassword(oneTimePassword),
  );
  assert.is(held?.practiceId, practiceId);
});

people('two of the staff who invite one email at once open it once', async ({ commandsOf }) => {
  const { staff } = commandsOf({ kind: 'operator', id: 'shell' });
  const answers = await Promise.all(
    [1, 2].map(() => refusalOf(staff.invite('staff.twice@registry.example'))),
  );
  assert.is(answers.filter((refusal) => refusal === null).length, 1);
  assert.match(answers.find((refusal) => refusal !== null) ?? '', /has the account already/);
});

people('a partner that gets two keys of a practice at once has one', async (context) => {
  const { keys, partners } = context.commandsOf({ kind: 'operator', id: 'shell' });
  const practiceId = await newPractice(context);
  const partnerId = await partners.create({ name: 'Larch EHR', beta: true, status: 'Active' });
  const order = { practiceId, partnerId, name: null, scopes: ['ingest:write'] } as const;
  const answers = await Promise.all([1, 2].map(() => refusalOf(keys.mintPartner(order))));
  assert.is(answers.filter((refusal) => refusal === null).length, 1);
});

people('the staff have names, of whom a practice hears none', async (context) => {
  const { commandsOf, service } = context;
  const { accounts, staff } = commandsOf({ kind: 'operator', id: 'shell' });
  const staffId = await accounts.addStaff({
    email: 'sam.named@registry.example',
    password: 'a long synthetic passphrase',
    name: 'Sam',
  });
  assert.is((await seatOf(context, staffId))?.name, 'Sam');
  await staff.rename(staffId, 'Sam Reyes');
  assert.is((await seatOf(context, staffId))?.name, 'Sam Reyes');
  assert.match(
    (await refusalOf(staff.rename('nobody', 'Sam'))) ?? '',
    /No one on the service staff/,
  );
  const practiceId = await newPractice(context);
  await commandsOf({ kind: 'staff', id: staffId }).practices.set(practiceId, {
    sandbox: null,
    beta: false,
    name: null,
    timeZone: null,
  });
  const [entry] = await createAuditReads(service.stores.db).readPracticeAudit(practiceId, 1);
  assert.ok(entry);
  assert.equal(
    [formatActorName(entry.by, 'staff'), formatActorName(entry.by, 'practice')],
    ['Sam Reyes (sam.named@registry.example)', 'the service staff'],
  );
});

people('many who accept at once do not wait for each other', async (context) => {
  const practiceId = await newPractice(context);
  const names = Array.from({ length: 12 }, (_, at) => `crowd-${at}@cedar.example`);
  const ids = await Promise.all(names.map((email) => seated(context, practiceId, email, 'Viewer')));
  assert.is(new Set(ids).size, names.length);
});

people(
  'several practices may invite a person, who chooses; none learns of the others',
  async (context) => {
    const { commandsOf } = context;
    const [here, there] = [await newPractice(context), await newPractice(context)];
    const { members, accounts } = commandsOf(admin);
    const email = 'wanted@birch.example';
    const order = { email, role: 'Viewer' } as const;
    const { memberId } = await members.invite({ ...order, practiceId: here });
    await members.invite({ ...order, practiceId: there });
    await members.accept(there, memberId, 'hash');
    const seat = await seatOf(context, memberId);
    assert.is(seat?.kind === 'member' && seat.practiceId, there);
    // As before the seat elsewhere.
    await members.withdraw(here, memberId);
    await members.invite({ ...order, practiceId: here });
    assert.match(
      (await refusalOf(members.accept(here, memberId, 'another hash'))) ?? '',
      /member of another practice/,
    );
    await members.withdraw(here, memberId);
    assert.match((await refusalOf(members.accept(here, memberId, 'hash'))) ?? '', /has expired/);
    const staffEmail = 'sam.two@registry.example';
    await accounts.addStaff({ email: staffEmail, password: 'a long synthetic passphrase' });
    const ofStaff = await members.invite({ ...order, practiceId: here, email: staffEmail });
    assert.match(
      (await refusalOf(members.accept(here, ofStaff.memberId, 'hash'))) ?? '',
      /belongs to the service staff/,
    );
  },
);

people('the staff invite the first Admin, and nobody while there is one', async (context) => {
  const { commandsOf, service } = context;
  const practiceId = await newPractice(context);
  const staff = commandsOf({ kind: 'staff', id: 's-1' }).members;
  const invite = (name: string, reason = '') =>
    staff.inviteByStaff({ practiceId, email: `${name}@larch.example` }, reason);
  const [first, second] = [await invite('first'), await invite('second')];
  await staff.accept(practiceId, first.memberId, 'hash');
  // One that was kept in reserve is good for nothing now.
  assert.match(
    (await refusalOf(staff.accept(practiceId, second.memberId, 'hash'))) ?? '',
    /has expired/,
  );
  const reason = 'Its only Admin has left the practice.';
  assert.match((await refusalOf(invite('third', reason))) ?? '', /has an Admin/);
  assert.match((await refusalOf(staff.remove(practiceId, first.memberId))) ?? '', /last Admin/);
  await service.commands.members.remove(practiceId, first.memberId, 'removable');
  assert.match((await refusalOf(invite('third'))) ?? '', /Enter a reason/);
  await invite('third', reason);
  const practice = await service.commands.practices.find(practiceId);
  assert.equal(
    practice.status === 'known' && [
      practice.lastBreakGlass?.reason,
      practice.lastBreakGlass?.email,
    ],
    [reason, 'third@larch.example'],
  );
  const [entry] = await createAuditReads(service.stores.db)
    .readPracticeAudit(practiceId, 2)
    .then((entries) => entries.filter(({ type }) => type === 'BreakGlassUsed'));
  assert.equal([entry?.value, entry?.by.kind], [reason, 'staff']);
});

people('a password that was handed over is only good for another, in time', async (context) => {
  const { service, commandsOf } = context;
  const practiceId = await newPractice(context);
  const email = 'ivy@cedar.example';
  const memberId = await seated(context, practiceId, email, 'Viewer');
  const { oneTimePassword } = await commandsOf(admin).members.givePassword(practiceId, memberId);
  const passwords = createPasswordStore(service.stores.db);
  const own = {
    accountId: memberId,
    owner: { email, practice: 'Cedar' },
    oldPassword: oneTimePassword,
    newPassword: 'a password of my own',
  };
  const refusedFor = async (changes: Partial<typeof own>, now = () => new Date()) => {
    const changed = await changePassword({ ...service.registry, now }, { ...own, ...changes });
    return changed.kind === 'refused' ? changed.code : null;
  };
  assert.is(await refusedFor({ oldPassword: 'wrong' }), 'wrong-password');
  assert.is(await refusedFor({ newPassword: oneTimePassword }), 'same-password');
  assert.is(await refusedFor({ newPassword: 'short' }), 'password-too-short');
  assert.is(await refusedFor({ newPassword: 'password2026' }), 'password-common');
  const tooLate = () => new Date(Date.now() + 73 * 3_600_000);
  assert.is(await refusedFor({}, tooLate), 'password-ended');
  assert.ok((await passwords.find(memberId))?.endsAt);
  assert.is(await refusedFor({}), null);
  const held = await passwords.find(memberId);
  assert.is(held?.endsAt, null);
  assert.is(await verifyPassword(held?.hash ?? '', own.newPassword), true);
});

people(
  'sessions are ended for an account that there is, and it is on record by whom',
  async (context) => {
    const { service, commandsOf } = context;
    const practiceId = await newPractice(context);
    const memberId = await seated(context, practiceId, 'lost.phone@cedar.example', 'Viewer');
    const passwords = createPasswordStore(service.stores.db);
    const before = await passwords.find(memberId);
    const { accounts } = commandsOf(admin);
    assert.is(await accounts.endSessions('Lost.Phone@cedar.example'), 0);
    const after = await passwords.find(memberId);
    assert.is(after?.hash, before?.hash);
    // A sign-in that is under way with the generation of before leads nowhere.
    assert.is.not(after?.generation, before?.generation);
    assert.match(
      (await refusalOf(accounts.endSessions('no.one@cedar.example'))) ?? '',
      /no account/,
    );
  },
);

people('two Admins who remove each other at once leave one', async (context) => {
  const { commandsOf } = context;
  const practiceId = await newPractice(context);
  const [ada = '', bea = ''] = await Promise.all(
    ['ada', 'bea'].map((name) => seated(context, practiceId, `${name}@cedar.example`, 'Admin')),
  );
  const outcomes = await Promise.all([
    refusalOf(commandsOf({ kind: 'member', id: ada }).members.remove(practiceId, bea)),
    refusalOf(
      commandsOf({ kind: 'member', id: bea }).members.changeSeat(practiceId, ada, 'Viewer'),
    ),
  ]);
  assert.is(outcomes.filter((one) => one === null).length, 1);
  const seats = await Promise.all([ada, bea].map((id) => seatOf(context, id)));
  const admins = seats.filter((seat) => seat?.kind === 'member' && seat.role === 'Admin');
  assert.is(admins.length, 1);
});

people('a removed member has no way in, and may be invited anew', async (context) => {
  const { service, commandsOf } = context;
  const practiceId = await newPractice(context);
  const { members } = commandsOf(admin);
  const order = { practiceId, email: 'cleo@cedar.example', role: 'Scribe' } as const;
  const memberId = await seated(context, practiceId, order.email, order.role);
  await service.stores.db
    .insertInto('app.session')
    .values({ sid: 's-1', sess: { accountId: memberId }, expire: new Date('2100-01-01') })
    .execute();
  await members.remove(practiceId, memberId);
  await members.remove(practiceId, memberId);
  assert.is(await seatOf(context, memberId), null);
  assert.is(await createPasswordStore(service.stores.db).find(memberId), null);
  assert.ok((await rowOf(context, memberId))?.removed_at instanceof Date);
  const sessions = await service.stores.db
    .selectFrom('app.session')
    .select('sid')
    .where('account_id', '=', memberId)
    .execute();
  assert.equal(sessions, []);
  const again = await members.invite({ ...order, role: 'Viewer' });
  assert.is(again.memberId, memberId);
  await members.accept(practiceId, memberId, 'hash');
  const row = await rowOf(context, memberId);
  assert.equal([row?.role, row?.removed_at], ['Viewer', null]);
  const elsewhere = await newPractice(context);
  assert.ok(await refusalOf(members.remove(elsewhere, memberId)));
});

people("a practice's own fields follow its commands, by whom they were given", async (context) => {
  const { service, commandsOf } = context;
  const practiceId = await newPractice(context);
  const { customFields } = commandsOf(admin);
  const choice = {
    type: 'choice',
    label: 'Room',
    choices: ['Blue', 'Green'],
    order: null,
  } as const;
  const fieldId = await customFields.define(practiceId, choice);
  assert.ok(await refusalOf(customFields.define(practiceId, choice)));
  await customFields.change(practiceId, {
    fieldId,
    label: 'Birth room',
    addedChoices: ['Red'],
    order: null,
  });
  await customFields.retire(practiceId, fieldId);
  const retired = await service.stores.db
    .selectFrom('read.custom_field')
    .select(['label', 'choices', 'type', 'retired_at'])
    .where('practice_id', '=', practiceId)
    .execute();
  assert.is(retired.length, 1);
  assert.equal(
    [retired[0]?.label, retired[0]?.choices, retired[0]?.type],
    ['Birth room', ['Blue', 'Green', 'Red'], 'choice'],
  );
  assert.ok(retired[0]?.retired_at instanceof Date);
  await customFields.restore(practiceId, fieldId);
  const practice = await service.commands.practices.find(practiceId);
  assert.is(practice.status === 'known' && practice.customFields[0]?.isRetired, false);
  const events = await service.stores.log.readStream(`practice-${practiceId}`);
  assert.equal(events.filter(isKnown).at(-1)?.metadata.actor, admin);
});

people('a practice gets a name and a clock; what is no time zone is refused', async (context) => {
  const { service, commandsOf } = context;
  const practiceId = await newPractice(context);
  const { practices } = commandsOf({ kind: 'staff', id: 's-1' });
  const keep = { sandbox: null, beta: null };
  await practices.set(practiceId, { ...keep, name: 'Birch House', timeZone: 'America/Denver' });
  for (const timeZone of ['Mars/Olympus', '+05:00', 'Denver', ''])
    assert.ok(await refusalOf(practices.set(practiceId, { ...keep, timeZone })), timeZone);
  const row = await service.stores.db
    .selectFrom('read.practice')
    .select(['name', 'time_zone'])
    .where('practice_id', '=', practiceId)
    .executeTakeFirst();
  assert.equal(row, { name: 'Birch House', time_zone: 'America/Denver' });
});

people(
  'births that wait in the queue count as live records until they are through',
  async (context) => {
    const { service } = context;
    const { commands, stores } = service;
    const practiceId = await newPractice(context);
    const { token } = await commands.keys.mintNative({
      practiceId,
      name: null,
      scopes: ['ingest:write', 'ingest:read'],
    });
    const refused = await push(service.url, token, birthBundle({ chartNumber: 'x'.repeat(1_000) }));
    assert.equal(refused.status === 'completed' && [refused.accepted, refused.rejected], [0, 1]);
    const undone = new Error('Nothing of it stays, or the worker would take it up.');
    const looks = stores.db.transaction().execute(async (queued) => {
      const enqueue = (ingestionId: string) =>
        queued
          .insertInto('app.submission')
          .values({
            ingestion_id: ingestionId,
            attempt: randomUUID(),
            practice_id: practiceId,
            key_kind: 'native',
            sender_id: 'key',
            correlation_id: 'test',
            received_at: new Date(),
            courses: 1,
            bytes: 0,
            expires_at: new Date(),
          })
          // its own row may not have been dropped yet
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      await enqueue(refused.id);
      assert.is(await createOrganizationReads(queued).hasLiveRecords(practiceId), false);
      await enqueue(randomUUID());
      assert.is(await createOrganizationReads(queued).hasLiveRecords(practiceId), true);
      throw undone;
    });
    assert.is(await looks.catch((error: unknown) => error), undone);
  },
);

people('what holds live records is made no sandbox, and no real practice', async (context) => {
  const { service, commandsOf } = context;
  const { stores, writes, commands } = service;
  for (const sandbox of [true, false]) {
    const practiceId = await commands.practices.create({ name: 'Oak', sandbox, beta: true });
    const { token } = await commands.keys.mintNative({
      practiceId,
      name: null,
      scopes: ['ingest:write', 'ingest:read'],
    });
    const receipt = await push(service.url, token, birthBundle());
    const { submission_uuid: submissionUuid = '' } =
      receipt.status === 'completed' ? (receipt.outcome.accepted[0] ?? {}) : {};
    const staff = { kind: 'staff', id: 's-1' } as const;
    const change = { sandbox: !sandbox, beta: null, name: 'Ash' };
    for (const { practices } of [commands, commandsOf(staff)])
      assert.match(
        (await refusalOf(practices.set(practiceId, change))) ?? 'done',
        sandbox ? /so it stays a sandbox/ : /so it stays a real practice/,
      );
    const held = await commands.practices.find(practiceId);
    assert.equal(held.status === 'known' && [held.sandbox, held.name], [sandbox, 'Oak']);

    const record = { practiceId, submissionUuid, actor: admin, correlationId: 'test' };
    const voided = await writes.voidRecord(record, { version: 1, reason: 'synthetic' });
    assert.is(voided.kind, 'done');
    await commandsOf(staff).practices.set(practiceId, change);
    const changed = await commands.practices.find(practiceId);
    assert.equal(changed.status === 'known' && [changed.sandbox, changed.name], [!sandbox, 'Ash']);
    assert.equal(
      (await createAuditReads(stores.db).readPracticeAudit(practiceId, 4)).map(
        ({ type, value, by }) => [type, value, by.kind],
      ),
      [
        ['PracticeRenamed', 'Ash', 'staff'],
        ['PracticeSandboxSet', String(!sandbox), 'staff'],
        ['PracticeSandboxChangeRefused', String(!sandbox), 'staff'],
        ['PracticeSandboxChangeRefused', String(!sandbox), 'operator'],
      ],
    );
  }
});

people('every mint names the person who did it', async (context) => {
  const { service, commandsOf } = context;
  const practiceId = await newPractice(context);
  const { keyId } = await commandsOf(admin).keys.mintNative({
    practiceId,
    name: 'Scribe key',
    scopes: ['ingest:write'],
  });
  const staff = { kind: 'staff', id: 's-1' } as const;
  await commandsOf(staff).keys.revoke(keyId);
  const key = await service.stores.db
    .selectFrom('read.api_key')
    .select(['minted_by', 'revoked_by'])
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  assert.equal(key, { minted_by: admin, revoked_by: staff });
});

people.run();

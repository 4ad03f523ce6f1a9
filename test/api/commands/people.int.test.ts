import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPassword } from '../../../adapters/crypto/credentials.ts';
import { passwordsOf } from '../../../adapters/postgres/access/passwords.ts';
import { practiceAuditIn } from '../../../adapters/postgres/queries/audit-trail.ts';
import { hasLiveRecordsIn } from '../../../adapters/postgres/queries/organisations.ts';
import { findSignedInWith } from '../../../api/access/find-signed-in.ts';
import { changePassword } from '../../../api/commands/change-password.ts';
import { type CommandSets, commandsOf } from '../../../api/commands/command-sets.ts';
import type { Actor } from '../../../domain/event-log.ts';
import { birthBundle } from '../../support/bundles.ts';
import { startWritingService, type WritingService } from '../../support/record-writes.ts';
import { push } from '../../support/service.ts';

interface People {
  service: WritingService;
  commandsOf: (person: Actor, correlationId?: string) => CommandSets;
}

const people = suite<People>('what signed-in people may change');

people.before(async (context) => {
  const service = await startWritingService();
  context.service = service;
  context.commandsOf = (...person) => commandsOf(service.registry, ...person);
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
  findSignedInWith(service.registry, async () => BigInt(Date.now()))(memberId);

const rowOf = ({ service }: People, memberId: string) =>
  service.stores.db
    .selectFrom('read.member')
    .select(['role', 'removed_at'])
    .where('member_id', '=', memberId)
    .executeTakeFirst();

people('an invited member has a password that is only good for another', async (context) => {
  const { service, commandsOf } = context;
  const practiceId = await newPractice(context);
  const { members } = commandsOf(admin);
  const order = { practiceId, email: 'ines.one@cedar.example', role: 'Provider' } as const;
  const { memberId, password } = await members.invite(order);
  assert.match(password, /^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  const passwords = passwordsOf(service.stores.db);
  assert.is(await passwords.mustChange(memberId), true);
  assert.is((await rowOf(context, memberId))?.role, 'Provider');
  assert.ok(await refusalOf(members.invite(order)));
  assert.is(await isPassword((await passwords.find(memberId)) ?? '', password), true);

  const own = { accountId: memberId, oldPassword: password, newPassword: 'a password of my own' };
  const refusedFor = async (changes: Partial<typeof own>) =>
    (await changePassword(service.registry, { ...own, ...changes }))?.code;
  assert.is(await refusedFor({ oldPassword: 'wrong' }), 'wrong-password');
  assert.is(await refusedFor({ newPassword: password }), 'same-password');
  assert.ok(await refusedFor({ newPassword: 'short' }));
  assert.is(await passwords.mustChange(memberId), true);
  assert.is(await refusedFor({}), undefined);
  assert.is(await passwords.mustChange(memberId), false);
  assert.is(await isPassword((await passwords.find(memberId)) ?? '', own.newPassword), true);
});

people('two Admins who remove each other at once leave one', async (context) => {
  const { commandsOf } = context;
  const practiceId = await newPractice(context);
  const { members } = commandsOf(admin);
  const invited = await Promise.all(
    ['ada', 'bea'].map((name) =>
      members.invite({ practiceId, email: `${name}@cedar.example`, role: 'Admin' }),
    ),
  );
  const [ada = '', bea = ''] = invited.map(({ memberId }) => memberId);
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
  const first = await members.invite(order);
  const { memberId } = first;
  await service.stores.db
    .insertInto('app.session')
    .values({ sid: 's-1', sess: { accountId: memberId }, expire: new Date('2100-01-01') })
    .execute();
  await members.remove(practiceId, memberId);
  await members.remove(practiceId, memberId);
  assert.is(await seatOf(context, memberId), null);
  assert.is(await passwordsOf(service.stores.db).find(memberId), null);
  assert.ok((await rowOf(context, memberId))?.removed_at instanceof Date);
  const sessions = await service.stores.db
    .selectFrom('app.session')
    .select('sid')
    .where('account_id', '=', memberId)
    .execute();
  assert.equal(sessions, []);
  const again = await members.invite({ ...order, role: 'Viewer' });
  assert.is(again.memberId, memberId);
  assert.is.not(again.password, first.password);
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
  assert.is(practice.status === 'known' && practice.customFields[0]?.retired, false);
  const events = await service.stores.log.readStream(`practice-${practiceId}`);
  assert.equal(events.at(-1)?.metadata.actor, admin);
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
      assert.is(await hasLiveRecordsIn(queued)(practiceId), false);
      await enqueue(randomUUID());
      assert.is(await hasLiveRecordsIn(queued)(practiceId), true);
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
      (await practiceAuditIn(stores.db)(practiceId, 4)).map(({ type, value, by }) => [
        type,
        value,
        by.kind,
      ]),
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

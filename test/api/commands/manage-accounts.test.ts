import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAccountCommands } from '../../../api/commands/manage-accounts.ts';
import { createPracticeCommands } from '../../../api/commands/manage-practices.ts';
import { memberStream } from '../../../domain/stream-names.ts';
import {
  logInMemory,
  testCommandContext,
  WITHOUT_SESSIONS,
  WITHOUT_TURNS,
} from '../../support/in-memory.ts';

const accounts = suite('accounts and their passwords');

accounts('an account whose password was lost on its way gets it by the same command', async () => {
  const log = logInMemory();
  const context = testCommandContext();
  const practices = createPracticeCommands(log, WITHOUT_TURNS, context);
  const practiceId = await practices.create({ name: 'Cedar', sandbox: false, beta: true });
  const passwords = new Map<string, string>();
  let isCut = true;
  const commands = createAccountCommands(
    log,
    practices,
    {
      ...WITHOUT_SESSIONS,
      accountId: (email) => `id-of-${email}`,
      hashPassword: async (password) => `hash of ${password}`,
      holdAccount: (id, work) =>
        work({
          holdSeats: (_practice, seated) => seated([]),
          hasPassword: async () => passwords.has(id),
          async setPassword(hash) {
            if (isCut) throw new Error('The process ended here');
            passwords.set(id, hash);
            return '1';
          },
          async dropPassword() {
            passwords.delete(id);
          },
          renewGeneration: async () => undefined,
          bindTo: async () => true,
          unbind: async () => undefined,
        }),
    },
    context,
  );
  const order = {
    practiceId,
    email: ' Ada@Cedar.example',
    password: 'first password',
    role: 'Admin',
  } as const;
  const id = 'id-of-ada@cedar.example';
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Error) => error.name,
    );

  assert.is(await errorOf(commands.addMember(order)), 'Error');
  assert.equal(log.typesOf(memberStream(id)), ['MemberAdded']);
  isCut = false;
  assert.is(await commands.addMember(order), id);
  assert.equal([...passwords], [[id, 'hash of first password']]);

  const again = commands.addMember({ ...order, password: 'second password' });
  assert.is(await errorOf(again), 'CommandRefused');
  assert.equal([...passwords], [[id, 'hash of first password']]);
  assert.equal(log.typesOf(memberStream(id)), ['MemberAdded']);
});

accounts.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newPractice, sharedTestService, type TestService } from '../../harness/service.ts';
import { withCommands } from '../../postgres/support/lost-events.ts';

const lists = suite<{ service: TestService }>('the lists of the operator');

lists.before(async (context) => {
  context.service = await sharedTestService();
});
lists.after(({ service }) => service.stop());

const refusalOf = (listed: Promise<unknown>): Promise<string> =>
  listed.then(
    () => 'none',
    (error: Error) => `${error.name}: ${error.message}`,
  );

lists('an id that nobody has is refused, and is no empty list', async ({ service }) => {
  const { lists: listsOf } = service.commands;
  for (const list of [listsOf.keysOfPractice, listsOf.members])
    assert.match(await refusalOf(list('nope')), /^CommandRefused: There is no practice with this/);
  assert.match(
    await refusalOf(listsOf.keysOfPartner('nope')),
    /^CommandRefused: There is no partner with this id/,
  );
});

lists('who has no keys or members has an empty list', async ({ service }) => {
  const { practices, partners, lists: listsOf } = service.commands;
  const practiceId = await practices.create({ name: 'Oak', sandbox: true, beta: true });
  const partnerId = await partners.create({ name: 'Maple', beta: true, status: 'Active' });
  assert.equal(await listsOf.keysOfPractice(practiceId), []);
  assert.equal(await listsOf.members(practiceId), []);
  assert.equal(await listsOf.keysOfPartner(partnerId), []);
  const { practiceId: other, keyId } = await newPractice(service.commands);
  // As at the shell: each command waits for the tables once.
  await withCommands(service.settings, async (commands) =>
    assert.equal(
      (await commands.lists.keysOfPractice(other)).map((key) => key.keyId),
      [keyId],
    ),
  );
});

lists.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import {
  type DyingRegistry,
  RECOVERED_WITHIN_MS,
  requireSoundLog,
  startDyingRegistry,
} from '../harness/recovery.ts';
import { newPractice, post, push, receiptAddress, receiptAt } from '../harness/service.ts';
import type { DiesAfter } from '../harness/service-process.ts';
import { withCommands } from '../postgres/support/lost-events.ts';
import { batchOf } from '../support/bundles.ts';
import { ada, attendedBirth, joan, newPartnerFeed, providerEvents } from '../support/partners.ts';

interface Context {
  registry: DyingRegistry;
  stores: Stores;
  undisturbed: unknown;
}

/** A service that dies between the providers and the records of a partner's batch. */
const recovery = suite<Context>('providers after a death of the worker');

const flapping = batchOf(
  Array.from({ length: 6 }, (_, index) =>
    attendedBirth(
      {
        attendant: { ...joan, name: index === 2 ? 'Joan Reyes-Ito' : 'Joan Reyes' },
        certifier: ada,
      },
      { chartNumber: `W-${index}` },
    ),
  ),
);

const runWith = async ({ registry, stores }: Context, dies: DiesAfter | null): Promise<unknown> => {
  const { commands } = registry;
  const before = await providerEvents(stores);
  const { practiceId } = await newPractice(commands);
  const feed = await newPartnerFeed(commands, practiceId);
  if (dies !== null) await registry.service().diesAfter(dies);
  const response = await post(registry.service().url, feed, flapping);
  if (dies !== null) await registry.comesBack(dies);
  const receipt = await receiptAt(receiptAddress(response), feed, RECOVERED_WITHIN_MS);
  const providers = await commands.providers.list(practiceId);
  const records = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const { events } = await commands.history(practiceId, `W-${index}`, null);
      return events.map(({ type }) => type);
    }),
  );
  return {
    records,
    providers: providers.map(({ name, role }) => [name, role]).sort(),
    accepted: receipt.status === 'completed' && receipt.outcome.accepted.length,
    events: (await providerEvents(stores)).slice(before.length).sort(),
  };
};

recovery.before(async (context) => {
  context.registry = await startDyingRegistry('connections');
  const { settings } = context.registry;
  context.stores = await openStores(settings, 'command', openServiceLog('silent'));
  context.undisturbed = await runWith(context, null);
});

recovery.after(async ({ registry, stores }) => {
  await stores.close();
  await registry.stop();
});

recovery('an undisturbed batch identifies once and tells each change', ({ undisturbed }) => {
  const { events, accepted } = undisturbed as Record<string, unknown>;
  assert.is(accepted, 6);
  assert.equal(events, [
    'ProviderDetailsChanged Joan Reyes',
    'ProviderDetailsChanged Joan Reyes-Ito',
    'ProviderIdentified Ada Brandt',
    'ProviderIdentified Joan Reyes',
  ]);
});

for (const after of [0, 1, 2, 3])
  recovery(`after provider-appended, the ${after + 1}. time`, async (context) => {
    const dies = { step: 'provider-appended', after } as const;
    assert.equal(await runWith(context, dies), context.undisturbed);
  });

recovery('leaves a log without a problem, after all of them', ({ registry }) =>
  requireSoundLog(registry),
);

recovery('a merge needs no running service', async ({ registry }) => {
  const { commands } = registry;
  const { practiceId } = await newPractice(commands);
  await push(registry.service().url, await newPartnerFeed(commands, practiceId), flapping);
  await registry.stopService();
  // Opened when no service runs, as one would.
  await withCommands(registry.settings, async (alone) => {
    const known = await alone.providers.list(practiceId);
    const idOf = (identity: string) =>
      known.find((one) => one.identity === identity)?.providerId ?? '';
    const merge = { practiceId, absorbed: idOf('staff-7'), survivor: idOf('staff-8') };
    assert.is(await alone.providers.merge(merge), 6);
    assert.is((await alone.providers.career(merge.survivor)).length, 12);
    assert.is(await alone.providers.merge(merge), 0);
    const { state } = await alone.history(practiceId, 'W-0', null);
    assert.is(state?.courseOfCare.attendant, merge.survivor);
  });
});

recovery.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WritePathStep } from '../../api/write-path/fault-hook.ts';
import { freePort } from '../../scripts/throw-away/free-port.ts';
import { batchOf } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partner-births.ts';
import { copyFreshCluster } from '../support/postgres.ts';
import { ada, joan, providerEvents } from '../support/providers.ts';
import { withCommands } from '../support/recovery.ts';
import { newPractice, post, push, receiptAt } from '../support/service.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A service that dies between the providers and the records of a partner's batch. */
const recovery = suite<{ undisturbed: unknown }>('providers after a death of the worker');

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

const runWith = async (dies: { step: WritePathStep; after: number } | null): Promise<unknown> => {
  const directory = temporaryDirectory('providers');
  await copyFreshCluster(directory.path);
  const port = await freePort();
  let service = await startServiceProcess(directory.path, port, dies ?? undefined);
  try {
    const { practiceId, token } = await withCommands(directory.path, async (commands) => {
      const practice = await newPractice(commands);
      return { ...practice, token: await newPartnerFeed(commands, practice.practiceId) };
    });
    const response = await post(service.url, token, flapping);
    if (dies !== null) {
      await service.ended;
      service = await startServiceProcess(directory.path, port);
    }
    const receipt = await receiptAt(response.headers.get('content-location') ?? '', token, 30_000);
    const told = await withCommands(directory.path, async (commands) => ({
      providers: (await commands.providers.list(practiceId)).map(({ name, role }) => [name, role]),
      records: await Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          const { events } = await commands.history(practiceId, `W-${index}`, null);
          return events.map(({ type }) => type);
        }),
      ),
      problems: (await commands.verify()).problems,
    }));
    return {
      ...told,
      providers: [...told.providers].sort(),
      accepted: receipt.status === 'completed' && receipt.outcome.accepted.length,
      events: [...(await providerEvents(directory.path))].sort(),
    };
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    directory.remove();
  }
};

recovery.before(async (context) => {
  context.undisturbed = await runWith(null);
});

recovery('an undisturbed batch identifies once and tells each change', ({ undisturbed }) => {
  const { events, problems, accepted } = undisturbed as Record<string, unknown>;
  assert.equal([problems, accepted], [[], 6]);
  assert.equal(events, [
    'ProviderDetailsChanged Joan Reyes',
    'ProviderDetailsChanged Joan Reyes-Ito',
    'ProviderIdentified Ada Brandt',
    'ProviderIdentified Joan Reyes',
  ]);
});

for (const after of [0, 1, 2, 3])
  recovery(`after provider-appended, the ${after + 1}. time`, async ({ undisturbed }) => {
    assert.equal(await runWith({ step: 'provider-appended', after }), undisturbed);
  });

recovery('a merge needs no running service', async () => {
  const directory = temporaryDirectory('providers');
  await copyFreshCluster(directory.path);
  const service = await startServiceProcess(directory.path, await freePort());
  try {
    const { practiceId, feed } = await withCommands(directory.path, async (commands) => {
      const practice = await newPractice(commands);
      return { ...practice, feed: await newPartnerFeed(commands, practice.practiceId) };
    });
    await push(service.url, feed, flapping);
    service.kill('SIGKILL');
    await service.ended;
    await withCommands(directory.path, async (commands) => {
      const known = await commands.providers.list(practiceId);
      const idOf = (identity: string) =>
        known.find((one) => one.identity === identity)?.providerId ?? '';
      const merge = { practiceId, absorbed: idOf('staff-7'), survivor: idOf('staff-8') };
      assert.is(await commands.providers.merge(merge), 6);
      assert.is((await commands.providers.career(merge.survivor)).length, 12);
      assert.is(await commands.providers.merge(merge), 0);
      const { state } = await commands.history(practiceId, 'W-0', null);
      assert.is(state?.courseOfCare.attendant, merge.survivor);
    });
  } finally {
    service.kill('SIGKILL');
    directory.remove();
  }
});

recovery.run();

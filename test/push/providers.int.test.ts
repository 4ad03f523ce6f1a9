import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OperatorCommands, openCommands } from '../../api/composition/commands.ts';
import { openServiceLog } from '../../api/composition/logging.ts';
import { openStores } from '../../api/composition/stores.ts';
import type { WritePathStep } from '../../api/write-path/fault-hook.ts';
import type { ListedProvider } from '../../domain/provider/ports.ts';
import { freePort } from '../../scripts/free-port.ts';
import { batchOf, retractionBundle } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partner-births.ts';
import { copyFreshCluster } from '../support/postgres.ts';
import {
  newPractice,
  post,
  push,
  receiptAt,
  startTestService,
  type TestPractice,
  type TestService,
  testSettings,
} from '../support/service.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const joan = { identity: 'staff-7', name: 'Joan Reyes', qualification: 'CNM, MD' };
const ada = { identity: 'staff-8', name: 'Ada Brandt', qualification: 'Physician' };
const doula = { identity: 'staff-9', name: 'Mia Cole', qualification: 'Doula' };

interface Context {
  service: TestService;
  practice: TestPractice;
  /** Token of a partner feed key of the practice. */
  feed: string;
}

const providers = suite<Context>('providers of the partner lane');

providers.before(async (context) => {
  context.service = await startTestService();
});
providers.after(async ({ service }) => {
  await service.stop();
});
providers.before.each(async (context) => {
  const { commands } = context.service;
  context.practice = await newPractice(commands);
  context.feed = await newPartnerFeed(commands, context.practice.practiceId);
});

const listed = async ({ service, practice }: Context): Promise<readonly ListedProvider[]> =>
  await service.commands.providers.list(practice.practiceId);

const idOf = async (context: Context, identity: string): Promise<string> =>
  (await listed(context)).find((one) => one.identity === identity)?.providerId ?? '';

const pushed = async ({ service, feed }: Context, bundle: unknown): Promise<void> => {
  const receipt = await push(service.url, feed, bundle);
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  assert.equal(receipt.outcome.rejected, []);
};

const historyOf = ({ service, practice }: Context, chart: string, asOf: Date | null = null) =>
  service.commands.history(practice.practiceId, chart, asOf);

const attributionOf = async (context: Context, chart: string) => {
  const { state } = await historyOf(context, chart);
  return [state?.courseOfCare.attendant, state?.courseOfCare.certifier];
};

const refusalOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: Error) => {
      if (error.name !== 'CommandRefused') throw error;
      return error.message;
    },
  );

providers('identities, roles and parts are read from the Bundle', async (context) => {
  const npi = '1234567893';
  await pushed(
    context,
    attendedBirth(
      { attendant: { ...joan, npi }, certifier: ada, present: [doula] },
      { chartNumber: 'P-1' },
    ),
  );
  assert.equal(
    (await listed(context))
      .map(({ providerId: _, ...rest }) => rest)
      .sort((a, b) => a.identity.localeCompare(b.identity)),
    [
      {
        ...{ identity: 'staff-7', npi, name: 'Joan Reyes', credentials: 'CNM, MD' },
        ...{ role: 'midwife', mergedInto: null },
      },
      {
        ...{ identity: 'staff-8', npi: null, name: 'Ada Brandt', credentials: 'Physician' },
        ...{ role: 'physician', mergedInto: null },
      },
      {
        ...{ identity: 'staff-9', npi: null, name: 'Mia Cole', credentials: 'Doula' },
        ...{ role: 'doula', mergedInto: null },
      },
    ],
  );
  const { state, submissionUuid } = await historyOf(context, 'P-1');
  assert.is(state?.courseOfCare.attendant, await idOf(context, 'staff-7'));
  assert.is(state?.courseOfCare.certifier, await idOf(context, 'staff-8'));
  assert.is(state?.courseOfCare.doula_present, true);

  const entries = await context.service.commands.providers.career(await idOf(context, 'staff-7'));
  assert.equal(
    entries.map(({ at: _, ...entry }) => entry),
    [
      {
        ...{ chartNumber: 'P-1', submissionUuid, part: 'attendant' },
        ...{ placeOfBirth: 'Hospital', via: null },
      },
    ],
  );
  // A participant without ATND has no part, so no career.
  const present = await idOf(context, 'staff-9');
  assert.equal(await context.service.commands.providers.career(present), []);
});

providers('details change over time; what a Bundle lacks stays known', async (context) => {
  const births = [
    joan,
    { identity: joan.identity },
    { ...joan, name: 'Joan Reyes-Ito' },
    { ...joan, name: 'Joan Reyes-Ito' },
  ].map((attendant, index) => attendedBirth({ attendant }, { chartNumber: `D-${index}` }));
  await pushed(context, batchOf(births));
  await pushed(context, batchOf(births.slice(2)));
  const [known] = await listed(context);
  assert.equal([known?.name, known?.role], ['Joan Reyes-Ito', 'midwife']);
  assert.equal(await providerEvents(context.service.settings.dataDir, known?.providerId ?? ''), [
    'ProviderIdentified Joan Reyes',
    'ProviderDetailsChanged Joan Reyes-Ito',
  ]);
});

providers('a refused record tells nothing of its providers', async ({ service, ...context }) => {
  const bundle = attendedBirth({ attendant: joan }, { place: '00000' });
  const receipt = await push(service.url, context.feed, bundle);
  assert.is(receipt.status === 'completed' && receipt.outcome.rejected.length, 1);
  assert.equal(await listed({ service, ...context }), []);
});

providers('the native lane records no provider', async (context) => {
  const { service, practice } = context;
  await push(service.url, practice.token, attendedBirth({ attendant: joan, certifier: ada }));
  assert.equal(await listed(context), []);
  assert.equal(await attributionOf(context, 'MRN-1001'), [null, null]);
});

providers('a merge repoints attribution, and later records follow', async (context) => {
  const { service, practice } = context;
  const { commands } = service;
  const agency = { ...joan, identity: 'agency-3' };
  await pushed(
    context,
    batchOf([
      attendedBirth({ attendant: joan, certifier: joan }, { chartNumber: 'M-1' }),
      attendedBirth({ attendant: ada, certifier: joan }, { chartNumber: 'M-2' }),
      attendedBirth({ attendant: agency }, { chartNumber: 'M-3' }),
      attendedBirth({ attendant: joan }, { chartNumber: 'M-4' }),
    ]),
  );
  await pushed(context, retractionBundle('M-4'));
  const [absorbed, survivor, other] = await Promise.all(
    ['staff-7', 'agency-3', 'staff-8'].map((identity) => idOf(context, identity)),
  );
  if (absorbed === undefined || survivor === undefined) throw new Error('No such provider');
  const merge = { practiceId: practice.practiceId, absorbed, survivor };
  const before = new Date();
  assert.is(await commands.providers.merge(merge), 3);
  assert.is(await commands.providers.merge(merge), 0);

  assert.equal(await attributionOf(context, 'M-1'), [survivor, survivor]);
  assert.equal(await attributionOf(context, 'M-2'), [other, survivor]);
  const voided = await historyOf(context, 'M-4');
  assert.equal(
    [voided.state?.status, voided.state?.version, voided.state?.courseOfCare.attendant],
    ['voided', 2, survivor],
  );
  const asItWas = await historyOf(context, 'M-1', before);
  assert.is(asItWas.state?.courseOfCare.attendant, absorbed);

  // A later record and an amendment that still name the absorbed identity.
  await pushed(
    context,
    batchOf([
      attendedBirth({ attendant: joan }, { chartNumber: 'M-5' }),
      attendedBirth({ attendant: joan }, { chartNumber: 'M-3' }),
    ]),
  );
  const later = await historyOf(context, 'M-5');
  assert.is(later.state?.courseOfCare.attendant, survivor);
  const [first] = later.events as readonly { data: { course?: { attendant: string } } }[];
  assert.is(first?.data.course?.attendant, absorbed);
  assert.equal(
    later.events.map(({ type, version }) => `${type} ${version}`),
    ['BirthRecorded 1', 'AttributionRepointed 1'],
  );
  assert.is(await commands.providers.merge(merge), 0);

  // A native amendment leaves the attribution standing.
  await push(service.url, practice.token, attendedBirth({}, { chartNumber: 'M-5' }));
  assert.equal(await attributionOf(context, 'M-5'), [survivor, null]);

  const career = (await commands.providers.career(survivor)).map(
    ({ chartNumber, part, via }) => `${chartNumber} ${part} ${via === absorbed ? 'via' : via}`,
  );
  assert.equal([...career].sort(), [
    'M-1 attendant via',
    'M-1 certifier via',
    'M-2 certifier via',
    'M-3 attendant via',
    'M-5 attendant via',
  ]);
  assert.equal(await commands.providers.career(absorbed), []);
  const [mergedInto] = (await listed(context)).filter(({ providerId }) => providerId === absorbed);
  assert.is(mergedInto?.mergedInto, survivor);

  // The survivor is absorbed in turn: the career log goes through both merges.
  const chain = { ...merge, absorbed: survivor, survivor: other ?? '' };
  assert.is(await commands.providers.merge(chain), 5);
  assert.equal(await attributionOf(context, 'M-1'), [other, other]);
  const through = (await commands.providers.career(other ?? '')).filter(({ via }) => via !== null);
  assert.equal(new Set(through.map(({ via }) => via)), new Set([absorbed]));
  assert.is(through.length, 5);
  assert.is(await commands.providers.merge(merge), 0);
});

providers('merges that make no sense are refused', async (context) => {
  const { commands } = context.service;
  const { practiceId } = context.practice;
  await pushed(context, attendedBirth({ attendant: joan, certifier: ada, present: [doula] }));
  const anotherFeed = await newPartnerFeed(commands, practiceId);
  const outsider = { identity: 'x-1', qualification: 'Nurse' };
  await push(context.service.url, anotherFeed, attendedBirth({ attendant: outsider }));
  const [a = '', b = '', c = '', x = ''] = await Promise.all(
    ['staff-7', 'staff-8', 'staff-9', 'x-1'].map((identity) => idOf(context, identity)),
  );
  const merge = (absorbed: string, survivor: string, practice = practiceId) =>
    refusalOf(commands.providers.merge({ practiceId: practice, absorbed, survivor }));

  assert.match((await merge(a, a)) ?? '', 'into itself');
  assert.match((await merge(a, 'nobody')) ?? '', 'The survivor is no provider of the practice');
  assert.match((await merge(a, x)) ?? '', 'two partners');
  const elsewhere = await newPractice(commands);
  assert.match((await merge(a, b, elsewhere.practiceId)) ?? '', 'no provider');
  assert.is(await merge(a, b), null);
  assert.match((await merge(a, c)) ?? '', 'already');
  assert.match((await merge(c, a)) ?? '', 'itself');
  assert.match((await merge(b, a)) ?? '', 'itself');
  assert.is(await merge(a, b), null);
});

providers('of two merges of one provider at once, one is refused', async (context) => {
  const { commands } = context.service;
  const { practiceId } = context.practice;
  await pushed(context, attendedBirth({ attendant: joan, certifier: ada, present: [doula] }));
  const [a = '', b = '', c = ''] = await Promise.all(
    ['staff-7', 'staff-8', 'staff-9'].map((identity) => idOf(context, identity)),
  );
  const refusals = await Promise.all(
    [b, c].map((survivor) =>
      refusalOf(commands.providers.merge({ practiceId, absorbed: a, survivor })),
    ),
  );
  assert.is(refusals.filter((reason) => reason === null).length, 1);
});

const MERGE_STEPS: readonly { readonly step: WritePathStep; readonly after: number }[] = [
  { step: 'merge-recorded', after: 0 },
  { step: 'record-repointed', after: 0 },
  { step: 'record-repointed', after: 20 },
];
const DYING_MERGE = fileURLToPath(new URL('../support/dying-merge.ts', import.meta.url));

const killedMerge = (args: readonly string[]): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', DYING_MERGE, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (_, signal) => resolve(signal));
  });

for (const { step, after } of MERGE_STEPS)
  providers(
    `a merge killed after ${step}, the ${after + 1}. time, is finished by the same command`,
    async (context) => {
      const { commands, settings } = context.service;
      const { practiceId } = context.practice;
      const births = Array.from({ length: 40 }, (_, index) =>
        attendedBirth({ attendant: joan }, { chartNumber: `K-${index}` }),
      );
      await pushed(context, batchOf(births));
      await pushed(context, attendedBirth({ attendant: ada }, { chartNumber: 'K-ada' }));
      const absorbed = await idOf(context, 'staff-7');
      const survivor = await idOf(context, 'staff-8');
      const args = [settings.dataDir, practiceId, absorbed, survivor, step, String(after)];
      assert.is(await killedMerge(args), 'SIGKILL');

      // Attribution is right at once, for every record, whether it was come to or not.
      assert.is((await commands.providers.career(survivor)).length, 41);
      for (const chart of ['K-0', 'K-20', 'K-39'])
        assert.is((await attributionOf(context, chart))[0], survivor);
      const left = await commands.providers.merge({ practiceId, absorbed, survivor });
      assert.ok(left > 0 && left <= 40 - after, String(left));
      assert.is(await commands.providers.merge({ practiceId, absorbed, survivor }), 0);
      const repoints = await Promise.all(
        births.map(async (_, index) => (await historyOf(context, `K-${index}`)).events.length),
      );
      assert.equal(
        repoints,
        births.map(() => 2),
      );
      await pushed(context, attendedBirth({ attendant: joan }, { chartNumber: 'K-0' }));
    },
  );

providers(
  'the log is sound, nothing is parked, a rebuild gives the same tables',
  async (context) => {
    const { service } = context;
    assert.equal((await service.commands.rebuild('compare')).differences, []);
    assert.equal((await service.commands.verify()).problems, []);
    const health = await fetch(`${service.url}/health/ready`);
    assert.match(await health.text(), '"parkedStreams":0');
  },
);

providers.run();

/** What the log holds of a provider, or of all: types and names, oldest first. */
const providerEvents = async (dataDir: string, providerId = ''): Promise<readonly string[]> => {
  const stores = await openStores(testSettings(dataDir), 'command', openServiceLog('silent'));
  try {
    const found: string[] = [];
    for await (const entry of stores.log.readAll()) {
      if (entry.kind !== 'event') continue;
      const { stream, event } = entry.stored;
      if (!stream.startsWith(`provider-${providerId}`)) continue;
      found.push(`${event.type} ${(event.data as { name: string | null }).name}`);
    }
    return found;
  } finally {
    await stores.close();
  }
};

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

const opened = async <T>(
  dataDir: string,
  use: (commands: OperatorCommands) => Promise<T>,
): Promise<T> => {
  const commands = await openCommands(testSettings(dataDir), openServiceLog('silent'));
  try {
    return await use(commands);
  } finally {
    await commands.close();
  }
};

const runWith = async (dies: { step: WritePathStep; after: number } | null): Promise<unknown> => {
  const directory = temporaryDirectory('providers');
  await copyFreshCluster(directory.path);
  const port = await freePort();
  const withCommands = <T>(use: (commands: OperatorCommands) => Promise<T>) =>
    opened(directory.path, use);
  let service = await startServiceProcess(directory.path, port, dies ?? undefined);
  try {
    const { practiceId, token } = await withCommands(async (commands) => {
      const practice = await newPractice(commands);
      return { ...practice, token: await newPartnerFeed(commands, practice.practiceId) };
    });
    const response = await post(service.url, token, flapping);
    if (dies !== null) {
      await service.ended;
      service = await startServiceProcess(directory.path, port);
    }
    const receipt = await receiptAt(response.headers.get('content-location') ?? '', token, 30_000);
    const told = await withCommands(async (commands) => ({
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
    const { practiceId, feed } = await opened(directory.path, async (commands) => {
      const practice = await newPractice(commands);
      return { ...practice, feed: await newPartnerFeed(commands, practice.practiceId) };
    });
    await push(service.url, feed, flapping);
    service.kill('SIGKILL');
    await service.ended;
    await opened(directory.path, async (commands) => {
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

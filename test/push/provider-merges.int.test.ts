import { spawn } from 'node:child_process';
import * as assert from 'uvu/assert';
import type { WritePathStep } from '../../api/process/failpoint.ts';
import { processScript } from '../harness/built-service.ts';
import { newPractice, push } from '../harness/service.ts';
import { batchOf, retractionBundle } from '../support/bundles.ts';
import {
  ada,
  assertSound,
  attendedBirth,
  attributionOf,
  doula,
  historyOf,
  idOf,
  joan,
  listed,
  newPartnerFeed,
  providersSuite,
  pushed,
} from '../support/partners.ts';

const merges = providersSuite('merges of providers');

const refusalOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: Error) => {
      if (error.name !== 'CommandRefused') throw error;
      return error.message;
    },
  );

merges('a merge repoints attribution, and later records follow', async (context) => {
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

merges('merges that make no sense are refused', async (context) => {
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
  assert.match((await merge(a, 'nobody')) ?? '', 'no provider with the survivor’s id');
  assert.match((await merge(a, x)) ?? '', 'two partners');
  const elsewhere = await newPractice(commands);
  assert.match((await merge(a, b, elsewhere.practiceId)) ?? '', 'no provider');
  assert.is(await merge(a, b), null);
  assert.match((await merge(a, c)) ?? '', 'already');
  assert.match((await merge(c, a)) ?? '', 'itself');
  assert.match((await merge(b, a)) ?? '', 'itself');
  assert.is(await merge(a, b), null);
});

merges('of two merges of one provider at once, one is refused', async (context) => {
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

const killedMerge = (args: readonly string[]): Promise<string | null> =>
  new Promise((resolve, reject) => {
    const script = processScript('test/harness/dying-process.ts');
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', (_, signal) => resolve(signal));
  });

for (const { step, after } of MERGE_STEPS)
  merges(
    `a merge killed after ${step}, the ${after + 1}. time, is finished by the same command`,
    async (context) => {
      const { commands, environment } = context.service;
      const { practiceId } = context.practice;
      const births = Array.from({ length: 40 }, (_, index) =>
        attendedBirth({ attendant: joan }, { chartNumber: `K-${index}` }),
      );
      await pushed(context, batchOf(births));
      await pushed(context, attendedBirth({ attendant: ada }, { chartNumber: 'K-ada' }));
      const absorbed = await idOf(context, 'staff-7');
      const survivor = await idOf(context, 'staff-8');
      const args = [
        JSON.stringify(environment),
        step,
        String(after),
        practiceId,
        absorbed,
        survivor,
      ];
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

merges('the log is sound, nothing is parked, a rebuild gives the same tables', ({ service }) =>
  assertSound(service),
);

merges.run();

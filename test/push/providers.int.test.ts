import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { push } from '../harness/service.ts';
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
  providerEvents,
  providersSuite,
  pushed,
} from '../support/partners.ts';

const providers = providersSuite('providers of the partner lane');

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
        identity: 'staff-7',
        npi,
        name: 'Joan Reyes',
        credentials: 'CNM, MD',
        role: 'midwife',
        mergedInto: null,
      },
      {
        identity: 'staff-8',
        npi: null,
        name: 'Ada Brandt',
        credentials: 'Physician',
        role: 'physician',
        mergedInto: null,
      },
      {
        identity: 'staff-9',
        npi: null,
        name: 'Mia Cole',
        credentials: 'Doula',
        role: 'doula',
        mergedInto: null,
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
        chartNumber: 'P-1',
        submissionUuid,
        part: 'attendant',
        placeOfBirth: 'Hospital',
        via: null,
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
  const { settings } = context.service;
  const stores = await openStores(settings, 'command', openServiceLog('silent'));
  try {
    assert.equal(await providerEvents(stores, known?.providerId ?? ''), [
      'ProviderIdentified Joan Reyes',
      'ProviderDetailsChanged Joan Reyes-Ito',
    ]);
  } finally {
    await stores.close();
  }
});

providers(
  'who is replaced by an amendment keeps the birth, marked as replaced',
  async (context) => {
    const { commands } = context.service;
    const told = (parts: Parameters<typeof attendedBirth>[0], chartNumber = 'R-1') =>
      pushed(context, attendedBirth(parts, { chartNumber }));
    const relief = { identity: 'staff-10', name: 'Lena Sharp', qualification: 'Midwife' };
    await told({ attendant: joan, certifier: joan });
    await told({ attendant: joan, certifier: ada });
    await told({ attendant: ada, certifier: ada });
    await told({ attendant: relief, certifier: ada });
    await told({ certifier: ada });
    const careerOf = async (identity: string) =>
      (await commands.providers.career(await idOf(context, identity))).map(
        ({ part, at, replacedAt, ...rest }) => [
          part,
          replacedAt === undefined ? 'now' : at < replacedAt ? 'replaced' : 'never',
          Object.keys(rest).sort().join(),
        ],
      );
    const keys = 'chartNumber,placeOfBirth,submissionUuid,via';
    assert.equal(await careerOf('staff-7'), [
      ['certifier', 'replaced', keys],
      ['attendant', 'replaced', keys],
    ]);
    assert.equal(await careerOf('staff-8'), [
      ['attendant', 'replaced', keys],
      ['certifier', 'now', keys],
    ]);
    assert.equal(await careerOf('staff-10'), [['attendant', 'replaced', keys]]);

    // A native amendment states no attribution: it replaces nobody.
    await push(
      context.service.url,
      context.practice.token,
      attendedBirth({}, { chartNumber: 'R-1' }),
    );
    assert.equal((await careerOf('staff-8'))[1], ['certifier', 'now', keys]);

    // Who comes back is not replaced by the one who had come in between, after they are one.
    const [survivor, absorbed] = await Promise.all(
      ['staff-7', 'staff-8'].map((identity) => idOf(context, identity)),
    );
    const { practiceId } = context.practice;
    const merge = { practiceId, absorbed: absorbed ?? '', survivor: survivor ?? '' };
    // Only the record as it stands names somebody anew.
    assert.is(await commands.providers.merge(merge), 1);
    assert.equal(await careerOf('staff-7'), [
      ['attendant', 'replaced', keys],
      ['certifier', 'now', keys],
    ]);
    assert.equal(await careerOf('staff-8'), []);
    const [past] = await commands.providers.career(survivor ?? '');
    assert.is(past?.via, absorbed);

    // A voided record is in no career log, and is there again when it is live again.
    await pushed(context, retractionBundle('R-1'));
    assert.equal(await careerOf('staff-10'), []);
    await told({ certifier: ada });
    assert.equal(await careerOf('staff-10'), [['attendant', 'replaced', keys]]);
  },
);

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

providers('the log is sound, nothing is parked, a rebuild gives the same tables', ({ service }) =>
  assertSound(service),
);

providers.run();

import * as assert from 'uvu/assert';
import { batchOf } from '../support/bundles.ts';
import { attendedBirth } from '../support/partner-births.ts';
import {
  ada,
  assertSound,
  attributionOf,
  doula,
  historyOf,
  idOf,
  joan,
  listed,
  providerEvents,
  providersSuite,
  pushed,
} from '../support/providers.ts';
import { push } from '../support/service.ts';

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

providers('the log is sound, nothing is parked, a rebuild gives the same tables', ({ service }) =>
  assertSound(service),
);

providers.run();

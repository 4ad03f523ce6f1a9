import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addFingerprintKey } from '../../adapters/event-log/registry-identity.ts';
import { beginRotation } from '../../adapters/postgres/keys/queue-keys.ts';
import { createPairReads } from '../../adapters/postgres/read-model/suspected-pairs.ts';
import { parseKeyVersion } from '../../domain/birth-record/duplicates/fingerprint.ts';
import { type KnownBirthRecord, recordFold } from '../../domain/birth-record/state.ts';
import { emptyCourseOfCare } from '../../domain/course/course.ts';
import { DUPLICATE_AMENDMENT } from '../../domain/course/rejections.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { stateAfter } from '../../domain/fold.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { eventually } from '../harness/eventually.ts';
import {
  newPractice,
  push,
  startWritingService,
  type TestPractice,
  type WritingService,
} from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';
import { newPartnerFeed } from '../support/partners.ts';

/** Records of before a rotation of the fingerprint keys, and of after it, on a running service. */
const rotated = suite<{
  service: WritingService;
  practice: TestPractice;
  partner: string;
  before: Readonly<Record<'rosa' | 'lia' | 'eva' | 'ada', string>>;
}>('look-alikes after a rotation');

type Context = Parameters<Parameters<typeof rotated>[1]>[0];

const ACTOR = { kind: 'member', id: 'midwife' } as const;
const LONG_AGO = '2026-01-01T00:00:00.000Z';

const birthOf = (name: string, chartNumber: string, birthTime = '2026-03-12T04:31:27-05:00') =>
  birthBundle({
    chartNumber,
    mother: { family: 'Marin', given: [name] },
    children: [{ birthTime }],
  });

const told = async ({ service }: Context, token: string, bundle: JsonObject) => {
  const receipt = await push(service.url, token, bundle);
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  return receipt.outcome;
};

const accepted = async (context: Context, token: string, bundle: JsonObject) => {
  const [entry, ...more] = (await told(context, token, bundle)).accepted;
  if (entry === undefined || more.length > 0) throw new Error('One record was expected.');
  return entry;
};

const stateOf = async (
  { service, practice }: Context,
  chartNumber: string,
): Promise<KnownBirthRecord> => {
  const { log, identity } = service.stores;
  const stream = recordStream(identity.recordHash(practice.practiceId, chartNumber));
  const state = stateAfter(await log.readStream(stream), recordFold);
  if (state.status === 'none') throw new Error('There is no such record.');
  return state;
};

/** Versions of the key that a record holds fingerprints of. */
const versionsOf = async (context: Context, chartNumber: string): Promise<readonly number[]> => {
  const { fingerprints } = await stateOf(context, chartNumber);
  return [...new Set(fingerprints.map(parseKeyVersion))].sort();
};

const arePaired = async ({ service, practice }: Context, one: string, other: string) =>
  (await createPairReads(service.stores.db).listSuspected(practice.practiceId)).some(
    ({ newer, older }) => [newer, older].includes(one) && [newer, older].includes(other),
  );

rotated.before(async (context) => {
  context.service = await startWritingService();
  context.practice = await newPractice(context.service.commands);
  const { practiceId, token } = context.practice;
  context.partner = await newPartnerFeed(context.service.commands, practiceId);
  const recorded = async (key: string, name: string, chartNumber: string) =>
    (await accepted(context, key, birthOf(name, chartNumber))).submission_uuid;
  context.before = {
    rosa: await recorded(token, 'Rosa', 'rosa-1'),
    lia: await recorded(context.partner, 'Lia', 'lia-1'),
    eva: await recorded(context.partner, 'Eva', 'eva-1'),
    ada: await recorded(token, 'Ada', 'ada-1'),
  };
  await context.service.writes.voidRecord(
    { practiceId, submissionUuid: context.before.eva, actor: ACTOR, correlationId: 'test' },
    { version: 1, reason: 'Entered twice' },
  );

  // A rotation of long ago: nothing waits any more that was hashed before it.
  const { db, log, secret } = context.service.stores;
  const { fingerprintKey } = await beginRotation(db, secret, 1, new Date());
  const added = { version: fingerprintKey, aloneFrom: LONG_AGO };
  await addFingerprintKey(log, secret, added, { kind: 'operator', id: 'Sam Reyes' });
  let probes = 0;
  await eventually('the service and another process have learned of the key', async () => {
    // They look at the same intervals.
    if (context.service.registry.fingerprintKeysAt(new Date()).older.length === 0) return false;
    probes += 1;
    const chartNumber = `probe-${probes}`;
    await accepted(context, token, birthOf(`Probe${probes}`, chartNumber));
    return (await versionsOf(context, chartNumber)).includes(2);
  });
});
rotated.after(({ service }) => service.stop());

rotated(
  'a birth that is new to the practice is hashed under the new key alone',
  async (context) => {
    await accepted(context, context.practice.token, birthOf('Noa', 'noa-1'));
    assert.equal(await versionsOf(context, 'noa-1'), [2]);
    await accepted(context, context.partner, birthOf('Mia', 'mia-1'));
    assert.equal(await versionsOf(context, 'mia-1'), [2]);
  },
);

rotated('a new record is flagged for one of before, named or de-identified', async (context) => {
  const { before, practice, partner } = context;
  for (const [name, chart, old, keys] of [
    ['Rosa', 'rosa-2', before.rosa, [practice.token, partner]],
    ['Lia', 'lia-2', before.lia, [partner, practice.token]],
  ] as const)
    for (const [index, key] of keys.entries()) {
      const entry = await accepted(context, key, birthOf(name, `${chart}${index}`));
      assert.is(entry.suspected_duplicate, true);
      assert.equal(await versionsOf(context, `${chart}${index}`), [1, 2]);
      assert.is((await stateOf(context, `${chart}${index}`)).duplicateOf, old);
      assert.ok(await arePaired(context, entry.submission_uuid, old));
    }
});

rotated(
  'a record of before that is sent again stays paired, and is no conflict',
  async (context) => {
    const { before, practice, partner } = context;
    const again = await accepted(context, practice.token, birthOf('Rosa', 'rosa-1'));
    assert.equal([again.version, again.suspected_duplicate], [2, undefined]);
    assert.equal(await versionsOf(context, 'rosa-1'), [1, 2]);
    const { submissionUuid } = await stateOf(context, 'rosa-20');
    assert.ok(await arePaired(context, submissionUuid, before.rosa));
    // De-identified, so that it cannot be hashed again from what is stored.
    const masked = await accepted(context, partner, birthOf('Lia', 'lia-1'));
    assert.equal([masked.version, masked.suspected_duplicate], [2, undefined]);
    assert.ok(
      await arePaired(context, (await stateOf(context, 'lia-20')).submissionUuid, before.lia),
    );
  },
);

rotated('a record that nothing looks like does not look like itself', async (context) => {
  const again = await accepted(context, context.practice.token, birthOf('Ada', 'ada-1'));
  assert.equal([again.version, again.suspected_duplicate], [2, undefined]);
  assert.is((await stateOf(context, 'ada-1')).duplicateOf, null);
  const newer = await accepted(context, context.practice.token, birthOf('Ada', 'ada-2'));
  assert.is(newer.suspected_duplicate, true);
});

rotated('an amendment conflicts with a record of the other key', async (context) => {
  const { token } = context.practice;
  await accepted(context, token, birthOf('Ida', 'ida-1'));
  assert.equal(await versionsOf(context, 'ida-1'), [2]);
  for (const amendment of [birthOf('Ida', 'ada-1'), birthOf('Lia', 'ida-1')]) {
    const { rejected } = await told(context, token, amendment);
    assert.is(rejected[0]?.outcome.issue[0]?.diagnostics, DUPLICATE_AMENDMENT.diagnostics);
  }
});

rotated('a voided record of before finds, when revived, what came meanwhile', async (context) => {
  const { service, practice } = context;
  const { practiceId } = practice;
  const entry = await accepted(context, practice.token, birthOf('Eva', 'eva-2'));
  assert.is(entry.suspected_duplicate, undefined);
  const asked = await service.writes.saveCourse({
    practiceId,
    actor: ACTOR,
    correlationId: 'test',
    source: 'manual',
    submissionId: randomUUID(),
    overrule: false,
    target: { kind: 'amend', version: 2 },
    // Neither name nor time: what the partner's version stood for counts on.
    course: { ...emptyCourseOfCare(), chart_number: 'eva-1' },
  });
  assert.equal(asked, { kind: 'look-alike', submissionUuids: [entry.submission_uuid] });
  const revived = await accepted(context, context.partner, birthOf('Eva', 'eva-1'));
  assert.is(revived.suspected_duplicate, true);
  assert.ok(await arePaired(context, entry.submission_uuid, context.before.eva));
});

rotated('a batch does what its records do one by one', async (context) => {
  const { service } = context;
  const bundles = (prefix: string) => [
    birthOf('Rosa', `${prefix}-1`),
    birthOf('Rosa', `${prefix}-2`),
    birthOf(`New${prefix}`, `${prefix}-3`),
    birthOf(`New${prefix}`, `${prefix}-4`),
    birthOf('Lia', `${prefix}-3`),
    birthOf('Lia', `${prefix}-5`),
  ];
  const flags = ({ accepted: entries, rejected }: Awaited<ReturnType<typeof told>>) => [
    ...entries.map(({ suspected_duplicate }) => suspected_duplicate === true),
    ...rejected.map(({ outcome }) => outcome.issue[0]?.diagnostics),
  ];
  const together = flags(await told(context, context.practice.token, batchOf(bundles('b'))));
  const apart = [];
  for (const one of bundles('s'))
    apart.push(await told(context, context.practice.token, batchOf([one])));
  assert.equal(
    together,
    flags({
      accepted: apart.flatMap((outcome) => outcome.accepted),
      rejected: apart.flatMap((outcome) => outcome.rejected),
    }),
  );
  for (const number of [1, 2, 3, 4, 5])
    assert.equal(
      await versionsOf(context, `b-${number}`),
      await versionsOf(context, `s-${number}`),
    );
  assert.equal((await service.commands.verify()).problems, []);
});

rotated('the tables are what the log says, and what a rebuild makes of it', async ({ service }) => {
  assert.equal((await service.commands.verify()).problems, []);
  const { differences } = await service.commands.rebuild('compare');
  assert.equal(differences, []);
});

rotated.run();

import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createReads } from '../../api/ports/reads.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { loadStatistics } from '../../api/statistics/practice-statistics.ts';
import { openStores } from '../../api/stores/stores.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { PracticeStatistics } from '../../domain/statistics/figures.ts';
import { NO_FILTER } from '../../domain/statistics/ports.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { decodeCourse } from '../../projections/tables/course-codec.ts';
import { newPractice, push, startTestService, type TestService } from '../harness/service.ts';
import {
  batchOf,
  birthBundle,
  courseOf,
  observation,
  retractionBundle,
} from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';

/** What an operator is told, after real pushes. */
const statistics = suite<{ service: TestService }>('statistics of a practice');

statistics.before(async (context) => {
  context.service = await startTestService();
});
statistics.after(({ service }) => service.stop());

const delivery = (method: string): JsonObject =>
  observation(
    '73762-7',
    { valueCodeableConcept: { coding: [{ code: method }] } },
    'Patient/mother',
  );
const CESAREAN = delivery('11466000');
const VAGINAL = delivery('700000006');

const birth = (
  chart: string,
  method: JsonObject | null,
  child: { readonly grams?: number | null; readonly weeks?: number | null; readonly date?: string },
  place = '22232009',
): JsonObject =>
  birthBundle({
    chartNumber: chart,
    place,
    mother: { family: `Family ${chart}` },
    children: [
      {
        weight: child.grams ?? null,
        weeks: child.weeks ?? null,
        birthDate: child.date ?? '2026-05-12',
        birthTime: null,
      },
    ],
    more: method === null ? [] : [method],
  });

const livePractice = async ({ commands }: TestService) => {
  const made = await newPractice(commands);
  await commands.practices.set(made.practiceId, { sandbox: false, beta: null });
  return made;
};

const rate = ({ rates }: PracticeStatistics, name: string) => {
  const { numerator, denominator } = rates[name] ?? { numerator: -1, denominator: -1 };
  return `${numerator}/${denominator}`;
};

statistics('figures over known values, and none of a voided record', async ({ service }) => {
  const { url, commands } = service;
  const { practiceId, token } = await livePractice(service);
  const receipt = await push(
    url,
    token,
    batchOf([
      birth('S-1', CESAREAN, { grams: 2_400, weeks: 36 }),
      birth('S-2', VAGINAL, { grams: 3_500, weeks: 40 }, '91154008'),
      birth('S-3', null, { grams: null, weeks: 39, date: '2025-12-31' }),
    ]),
  );
  assert.ok(receipt.status === 'completed' && receipt.accepted === 3);
  const all = await commands.statistics(practiceId, null);
  assert.equal([all.coursesOfCare, all.births, all.sandbox], [3, 3, false]);
  assert.is(rate(all, 'cesarean'), '1/2');
  assert.is(rate(all, 'preterm'), '1/3');
  assert.is(rate(all, 'lowBirthWeight'), '1/2');
  assert.is(rate(all, 'consentGranted'), '0/3');
  assert.equal(all.by.year, {
    2025: { coursesOfCare: 1, births: 1 },
    2026: { coursesOfCare: 2, births: 2 },
  });
  assert.is(all.by.place['Birth center']?.births, 1);
  assert.equal(all.by.source, { fhir_push: { coursesOfCare: 3, births: 3 } });
  const ofYear = await commands.statistics(practiceId, 2025);
  assert.equal([ofYear.births, rate(ofYear, 'preterm')], [1, '0/1']);

  await push(url, token, retractionBundle('S-1'));
  const left = await commands.statistics(practiceId, null);
  assert.equal([left.coursesOfCare, rate(left, 'cesarean')], [2, '0/1']);
  assert.is(left.excluded.voided, 1);
  // Revived: it counts again, and is no exclusion any more.
  await push(url, token, birth('S-1', CESAREAN, { grams: 2_400, weeks: 36 }));
  const revived = await commands.statistics(practiceId, null);
  assert.equal([revived.coursesOfCare, revived.excluded.voided], [3, 0]);
});

statistics('a void leaves the facts with the transaction that voids', async ({ service }) => {
  const { url } = service;
  const { practiceId, token } = await livePractice(service);
  const charts = Array.from({ length: 40 }, (_, index) => `V-${index}`);
  await push(url, token, batchOf(charts.map((chart) => birth(chart, CESAREAN, {}))));
  const stores = await openStores(service.settings, 'command', openServiceLog('silent'));
  try {
    let seen = 0;
    let voided = 0;
    const retracting = Promise.all(
      charts.map(async (chart) => {
        await push(url, token, retractionBundle(chart));
        voided += 1;
      }),
    );
    while (voided < charts.length) {
      // One statement sees one moment: a live record has its facts, a voided one has none.
      const { torn } = await stores.db
        .selectFrom('read.birth_record as record')
        .leftJoin('read.statistics_fact as fact', 'fact.submission_uuid', 'record.submission_uuid')
        .select(({ fn }) => fn.countAll<string>().as('torn'))
        .where('record.practice_id', '=', practiceId)
        .where(({ or, and, eb }) =>
          or([
            and([eb('record.status', '=', 'voided'), eb('fact.submission_uuid', 'is not', null)]),
            and([eb('record.status', '=', 'live'), eb('fact.submission_uuid', 'is', null)]),
          ]),
        )
        .executeTakeFirstOrThrow();
      assert.is(Number(torn), 0);
      seen += 1;
    }
    await retracting;
    assert.ok(seen > 3, 'looked while records were being voided');
  } finally {
    await stores.close();
  }
});

statistics(
  'the benchmark is of other live practices; a sandbox sees its own figures, marked',
  async ({ service }) => {
    const { url, commands } = service;
    const sandbox = await newPractice(commands);
    const live = await livePractice(service);
    const twelve = (prefix: string, methodAt: (at: number) => JsonObject) =>
      batchOf(Array.from({ length: 12 }, (_, at) => birth(`${prefix}-${at}`, methodAt(at), {})));
    const sendThird = async ({ token }: { readonly token: string }) =>
      push(
        url,
        token,
        twelve('L', (at) => (at % 3 === 0 ? CESAREAN : VAGINAL)),
      );
    const seen = async () => {
      const { benchmark } = await commands.statistics(live.practiceId, null);
      return benchmark.rates['cesarean'];
    };
    for (let others = 0; others < 4; others += 1) await sendThird(await livePractice(service));
    // What this file's other tests have sent is of one practice more.
    await push(
      url,
      live.token,
      twelve('O', () => CESAREAN),
    );
    const before = await seen();
    await push(
      url,
      live.token,
      twelve('P', () => CESAREAN),
    );
    await push(
      url,
      sandbox.token,
      twelve('X', () => CESAREAN),
    );
    assert.equal(await seen(), before);
    const after = await commands.statistics(live.practiceId, null);
    const own = await commands.statistics(sandbox.practiceId, null);
    assert.equal([own.sandbox, own.births, rate(own, 'cesarean')], [true, 12, '12/12']);
    assert.is(own.excluded.sandbox, 12);
    assert.is(own.benchmark.practices, after.benchmark.practices + 1);
    assert.is(own.benchmark.rates['cesarean']?.hidden, false);
    // Nobody has told of a doula.
    assert.is(own.benchmark.rates['doulaPresent']?.hidden, true);
  },
);

statistics(
  'by attendant: the survivor of a merge counts, the role other is in no benchmark',
  async ({ service }) => {
    const { url, commands } = service;
    const { practiceId } = await livePractice(service);
    const token = await newPartnerFeed(commands, practiceId);
    const births = (from: number, identity: string, qualification: string) =>
      Array.from({ length: 11 }, (_, at) =>
        attendedBirth(
          { attendant: { identity, qualification } },
          { chartNumber: `A-${from + at}`, more: [] },
        ),
      );
    await push(
      url,
      token,
      batchOf([...births(0, 'mw', 'CNM'), ...births(20, 'lay', 'Lay attendant')]),
    );
    const apart = await commands.statistics(practiceId, null);
    assert.is(apart.by.attendantRole['midwife']?.coursesOfCare, 11);
    assert.is(apart.by.attendantRole['other']?.coursesOfCare, 11);
    assert.is(apart.excluded.attendantOther, 11);
    const others = await ofOthers(service, practiceId);
    assert.is(others.coursesOfCare, 11);
    assert.ok(Object.values(others.benchmark.rates).every(({ hidden }) => hidden));
    // Births of a partner feed keep their year only.
    assert.equal(Object.keys(apart.by.month), []);

    const providers = await commands.providers.list(practiceId);
    const idOf = (identity: string) =>
      providers.find((one) => one.identity === identity)?.providerId ?? '';
    await commands.providers.merge({ practiceId, absorbed: idOf('lay'), survivor: idOf('mw') });
    const merged = await commands.statistics(practiceId, null);
    assert.is(merged.by.attendantRole['midwife']?.coursesOfCare, 22);
    assert.is(merged.excluded.attendantOther, 0);
  },
);

/** What the page shows when it is asked for the attendants with the role other. */
const ofOthers = async ({ settings }: TestService, practiceId: string) => {
  const stores = await openStores(settings, 'command', openServiceLog('silent'));
  try {
    const filter = { ...NO_FILTER, attendantRole: 'other' } as const;
    return await loadStatistics(createReads(stores.db), { practiceId, sandbox: false }, filter);
  } finally {
    await stores.close();
  }
};

statistics('an unknown practice is refused', async ({ service }) => {
  try {
    await service.commands.statistics('nobody', null);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'CommandRefused');
  }
});

statistics('tables built anew hold the same figures', async ({ service }) => {
  const { differences } = await service.commands.rebuild('compare');
  assert.equal(differences, []);
});

statistics(
  '99 earlier cesareans of a log from before are not known after a rebuild',
  async ({ service }) => {
    const { commands, settings } = service;
    const { practiceId } = await livePractice(service);
    const stores = await openStores(settings, 'command', openServiceLog('silent'));
    try {
      const chart = 'OLD-99';
      const course = {
        ...courseOf(birth(chart, VAGINAL, { grams: 3_400, weeks: 39 })),
        previous_cesareans: 99,
        prenatal_visits: 99,
        previous_births_living: 98,
      };
      const submissionUuid = randomUUID();
      const stream = recordStream(stores.identity.recordHash(practiceId, chart));
      const data = {
        submissionUuid,
        practiceId,
        version: 1,
        source: 'fhir_push' as const,
        keyKind: 'native' as const,
        course,
        providers: [],
        stamp: null,
        mark: null,
        fingerprints: [],
      };
      await stores.log.append(
        stream,
        'no-stream',
        [{ id: randomUUID(), event: { type: 'BirthRecorded', data } }],
        { correlationId: 'test', causationId: null, actor: { kind: 'key', id: 'key' } },
      );
      assert.equal((await commands.rebuild('swap')).differences, []);
      const figures = await commands.statistics(practiceId, null);
      assert.equal(
        [figures.coursesOfCare, rate(figures, 'vbac'), rate(figures, 'primaryCesarean')],
        [1, '0/0', '0/0'],
      );
      const held = await stores.db
        .selectFrom('read.birth_record')
        .select(['course', 'chart_number', 'stamp'])
        .where('submission_uuid', '=', submissionUuid)
        .executeTakeFirstOrThrow();
      const now = decodeCourse(held);
      assert.equal(
        [now.previous_cesareans, now.prenatal_visits, now.previous_births_living],
        [null, null, 98],
      );
      assert.equal(
        now.warnings.map(({ field, id }) => [field, id]),
        [
          ['prenatal_visits', 'code-for-unknown'],
          ['previous_cesareans', 'code-for-unknown'],
        ],
      );
      const [stored] = await stores.log.readStream(stream);
      const said = stored?.event as { readonly data: typeof data } | undefined;
      assert.is(said?.data.course.previous_cesareans, 99, 'the log says what was sent');
    } finally {
      await stores.close();
    }
  },
);

statistics.run();

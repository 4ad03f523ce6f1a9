import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mapSubmission } from '../../api/push/map-submission.ts';
import { findFirstFingerprintKey } from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import { createWorkingSet } from '../../domain/birth-record/working-set.ts';
import { GUIDE_EDUCATION, PLACE_CODES } from '../../domain/course/codes.ts';
import { type CourseOfCare, emptyChild } from '../../domain/course/course.ts';
import { maskForPartner } from '../../domain/course/mask.ts';
import { readCodes } from '../../domain/fhir/coded-values.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { GUIDE_ROLES, type Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';
import { decideItem } from '../../domain/submission/decide-item.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import { type Birth, stateCourse } from '../../scripts/synthesis/sender-style.ts';
import {
  createPractice,
  generateSubmissions,
  type Submission,
  type SynthesisPlan,
} from '../../scripts/synthesis/submissions.ts';
import {
  buildBatches,
  buildBundle,
  buildSingleBundles,
} from '../../scripts/synthesis/written-submissions.ts';
import { problemsOf } from '../support/exported-records.ts';
import { brokenFactsOf, FACTS, profilesIn } from '../support/facts-of-the-guide.ts';
import { peopleProblemsOf, resourcesIn } from '../support/people-of-the-guide.ts';
import { IS_LONG, runs } from '../support/runs.ts';

const LANES: readonly Lane[] = ['native', 'partner'];

/** The seed stays: of the rarest kinds a short run of another one may have none. */
const plan = (changes: Partial<SynthesisPlan> = {}): SynthesisPlan => ({
  courses: 5_000,
  seed: 'bundles',
  lane: 'native',
  year: 2025,
  until: null,
  practicePrefix: 'SYN',
  ...changes,
});

const asItIs = (_scope: string, text: string): string => text;

const queuedFrom = (bundle: JsonObject, keyKind: Lane): readonly QueuedItem[] =>
  mapSubmission(bundle, {
    practiceId: 'practice',
    keyKind,
    registryCodeSystems: [],
    partnerId: keyKind === 'partner' ? 'partner' : null,
    recordHash: asItIs,
    fingerprintKeys: { current: [findFirstFingerprintKey(asItIs)], older: [] },
    offsetAt: null,
    providerId: (_practiceId, _partnerId, identity) => identity,
  });

interface Answered {
  readonly submission: Submission;
  readonly queued: QueuedItem;
  /** The receipt's words: `new`, `amended`, `retracted`, `suspected`, `rejected: …`. */
  readonly answer: string;
}

/** What the registry answers to a whole run, one submission after the other. */
const answersTo = (order: SynthesisPlan): readonly Answered[] => {
  const ledger = createWorkingSet();
  let position = 0;
  const answered: Answered[] = [];
  for (const { bundle, submissions } of buildSingleBundles(order)) {
    const [queued, ...others] = queuedFrom(bundle, order.lane);
    const [submission] = submissions;
    assert.is(others.length, 0);
    if (queued === undefined || submission === undefined) throw new Error('Nothing is mapped');
    position += 1;
    const { accepted, rejected } = decideItem(
      {
        queued,
        keyKind: order.lane,
        practiceId: 'practice',
        source: 'fhir_push',
        stream: queued.kind === 'rejected' ? `position ${position}` : String(queued.recordHash),
        submissionUuid: `submission ${position}`,
        mark: { ingestionId: 'run', position },
        receivedAt: '2027-01-01T00:00:00Z',
      },
      ledger,
    );
    const words = [
      ...(rejected?.rejections.map(({ diagnostics }) => `rejected: ${diagnostics}`) ?? []),
      ...(accepted?.amended === true ? ['amended'] : []),
      ...(accepted?.retracted === true ? ['retracted'] : []),
      ...(accepted?.suspected_duplicate === true ? ['suspected'] : []),
    ];
    answered.push({ submission, queued, answer: words.join(', ') || 'new' });
  }
  return answered;
};

const EXPECTED: Readonly<Record<Submission['kind'], string>> = {
  birth: 'new',
  amendment: 'amended',
  'retraction by status': 'retracted',
  'retraction by DELETE': 'retracted',
  revival: 'amended',
  'suspected duplicate': 'suspected',
  'stale update': 'rejected: Stale update ignored',
};

/** A run of {@link plan} that has every kind of submission, and a large one. */
const native = answersTo(plan({ courses: IS_LONG ? 10_000 : 400 }));
const partner = answersTo(
  plan({ courses: IS_LONG ? 3_000 : 150, lane: 'partner', practicePrefix: 'MAPLE' }),
);

const bundles = suite('synthetic Bundles before the registry');

const answersByKind = (answered: readonly Answered[]): unknown =>
  Object.fromEntries(
    [...new Set(answered.map(({ submission }) => submission.kind))]
      .sort()
      .map((kind) => [
        kind,
        [...new Set(answered.flatMap((one) => (one.submission.kind === kind ? [one.answer] : [])))],
      ]),
  );

const expectedByKind = Object.fromEntries(
  Object.entries(EXPECTED)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, answer]) => [kind, [answer]]),
);

bundles('each kind of submission is answered as it is meant, natively', () => {
  assert.equal(answersByKind(native), expectedByKind);
});

bundles('each kind of submission is answered as it is meant, from a partner', () => {
  assert.equal(answersByKind(partner), expectedByKind);
});

bundles('a value is left out only where the sender is meant to slip', () => {
  for (const { submission, queued } of [...native, ...partner]) {
    if (queued.kind !== 'course') continue;
    const { slip } = submission.birth.style;
    const warned = queued.course.warnings.map(({ field }) => field);
    const meant = {
      'Apgar score of 14': ['children.apgar_ten_minute'],
      'weight in stones': ['children.birth_weight_grams'],
      // The month is known, and recorded.
      'first visit without day': [],
    };
    assert.equal(warned, slip === null ? [] : meant[slip]);
  }
  const slips = native.filter(({ submission }) => submission.birth.style.slip !== null);
  assert.ok(slips.length > 0, 'a large run has some');
});

const OUNCE = 28.35;

/**
 * What has to be in the record of a birth: all that was stated. A slip in a number loses it, pounds and
 * ounces half an ounce, and a partner what the mask drops.
 */
const assertTold = (birth: Birth, course: CourseOfCare, lane: Lane): void => {
  const { slip, weightUnit } = birth.style;
  const told = stateCourse(birth, lane);
  const stated = lane === 'partner' ? maskForPartner(told) : told;
  const children = course.children.map((child, at) => {
    const { birth_weight_grams: grams, ...expected } = stated.children[at] ?? emptyChild();
    const { birth_weight_grams: read, ...others } = child;
    const isLost = slip === 'weight in stones' && at === 0;
    const tolerance = weightUnit === 'pounds and ounces' ? OUNCE / 2 : 0;
    if (isLost) assert.is(read, null);
    else assert.ok(Math.abs((read ?? 0) - (grams ?? 0)) <= tolerance, `${read} for ${grams}`);
    const isSlipped = slip === 'Apgar score of 14' && at === 0;
    assert.equal(others, isSlipped ? { ...expected, apgar_ten_minute: null } : expected);
    return child;
  });
  assert.equal({ ...course, stamp: null, warnings: [] }, { ...stated, children });
};

bundles('the registry reads what was invented', () => {
  for (const [lane, answered] of [
    ['native', native],
    ['partner', partner],
  ] as const)
    for (const { submission, queued } of answered)
      if (queued.kind === 'course') assertTold(submission.birth, queued.course, lane);
  const places = new Set(
    native.flatMap(({ queued }) =>
      queued.kind === 'course' ? [queued.course.place_of_birth] : [],
    ),
  );
  for (const place of ['Hospital', 'Home', 'Birth center'] as const) assert.ok(places.has(place));
  assert.ok([...places].every((place) => place === 'En route' || isPlace(place)));
});

const isPlace = (place: string | null): boolean =>
  [...PLACE_CODES.values()].some((known) => known === place);

bundles('a partner’s Bundle names attendant, certifier and doula by the partner’s ids', () => {
  const roles = new Set<string>();
  for (const { submission, queued } of partner) {
    if (queued.kind !== 'course') continue;
    const { course, providers } = submission.birth;
    assert.is(queued.course.attendant, course.attendant);
    assert.is(queued.course.certifier, course.certifier);
    const doula = providers.find(({ role }) => role === 'doula');
    assert.is(queued.course.doula_present === true, doula !== undefined);
    assert.equal(queued.providers, providers);
    for (const { role } of queued.providers) roles.add(role);
  }
  assert.equal([...roles].sort(), ['doula', 'midwife', 'nurse', 'physician']);
});

bundles('some providers of a partner stand there under a second id with the same NPI', () => {
  const idsByNpi = new Map<string, Set<string>>();
  for (const { queued } of partner) {
    if (queued.kind !== 'course') continue;
    for (const { npi, identity } of queued.providers)
      if (npi !== null) idsByNpi.set(npi, (idsByNpi.get(npi) ?? new Set()).add(identity));
  }
  assert.ok([...idsByNpi.values()].some((ids) => ids.size === 2));
});

bundles('a native Bundle names no Practitioner', () => {
  for (const { bundle } of buildSingleBundles(plan({ courses: 50 })))
    assert.not.match(JSON.stringify(bundle), /Practitioner/);
});

/** Profiles of the guide that no made-up resource claims, by lane. */
const UNCLAIMED = {
  native: ['Practitioner-birth-attendant', 'Practitioner-birth-certifier', 'Practitioner-vr'],
  partner: [],
} as const;

for (const lane of ['native', 'partner'] as const)
  bundles(`a Bundle keeps to the guide in all that it claims, with a ${lane} key`, () => {
    // With a prefix so short that chart numbers have the length of the guide.
    const order = plan({ courses: runs(2_000).numRuns, lane, practicePrefix: 'S' });
    const practice = createPractice(order);
    const claimed = new Set<unknown>();
    for (const { kind, birth, stamp } of generateSubmissions(order)) {
      if (kind !== 'birth') continue;
      const style = { ...birth.style, addresses: 'uuids' } as const;
      const bundle = buildBundle({ kind, birth: { ...birth, style }, stamp }, practice, lane);
      assert.equal(problemsOf(bundle), []);
      assert.equal(brokenFactsOf(bundle), []);
      assert.equal(peopleProblemsOf(bundle), []);
      for (const resource of resourcesIn(bundle)) {
        const profiles = profilesIn(resource);
        profiles.forEach(claimed.add, claimed);
        if (profiles.includes('Location-bfdr'))
          assert.ok(readCodes(resource['type']).some((code) => GUIDE_ROLES.has(code ?? '')));
        if (profiles.includes('Observation-education-level-vr'))
          for (const code of readCodes(resource['valueCodeableConcept']))
            assert.is(GUIDE_EDUCATION.get(code ?? ''), code);
      }
    }
    const known = [...new Set(FACTS.map(([profile]) => profile))].sort();
    assert.equal(
      known.filter((profile) => !claimed.has(profile)),
      UNCLAIMED[lane],
    );
  });

const complete = LANES.flatMap((lane) =>
  answersTo(plan({ courses: 3, elements: 'all', practicePrefix: 'C', lane })).map((answered) => ({
    lane,
    ...answered,
  })),
);

bundles('a Bundle with all elements is read in full by either key, without a warning', () => {
  for (const { lane, submission, queued, answer } of complete) {
    assert.is(answer, EXPECTED[submission.kind]);
    if (queued.kind !== 'course') continue;
    const { birth } = submission;
    assert.equal(queued.course.warnings, []);
    // Its Practitioners are there, and a native key records none.
    const { edit_flags } = queued.course;
    assert.ok(edit_flags.length > 0 && edit_flags.every(({ flag }) => flag === '0'));
    const course = { ...birth.course, edit_flags, ...(lane === 'native' ? UNATTRIBUTED : {}) };
    assertTold({ ...birth, course }, queued.course, lane);
  }
});

const UNATTRIBUTED = { attendant: null, certifier: null };

/** Resource types and profiles of the guide for a live birth, but those that say that nothing was there. */
const COMPLETE =
  'Composition-provider-live-birth-report Condition-chorioamnionitis ' +
  'Condition-congenital-anomaly-of-newborn Condition-eclampsia-hypertension Condition-gestational-diabetes ' +
  'Condition-gestational-hypertension Condition-infection-present-during-pregnancy ' +
  'Condition-perineal-laceration Condition-prepregnancy-diabetes Condition-prepregnancy-hypertension ' +
  'Condition-ruptured-uterus Condition-seizure Coverage-principal-payer-delivery Encounter-birth ' +
  'Encounter-maternity Location-bfdr Observation-antibiotics-administered-during-labor ' +
  'Observation-apgar-score Observation-birth-weight ' +
  'Observation-cigarette-smoking-before-during-pregnancy ' +
  'Observation-date-of-first-prenatal-care-visit Observation-date-of-last-live-birth ' +
  'Observation-date-of-last-other-pregnancy-outcome Observation-education-level-vr ' +
  'Observation-emerging-issues-vr Observation-fetal-presentation ' +
  'Observation-gestational-age-at-delivery Observation-icu-admission ' +
  'Observation-infant-breastfed-at-discharge Observation-infant-living ' +
  'Observation-labor-trial-attempted Observation-last-menstrual-period ' +
  'Observation-mother-delivery-weight Observation-mother-height ' +
  'Observation-mother-married-during-pregnancy Observation-mother-prepregnancy-weight ' +
  'Observation-mother-received-wic-food Observation-nicu-admission ' +
  'Observation-number-births-now-dead Observation-number-births-now-living ' +
  'Observation-number-fetal-deaths-this-delivery Observation-number-live-births-this-delivery ' +
  'Observation-number-other-pregnancy-outcomes Observation-number-prenatal-visits ' +
  'Observation-number-previous-cesareans Observation-paternity-acknowledgement-signed ' +
  'Observation-planned-to-deliver-at-home Observation-present-job ' +
  'Observation-previous-preterm-birth Observation-ssn-requested-for-child ' +
  'Observation-steroids-fetal-lung-maturation Patient-child-vr Patient-mother-vr ' +
  'Practitioner-birth-attendant Practitioner-birth-certifier ' +
  'Procedure-antibiotic-suspected-neonatal-sepsis Procedure-assisted-reproductive-technology ' +
  'Procedure-assisted-ventilation-following-delivery ' +
  'Procedure-assisted-ventilation-more-than-six-hours Procedure-augmentation-of-labor ' +
  'Procedure-blood-transfusion Procedure-epidural-or-spinal-anesthesia ' +
  'Procedure-fertility-enhancing-drug-therapy-artificial-insem Procedure-final-route-method-delivery ' +
  'Procedure-induction-of-labor Procedure-infertility-treatment Procedure-obstetric ' +
  'Procedure-surfactant-replacement-therapy Procedure-unplanned-hysterectomy ' +
  'RelatedPerson-father-natural-vr input-race-and-ethnicity-vr us-core-organization';

bundles('a Bundle with all elements claims every profile for a birth, and keeps to them', () => {
  const [single] = buildSingleBundles(plan({ courses: 1, elements: 'all', practicePrefix: 'C' }));
  const bundle: JsonObject = JSON.parse(JSON.stringify(single?.bundle));
  // The registry writes that of the mother alone, which the facts are about.
  assert.equal(brokenFactsOf(bundle), ['Observation-education-level-vr.code']);
  const claimed = resourcesIn(bundle).flatMap(profilesIn);
  assert.equal(
    COMPLETE.split(' ').filter((profile) => !claimed.includes(profile)),
    [],
  );
  assert.equal(Math.round(JSON.stringify(bundle).length / 10_000), 20);
});

bundles('a batch holds the same Bundles in the same order', () => {
  const order = plan({ courses: 45 });
  const single = [...buildSingleBundles(order)].map(({ bundle }) => bundle);
  const batches = [...buildBatches(order, 20)];
  assert.ok(batches.slice(0, -1).every(({ submissions }) => submissions.length === 20));
  assert.equal(
    batches.flatMap(({ bundle }) =>
      (bundle['entry'] as readonly JsonObject[]).map((entry) => entry['resource']),
    ),
    single,
  );
  const queued = batches.flatMap(({ bundle }) => queuedFrom(bundle, 'native'));
  assert.equal(
    queued.map(({ kind }) => kind),
    single.flatMap((bundle) => queuedFrom(bundle, 'native').map(({ kind }) => kind)),
  );
});

bundles('the largest batch stays under the 20 MiB that the registry takes', () => {
  const practicePrefix = 'P'.repeat(20);
  // A tenth of it has to stay under a tenth.
  const share = IS_LONG ? 1 : 0.1;
  const size = 700 * share;
  const [batch] = buildBatches(plan({ courses: size, lane: 'partner', practicePrefix }), size);
  assert.is(batch?.submissions.length, size);
  assert.ok(Buffer.byteLength(JSON.stringify(batch?.bundle)) < share * 20 * 1024 * 1024);
});

bundles('the largest batch with all elements does, too', () => {
  const [batch] = buildBatches(plan({ courses: 5, elements: 'all' }), 5);
  assert.ok(Buffer.byteLength(JSON.stringify(batch?.bundle)) < 0.1 * 20 * 1024 * 1024);
});

bundles('no two resources of a Bundle have one address, and every reference leads to one', () => {
  for (const lane of ['native', 'partner'] as const)
    for (const { bundle } of [
      ...buildSingleBundles(plan({ courses: runs(120).numRuns, lane, seed: 'references' })),
      ...buildSingleBundles(plan({ courses: 2, lane, elements: 'all', seed: 'references' })),
    ]) {
      const entries = bundle['entry'] as readonly JsonObject[];
      const addresses = entries.flatMap(({ fullUrl }) =>
        typeof fullUrl === 'string' ? [fullUrl] : [],
      );
      assert.is(new Set(addresses).size, addresses.length);
      for (const [, reference = ''] of JSON.stringify(bundle).matchAll(/"reference":"([^"]+)"/g))
        assert.ok(
          addresses.some((address) => address === reference || address.endsWith(`/${reference}`)),
          reference,
        );
      for (const { resource } of entries)
        if (resource !== undefined)
          assert.match(String((resource as JsonObject)['id']), /^[A-Za-z0-9.-]{1,64}$/);
    }
});

bundles.run();

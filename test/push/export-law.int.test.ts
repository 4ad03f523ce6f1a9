import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { buildSingleBundles } from '../../scripts/synthesis/written-submissions.ts';
import { newPractice, push, sharedTestService, type TestService } from '../harness/service.ts';
import { batchOf, twinsBundle } from '../support/bundles.ts';
import { chartOf, exportedBy } from '../support/exported-file.ts';
import { newPartnerFeed } from '../support/partners.ts';

/** What is exported and pushed again changes nothing; into an empty practice it gives the same course. */
const law = suite<{ service: TestService }>('the law of export, on the real service');
law.before(async (context) => {
  context.service = await sharedTestService();
});
law.after(({ service }) => service.stop());

/** Pushes Bundles in one batch. */
const pushed = async (service: TestService, token: string, bundles: readonly JsonObject[]) => {
  const receipt = await push(service.url, token, batchOf(bundles));
  if (receipt.status !== 'completed') throw new Error(`The receipt is ${receipt.status}`);
  return receipt;
};

/** What a record says, without when it was said and what once could not be read. */
const stateOf = async (service: TestService, practiceId: string, chart: string) => {
  const { state } = await service.commands.history(practiceId, chart, null);
  if (state === null) return null;
  const { status, courseOfCare } = state;
  const { warnings: _, stamp: __, attendant, certifier, ...course } = courseOfCare;
  // Provider ids are keyed by practice and partner.
  return { status, course, attended: attendant !== null, certified: certifier !== null };
};

for (const lane of ['native', 'partner'] as const)
  law(
    `dozens of synthetic births of the ${lane} lane, with twins, amendments and voids`,
    async ({ service }) => {
      const first = await newPractice(service.commands);
      const second = await newPractice(service.commands);
      const tokenOf = async (practice: typeof first): Promise<string> =>
        lane === 'native' ? practice.token : newPartnerFeed(service.commands, practice.practiceId);
      const [token, elsewhere] = [await tokenOf(first), await tokenOf(second)];
      const plan = {
        lane,
        courses: 40,
        seed: 'law of export',
        year: 2025,
        until: null,
        practicePrefix: 'LAW',
      } as const;
      await pushed(service, token, [
        ...[...buildSingleBundles(plan)].map(({ bundle }) => bundle),
        twinsBundle(2_405, '2025-03-12T12:00:00Z'),
      ]);

      const bundles = await exportedBy(service, first.practiceId);
      const charts = bundles.map((bundle) => String(chartOf(bundle)));
      assert.ok(charts.length >= 40 && new Set(charts).size === charts.length, 'each once');
      const before = new Map<string, Awaited<ReturnType<typeof stateOf>>>();
      for (const chart of charts)
        before.set(chart, await stateOf(service, first.practiceId, chart));
      const states = [...before.values()];
      assert.ok(
        states.some((state) => state?.status === 'voided'),
        'one is voided',
      );
      assert.ok(
        states.some((state) => (state?.course.children.length ?? 0) > 1),
        'one has twins',
      );

      const receipt = await pushed(service, token, bundles);
      assert.equal(receipt.outcome.rejected, [], 'each is taken');
      await pushed(service, elsewhere, bundles);
      for (const chart of charts) {
        assert.equal(await stateOf(service, first.practiceId, chart), before.get(chart), chart);
        const held = before.get(chart) ?? null;
        assert.equal(
          await stateOf(service, second.practiceId, chart),
          held?.status === 'voided' ? null : held,
          `${chart} in an empty practice`,
        );
      }
    },
  );

law.run();

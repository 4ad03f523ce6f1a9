import type { Lane } from '../../domain/bfdr/place-of-birth.ts';
import { batchBundles } from '../synthesis/written-submissions.ts';
import { pushBundle } from './push-bundle.ts';
import type { SamplePractice } from './sample-practice.ts';

const COURSES: Readonly<Record<Lane, number>> = { native: 240, partner: 90 };
const AT_ONCE = 60;

/**
 * Pushes a year of made-up births up to today, by both lanes and in the order in which they would
 * come: with amendments, retractions and look-alikes.
 * @param today `YYYY-MM-DD`
 */
export const pushSampleBirths = async (
  url: string,
  { nativeToken, partnerToken }: SamplePractice,
  today: string,
  say: (line: string) => void,
): Promise<void> => {
  for (const [lane, token] of [
    ['native', nativeToken],
    ['partner', partnerToken],
  ] as const) {
    const total = { accepted: 0, rejected: 0 };
    for (const { bundle } of batchBundles(planOf(lane, today), AT_ONCE)) {
      const { receipt } = await pushBundle(url, token, JSON.stringify(bundle));
      total.accepted += receipt.accepted ?? 0;
      total.rejected += receipt.rejected ?? 0;
      say(`  ${lane} lane: ${total.accepted} accepted, ${total.rejected} rejected`);
    }
  }
};

const planOf = (lane: Lane, today: string) => ({
  ...{ courses: COURSES[lane], seed: 'demo', lane },
  // In January the year has hardly begun: the births of the one before show more.
  year: Number(today.slice(0, 4)) - (today.slice(5, 7) === '01' ? 1 : 0),
  until: today,
  practicePrefix: lane === 'native' ? 'CED' : 'MAP',
});

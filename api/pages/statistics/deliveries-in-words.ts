import type { Count } from '../../../domain/statistics/figures.ts';
import { countInWords } from '../words/measures-in-words.ts';

/**
 * The deliveries of some births: "in 2 deliveries". A delivery counts where its first child does,
 * so that of twins born across midnight the second may have none in its period.
 */
export const deliveriesInWords = ({ births, coursesOfCare }: Count): string => {
  if (coursesOfCare > 0 || births === 0)
    return `in ${countInWords(coursesOfCare, 'delivery', 'deliveries')}`;
  return births === 1
    ? 'of a delivery that began in another period'
    : 'of deliveries that began in another period';
};

import { type Load, newFamilies } from './load-parts.ts';
import type { Session } from './session.ts';

const SEE_OTHER = 303;
const LONGEST_PAUSE_MS = 150;

/** Somebody who types births into the form, one after the other. */
export const entering =
  (session: Session): Load =>
  async ({ name, random, expected, isOver, count, onFault, pause }) => {
    const nextFamily = newFamilies(0);
    while (!isOver()) {
      const n = nextFamily();
      const chart = `${name}-${n}`;
      const answer = await session.post('/registry/records/new', {
        submission: random.uuid(),
        chart_number: chart,
        'mother.family_name': `Entered ${n}`,
        place_of_birth: 'Home',
        'children.0.birth_date': '5/4/2026',
        save: 'save',
      });
      count('entered');
      if (answer.status === SEE_OTHER) expected.told(chart);
      else onFault(`A birth that was entered was answered with ${answer.status}.`);
      await pause(LONGEST_PAUSE_MS);
    }
  };

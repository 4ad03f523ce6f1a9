import type { ActorSummary } from '../../../projections/lists/audit.ts';
import { displayNameWithEmail } from '../../../projections/lists/people-names.ts';

/** For whom a page is: a practice learns that the staff did something, not who of them. */
export type Audience = 'practice' | 'staff';

/** Who did something, in words. */
export const doerWords = ({ kind, email, name }: ActorSummary, audience: Audience): string => {
  switch (kind) {
    case 'member':
      return email === null ? 'a former member' : displayNameWithEmail({ email, name });
    case 'staff':
      return audience === 'staff' && email !== null
        ? displayNameWithEmail({ email, name })
        : 'the service staff';
    case 'operator':
      return 'the operator of the service';
    case 'key':
    case 'service':
      return 'the service';
  }
};

/** The same at the head of a sentence. A name or an email stays as its owner writes it. */
export const doerFirst = (doer: ActorSummary, audience: Audience): string => {
  const words = doerWords(doer, audience);
  return words.includes('@') ? words : words.charAt(0).toUpperCase() + words.slice(1);
};

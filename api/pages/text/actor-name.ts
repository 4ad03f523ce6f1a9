import type { ActorSummary } from '../../../projections/lists/audit.ts';
import { displayNameWithEmail } from '../../../projections/lists/people-names.ts';
import { capitalize } from './text-case.ts';

/** Readers of a page: a practice may not see which staff member acted. */
export type Audience = 'practice' | 'staff';

export const formatActorName = (
  { kind, email, name }: ActorSummary,
  audience: Audience,
): string => {
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

/** Name for the start of a sentence. Personal names and emails keep their own case. */
export const actorNameCapitalized = (doer: ActorSummary, audience: Audience): string => {
  const words = formatActorName(doer, audience);
  return words.includes('@') ? words : capitalize(words);
};

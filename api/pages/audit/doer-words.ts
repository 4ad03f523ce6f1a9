import type { Doer } from '../../../projections/audit-entries.ts';

/** For whom a page is: a practice learns that the staff did something, not who of them. */
export type Audience = 'practice' | 'staff';

/** Who did something, in words. */
export const doerWords = ({ kind, email }: Doer, audience: Audience): string => {
  switch (kind) {
    case 'member':
      return email ?? 'a former member';
    case 'staff':
      return audience === 'staff' && email !== null ? email : 'the service staff';
    case 'operator':
      return 'the operator of the service';
    case 'key':
    case 'service':
      return 'the service';
  }
};

import type { Seat } from '../../access/signed-in.ts';

/**
 * True if a seat sees only its own imports, and none of the records they match.
 * @see design §8: a Scribe submits births and reads none
 */
export const isLimitedToOwn = ({ role }: Seat): boolean => role === 'Scribe';

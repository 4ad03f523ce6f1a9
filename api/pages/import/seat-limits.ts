import type { Seat } from '../../access/signed-in.ts';

/** @see design §8: a Scribe submits births and reads none */
export const isLimitedToOwn = ({ role }: Seat): boolean => role === 'Scribe';

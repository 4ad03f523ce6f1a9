import type { Seat } from '../../access/signed-in.ts';

/** A Scribe submits births and reads none. */
export const isLimitedToOwn = ({ role }: Seat): boolean => role === 'Scribe';

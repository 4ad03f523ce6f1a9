import type { Seat } from '../../access/signed-in.ts';

/**
 * Whether a seat sees its own imports only, and nothing of the records that they meet.
 * @see design §8: a Scribe brings births and reads none
 */
export const isOwnOnly = ({ role }: Seat): boolean => role === 'Scribe';

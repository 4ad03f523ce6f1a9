import type { Role } from '../../../domain/account/member/events.ts';

/** What a seat lets its member do. */
export const SEAT_WORDS: Readonly<Record<Role, string>> = {
  Admin: 'reads and writes records, mints keys, manages members and settings',
  Provider: 'reads and writes records, sees the keys',
  Viewer: 'reads records and statistics',
  Scribe: 'enters births, cannot view records',
};

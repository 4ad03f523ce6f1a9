import type { PracticeEvent } from '../../../domain/practice/events.ts';
import type { AccessEntry } from '../../../projections/lists/access.ts';
import {
  findAccessAction,
  findPurpose,
  isByBreakGlass,
  UNUSUAL_WORDS,
} from '../../access-log/purpose.ts';
import { formatAccess, formatSubject } from './access-text.ts';

export const ACCESS_COLUMNS = [
  'at',
  'who',
  'who_kind',
  'who_id',
  'let_in_by_staff',
  'kind',
  'what',
  'purpose',
  'unusual',
  'records',
] as const;

/** CSV rows of a practice's access log, worded like its page but without chart numbers. */
export const buildAccessRows = (
  entries: readonly AccessEntry[],
  lastBreakGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null,
): readonly (readonly string[])[] =>
  entries.map((entry) => [
    entry.at.toISOString(),
    formatSubject(entry, 'practice'),
    entry.by.kind,
    // A practice may not identify individual staff members.
    entry.by.kind === 'staff' ? '' : entry.by.id,
    isByBreakGlass(entry, lastBreakGlass) ? 'yes' : '',
    findAccessAction(entry),
    formatAccess(entry),
    findPurpose(entry) ?? '',
    entry.unusual.map((mark) => UNUSUAL_WORDS[mark]).join('; '),
    entry.records.map(({ submissionUuid }) => submissionUuid).join(' '),
  ]);

import type { LogEntry } from '../../domain/event-log.ts';
import { uuid } from './any-log.ts';
import { birthBundle, courseOf } from './bundles.ts';
import { entryAt } from './stored-entries.ts';

const RECORDS_AT_ONCE = 4_000;
const COURSE = courseOf(birthBundle());

/** Record events as in a year of a practice: most are new, every fifth amends an earlier record. */
export const recordEntry = (position: number): LogEntry => {
  const isAmendment = position % 5 === 4;
  const of = isAmendment ? Math.max(position - RECORDS_AT_ONCE - 1, 0) : position;
  const data = {
    submissionUuid: uuid(of),
    practiceId: 'practice',
    version: isAmendment ? 2 : 1,
    source: 'fhir_push',
    keyKind: 'native',
    providers: [],
    mark: null,
    stamp: '2026-05-13T09:00:00.000000000Z',
    fingerprints: [`fingerprint-of-forty-three-characters-${position}`],
    course: { ...COURSE, chart_number: `C-${of}` },
  };
  const type = isAmendment ? 'BirthAmended' : 'BirthRecorded';
  return entryAt(BigInt(position), `record-${of}`, isAmendment ? 1n : 0n, { type, data });
};

import type { CourseOfCare } from '../course/course.ts';
import { upcastUnknownCounts } from '../course/unknown-counts.ts';
import type { Fold } from '../fold.ts';
import type { NamedProvider } from '../provider/details.ts';
import type { BirthRecordEvent, SubmissionSource } from './events.ts';

export interface KnownBirthRecord {
  readonly status: 'live' | 'voided';
  readonly submissionUuid: string;
  readonly practiceId: string;
  readonly version: number;
  readonly stamp: string | null;
  readonly source: SubmissionSource;
  readonly keyKind: 'native' | 'partner' | null;
  readonly course: CourseOfCare;
  readonly providers: readonly NamedProvider[];
  readonly fingerprints: readonly string[];
  readonly duplicateOf: string | null;
  readonly dismissedMatches: readonly string[];
}

/** State of a record under one chart number. @see spec "Record lifecycle" */
export type BirthRecord = { readonly status: 'none' } | KnownBirthRecord;

export const noRecord: BirthRecord = { status: 'none' };

export const evolve = (state: BirthRecord, event: BirthRecordEvent): BirthRecord => {
  switch (event.type) {
    case 'BirthRecorded':
    case 'BirthAmended': {
      const { submissionUuid, practiceId, version, stamp, source, keyKind } = event.data;
      const { providers, fingerprints } = event.data;
      const course = upcastUnknownCounts(event.data.course);
      const duplicateOf = state.status === 'none' ? null : state.duplicateOf;
      const dismissedMatches = state.status === 'none' ? [] : state.dismissedMatches;
      return {
        status: 'live',
        submissionUuid,
        practiceId,
        version,
        stamp,
        source,
        keyKind,
        course,
        providers,
        fingerprints,
        duplicateOf,
        dismissedMatches,
      };
    }
    case 'BirthRetracted':
      return state.status === 'none'
        ? state
        : { ...state, status: 'voided', version: event.data.version };
    case 'DuplicateFlagged':
      return state.status === 'none' ? state : { ...state, duplicateOf: event.data.duplicateOf };
    case 'DuplicateDismissed':
      return state.status === 'none'
        ? state
        : {
            ...state,
            duplicateOf: event.data.standingFlag ?? null,
            dismissedMatches: [
              ...without(state.dismissedMatches, event.data),
              event.data.duplicateOf,
            ],
          };
    case 'DuplicateFlagRestored':
      return state.status === 'none'
        ? state
        : {
            ...state,
            duplicateOf: event.data.standingFlag ?? event.data.duplicateOf,
            dismissedMatches: without(state.dismissedMatches, event.data),
          };
    case 'RevivalKept':
    case 'QuestionsConfirmed':
    case 'QuestionsUnverified':
    case 'ItemUnobtainable':
    case 'ItemAwaited':
    case 'ItemReasonTakenBack':
      return state;
    case 'AttributionRepointed': {
      const { part, to } = event.data;
      return state.status === 'none'
        ? state
        : { ...state, course: { ...state.course, [part]: to } };
    }
  }
};

const without = (
  dismissedMatches: readonly string[],
  { duplicateOf }: { readonly duplicateOf: string },
): readonly string[] => dismissedMatches.filter((one) => one !== duplicateOf);

export const recordFold: Fold<BirthRecord, BirthRecordEvent> = { initial: noRecord, evolve };

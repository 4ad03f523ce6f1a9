import { keyKind } from '../api-key/events.ts';
import { courseOfCareSchema } from '../course/course-schema.ts';
import { defineEvents, type InferEvent } from '../define-events.ts';
import { ATTRIBUTED_PARTS, namedProvider } from '../provider/details.ts';
import {
  array,
  count,
  type Infer,
  instant,
  literal,
  nullable,
  object,
  ordinal,
  pattern,
  text,
  uuid,
} from '../schema.ts';

/** Source of a course of care. @see spec "Other named values" */
export type SubmissionSource = Infer<typeof submissionSource>;

export const submissionSource = literal('manual', 'csv', 'fhir_push', 'ehr_pull');

/** Item of an ingestion that an event belongs to, so that a retry finds the events it already appended. */
export type SubmissionItemId = Infer<typeof submissionItemId>;

const submissionItemId = object({
  ingestionId: text,
  /** Zero-based position of the course in the submission. */
  position: count,
});

/** Submission item that appended the event; `null` for a user's command. */
const mark = nullable(submissionItemId);

/** Pre-fill that a user saved. The access log uses it to find earlier views of its patient data. */
export type PrefillSaved = Infer<typeof prefillSaved>;

const prefillSaved = object(
  {
    prefillId: text,
    /** Host name of the EHR's FHIR endpoint. */
    ehr: text,
  },
  {
    /** Pre-fills whose charts were added to it: the mother's or the newborns'. */
    otherIds: array(text),
  },
);

/** Version of a birth record: the whole course of care, and its origin. */
export type RecordVersion = Infer<typeof recordVersion>;

const recordVersion = object(
  {
    /** Id of the record, assigned with its first version. It never changes. */
    submissionUuid: uuid,
    practiceId: text,
    /** Starts at 1; each amendment, retraction, and revival adds 1. */
    version: ordinal,
    source: submissionSource,
    /** Kind of the key that sent it; `null` for a user's version. */
    keyKind: nullable(keyKind),
    course: courseOfCareSchema,
    /** Providers in a partner's Bundle; otherwise empty. */
    providers: array(namedProvider),
    /** Sender's time of the latest change; `null` until a version has one. */
    stamp: nullable(instant),
    /**
     * Keyed hashes of the mother's name with the time of each birth, or its date without a time, by each rule.
     * @see spec "Duplicate fingerprint"
     */
    fingerprints: array(text),
    mark,
  },
  {
    /** Absent if it was not a pre-fill, and in versions from before this field existed. */
    prefill: prefillSaved,
    /** Duplicate that values were copied from, and their paths, as named by `findDifferences`. */
    mergedFrom: object({ submissionUuid: uuid, paths: array(text) }),
    /**
     * Reason that a user corrected or restored the record; absent in versions from before reasons were
     * required.
     */
    reason: { ...text, maxLength: 600 },
    /** Earlier version that this one restored. */
    restored: object({ version: ordinal }),
    /** Import that this version undid. */
    undoneImport: text,
  },
);

const pair = {
  submissionUuid: uuid,
  practiceId: text,
  /** Submission uuid of the older record. */
  duplicateOf: uuid,
  mark,
};

/**
 * A user's decision on a candidate pair, stored on the flagged record, or on the younger one if neither is
 * flagged.
 */
const pairDecision = object(pair, {
  /** Record that the flag still names, if the decision is about another pair. */
  standingFlag: uuid,
});

const answeredQuestions = {
  submissionUuid: uuid,
  practiceId: text,
  /** Version with the values; the answer creates no new version. */
  version: ordinal,
  /** Paths of the values, such as `children.0.birth_weight_grams`. */
  questions: array(text),
  mark,
};

const itemOfRecord = {
  submissionUuid: uuid,
  practiceId: text,
  /** Current version; a reason creates no new one. */
  version: ordinal,
  /** `course`, or a child by its position, such as `children.0`. */
  part: pattern('^(course|children\\.\\d+)$'),
  /** Id of a certificate item, such as `birth-weight`. */
  item: text,
  /** Number of children in the version. */
  children: count,
  mark,
};

/** Events of a `record-` stream. */
export const BIRTH_RECORD_EVENTS = defineEvents('record', {
  /** A birth was recorded for the first time under its chart number. */
  BirthRecorded: recordVersion,

  /** A later version replaced the course of care; also revives a voided record. */
  BirthAmended: recordVersion,

  /** The record was voided: it no longer counts, but its history is kept. */
  BirthRetracted: object(
    { submissionUuid: uuid, practiceId: text, version: ordinal, source: submissionSource, mark },
    {
      /** Reason, if voided by a user; retractions from senders have none. */
      reason: nullable({ ...text, maxLength: 500 }),
      /** Record that it was merged into as a duplicate. */
      mergedInto: uuid,
      /** Import that this void undid. */
      undoneImport: text,
    },
  ),

  /** The record matches an older one of the practice. Both are kept. */
  DuplicateFlagged: object(pair),

  /** A user decided that two births are different. This can be undone. */
  DuplicateDismissed: pairDecision,

  /** A user undid the dismissal: the two are match candidates again. */
  DuplicateFlagRestored: pairDecision,

  /** A user decided to keep a record live that had been voided by a user and then sent again. */
  RevivalKept: object({
    submissionUuid: uuid,
    practiceId: text,
    /** Version that revived the record; keeping it creates no new version. */
    version: ordinal,
    mark,
  }),

  /** A user confirmed that unusual values are correct. */
  QuestionsConfirmed: object(answeredQuestions),

  /** A user asked about unusual values, and could not verify them. They stay unchanged. */
  QuestionsUnverified: object(answeredQuestions),

  /** A user decided that a missing item will never be known. It is unknown, and no longer to do. */
  ItemUnobtainable: object(itemOfRecord),

  /** A user stated when a missing item is expected. It is not to do until that day. */
  ItemAwaited: object({
    ...itemOfRecord,
    /** Date in the practice's time zone. */
    until: pattern('^\\d{4}-\\d{2}-\\d{2}$'),
  }),

  /** A user took back the reason of a missing item. It is to do again. */
  ItemReasonTakenBack: object(itemOfRecord),

  /** A provider in the record was merged: the record now names the survivor. The version does not change. */
  AttributionRepointed: object({
    submissionUuid: uuid,
    practiceId: text,
    part: literal(...ATTRIBUTED_PARTS),
    /** Provider ids. */
    from: text,
    to: text,
    /** Course that named the absorbed provider after the merge; `null` for the merge itself. */
    mark,
  }),
});

type Events = typeof BIRTH_RECORD_EVENTS;
export type BirthRecordEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;

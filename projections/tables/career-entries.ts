import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import { ATTRIBUTED_PARTS, type AttributedPart } from '../../domain/provider/details.ts';
import {
  type Change,
  type Handlers,
  isFirst,
  type ReadTable,
  type ReadView,
  update,
  upsert,
} from '../projection.ts';

/** Row of `read.career_entry`: who has a part in a birth record, and under which identity the partner named them. */
export interface CareerEntryRow {
  readonly submission_uuid: string;
  readonly part: AttributedPart;
  readonly practice_id: string;
  readonly stream: string;
  /** Provider that the record is attributed to now; null: none has this part any more. */
  readonly provider_id: string | null;
  /** Provider that the sent version names; another one after a merge. */
  readonly named_id: string | null;
  /** When that version was recorded. */
  readonly named_at: Date;
  /** Which version that is. */
  readonly named_version: number;
}

/** Row of `read.attribution`: the provider that a version named for a part; kept when a later one names another. */
export interface AttributionRow {
  readonly submission_uuid: string;
  readonly part: AttributedPart;
  readonly version: number;
  /** Null: from then on no provider had this part. */
  readonly named_id: string | null;
  readonly named_at: Date;
}

const careerEntry: ReadTable = {
  name: 'career_entry',
  columns: {
    submission_uuid: 'uuid not null',
    part: 'text not null',
    practice_id: 'text not null',
    stream: 'text not null',
    provider_id: 'text',
    named_id: 'text',
    named_at: 'timestamptz not null',
    named_version: 'integer not null',
  },
  key: ['submission_uuid', 'part'],
  indexes: ['(provider_id, stream)'],
};

const attribution: ReadTable = {
  name: 'attribution',
  columns: {
    submission_uuid: 'uuid not null',
    part: 'text not null',
    version: 'integer not null',
    named_id: 'text',
    named_at: 'timestamptz not null',
  },
  key: ['submission_uuid', 'part', 'version'],
  indexes: ['(named_id)'],
};

const entriesOf = (
  data: RecordVersion,
  part: AttributedPart,
  stored: StoredEvent,
): readonly Change[] => {
  const { submissionUuid, practiceId, version } = data;
  const named = data.course[part];
  const at = stored.metadata.recordedAt;
  return [
    upsert(
      'career_entry',
      {
        submission_uuid: submissionUuid,
        part,
        practice_id: practiceId,
        stream: stored.stream,
        provider_id: named,
        named_id: named,
        named_at: at,
        named_version: version,
      },
      isFirst(stored),
    ),
    upsert(
      'attribution',
      { submission_uuid: submissionUuid, part, version, named_id: named, named_at: at },
      isFirst(stored),
    ),
  ];
};

/**
 * The career log of every provider: who has which part in a record now, and which one each version of it
 * has named. Whether the record is live, and where the birth was, is the records' own table to say.
 */
export const careerEntries = {
  name: 'career_entries',
  version: 2,
  tables: [careerEntry, attribution],
  on: {
    BirthRecorded: (data, stored) =>
      ATTRIBUTED_PARTS.filter((part) => data.course[part] !== null).flatMap((part) =>
        entriesOf(data, part, stored),
      ),
    // A partner's amendment states an attribution, and so does a version that brings back an earlier one;
    // a merge may; any other leaves it standing.
    BirthAmended: (data, stored) =>
      ATTRIBUTED_PARTS.filter(
        (part) =>
          data.keyKind === 'partner' ||
          data.restored !== undefined ||
          data.mergedFrom?.paths.includes(part),
      ).flatMap((part) => entriesOf(data, part, stored)),
    AttributionRepointed: ({ submissionUuid, part, to }) => [
      update('career_entry', { submission_uuid: submissionUuid, part }, { provider_id: to }),
    ],
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

/** Row of `read.replaced_attribution`: a part that a provider had in a record until it was amended. */
export interface ReplacedAttributionRow {
  readonly submission_uuid: string;
  readonly part: AttributedPart;
  readonly practice_id: string;
  /** Who stands for that provider after all merges. */
  readonly survivor_id: string;
  /** Provider that the last version with this provider names. */
  readonly named_id: string;
  readonly named_at: Date;
  /** When a version named another provider, or none. */
  readonly replaced_at: Date;
}

/**
 * Parts that providers had in records. A view, for a merge can make two providers one: then neither
 * has replaced the other, and no event of the record says so.
 * @see spec "Provider identity (partner lane only)"
 */
export const REPLACED_ATTRIBUTIONS = {
  name: 'replaced_attribution',
  version: 1,
  query: (schema) => `
    select told.submission_uuid, told.part, provider.practice_id, provider.survivor_id,
      told.named_id, told.named_at, next.named_at as replaced_at
    from "${schema}".provider provider
    join "${schema}".attribution told on told.named_id = provider.provider_id
    -- Most were never told of again.
    join "${schema}".career_entry held on held.submission_uuid = told.submission_uuid
      and held.part = told.part and held.named_version > told.version
    cross join lateral (
      select later.named_id, later.named_at
      from "${schema}".attribution later
      where later.submission_uuid = told.submission_uuid and later.part = told.part
        and later.version > told.version
      order by later.version
      limit 1) next
    left join "${schema}".provider follower on follower.provider_id = next.named_id
    where follower.survivor_id is distinct from provider.survivor_id`,
} as const satisfies ReadView & { readonly version: number };

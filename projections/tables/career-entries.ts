import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import { ATTRIBUTED_PARTS, type AttributedPart } from '../../domain/provider/details.ts';
import {
  type Change,
  column,
  defineTable,
  type Handlers,
  isFirst,
  type ReadView,
  update,
  upsert,
} from '../projection.ts';

const careerEntry = defineTable({
  name: 'career_entry',
  columns: {
    submission_uuid: column.uuid(),
    part: column.text<AttributedPart>(),
    practice_id: column.text(),
    stream: column.text(),
    /** Provider that the record is currently attributed to; null if the part no longer has one. */
    provider_id: column.textOrNull(),
    /** Provider named by the submitted version; differs from `provider_id` after a merge. */
    named_id: column.textOrNull(),
    named_at: column.timestamptz(),
    named_version: column.integer(),
  },
  key: ['submission_uuid', 'part'],
  indexes: ['(provider_id, stream)'],
});

/** Provider that a version named for a part. Never overwritten by later versions. */
const attribution = defineTable({
  name: 'attribution',
  columns: {
    submission_uuid: column.uuid(),
    part: column.text<AttributedPart>(),
    version: column.integer(),
    named_id: column.textOrNull(),
    named_at: column.timestamptz(),
  },
  key: ['submission_uuid', 'part', 'version'],
  indexes: ['(named_id)'],
});

const buildEntries = (
  data: RecordVersion,
  part: AttributedPart,
  stored: StoredEvent,
): readonly Change[] => {
  const { submissionUuid, practiceId, version } = data;
  const providerId = data.course[part];
  const at = stored.metadata.recordedAt;
  return [
    upsert(
      'career_entry',
      {
        submission_uuid: submissionUuid,
        part,
        practice_id: practiceId,
        stream: stored.stream,
        provider_id: providerId,
        named_id: providerId,
        named_at: at,
        named_version: version,
      },
      isFirst(stored),
    ),
    upsert(
      'attribution',
      { submission_uuid: submissionUuid, part, version, named_id: providerId, named_at: at },
      isFirst(stored),
    ),
  ];
};

/** Join `birth_record` for the status and the place of birth. */
export const careerEntries = {
  name: 'career_entries',
  version: 2,
  tables: [careerEntry, attribution],
  on: {
    BirthRecorded: (data, stored) =>
      ATTRIBUTED_PARTS.filter((part) => data.course[part] !== null).flatMap((part) =>
        buildEntries(data, part, stored),
      ),
    // A partner's amendment and a version that restores an earlier one set the attribution. A merge
    // may set it. Any other amendment leaves it unchanged.
    BirthAmended: (data, stored) =>
      ATTRIBUTED_PARTS.filter(
        (part) =>
          data.keyKind === 'partner' ||
          data.restored !== undefined ||
          data.mergedFrom?.paths.includes(part),
      ).flatMap((part) => buildEntries(data, part, stored)),
    AttributionRepointed: ({ submissionUuid, part, to }) => [
      update('career_entry', { submission_uuid: submissionUuid, part }, { provider_id: to }),
    ],
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

/** A view: a merge undoes replacements without an event. @see spec "Provider identity (partner lane only)" */
export const REPLACED_ATTRIBUTIONS = {
  name: 'replaced_attribution',
  version: 1,
  query: (schema) => `
    select former.submission_uuid, former.part, provider.practice_id, provider.survivor_id,
      former.named_id, former.named_at, next.named_at as replaced_at
    from "${schema}".provider provider
    join "${schema}".attribution former on former.named_id = provider.provider_id
    -- Most were never named again.
    join "${schema}".career_entry held on held.submission_uuid = former.submission_uuid
      and held.part = former.part and held.named_version > former.version
    cross join lateral (
      select later.named_id, later.named_at
      from "${schema}".attribution later
      where later.submission_uuid = former.submission_uuid and later.part = former.part
        and later.version > former.version
      order by later.version
      limit 1) next
    left join "${schema}".provider follower on follower.provider_id = next.named_id
    where follower.survivor_id is distinct from provider.survivor_id`,
} as const satisfies ReadView;

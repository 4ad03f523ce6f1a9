import type { AttributedPart } from '../../domain/provider/details.ts';
import type { ReadView } from '../projection.ts';

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

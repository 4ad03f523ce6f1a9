import type { Draft } from '../../../domain/mapping/form/drafts.ts';
import type { Seat } from '../../access/signed-in.ts';
import type { App } from '../../ports/app-ports.ts';
import { DraftNotice } from '../parts/birth-form/drafts/draft-notice.tsx';

export interface OwnDraftsProps {
  readonly births: readonly Draft[];
  readonly corrections: readonly Draft[];
}

/** The person's own drafts, which no one else sees. */
export const OwnDrafts = ({ births, corrections }: OwnDraftsProps) => (
  <>
    <DraftNotice
      drafts={births}
      action="/registry/records/new"
      resume={({ draftId }) => `/registry/records/new?draft=${draftId}`}
      text="Unfinished entry"
    />
    {corrections.map((draft) => {
      const action = `/registry/records/${draft.draftId}/correct`;
      return (
        <DraftNotice
          key={draft.draftId}
          drafts={[draft]}
          action={action}
          resume={() => `${action}?draft=yes`}
          text="Unfinished correction"
        />
      );
    })}
  </>
);

export const hasDrafts = ({ births, corrections }: OwnDraftsProps): boolean =>
  births.length + corrections.length > 0;

export const loadOwnDrafts = async (
  { drafts }: App,
  { memberId, practiceId, role }: Seat,
): Promise<OwnDraftsProps> => {
  const owner = { accountId: memberId, practiceId };
  const [births, corrections] = await Promise.all([
    drafts.begun(owner, 'new'),
    role === 'Scribe' ? [] : drafts.begun(owner, 'correct'),
  ]);
  return { births, corrections };
};

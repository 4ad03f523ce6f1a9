import type { Draft } from '../../../../../domain/mapping/form/drafts.ts';
import { Form } from '../../../layout/form.tsx';
import { PageLink } from '../../../layout/record-link.tsx';
import { Time } from '../../../layout/time.tsx';
import { formatTypedMother } from '../confirm/compare-births.ts';

const NO_NAME = 'no name yet';

export const DraftNotice = ({
  drafts,
  action,
  resume,
  text,
}: {
  readonly drafts: readonly Draft[];
  readonly action: string;
  /** Address to resume a draft; `undefined` if it is on this page. */
  readonly resume?: (draft: Draft) => string;
  /** Kind of form: "You have an unfinished entry". */
  readonly text: string;
}) => (
  <>
    {drafts.map((draft) => (
      <section
        key={draft.draftId}
        class="notice draft-notice"
        aria-label={`${text}, ${formatTypedMother(draft.values) ?? NO_NAME}`}
      >
        <p class="margin-bottom-1">
          <strong>{text}:</strong> {formatTypedMother(draft.values) ?? NO_NAME}, last edited{' '}
          <Time at={draft.savedAt} />.
        </p>
        <Form action={action} class="cluster">
          {resume !== undefined && (
            <PageLink class="usa-button usa-button--outline" href={resume(draft)}>
              Continue
            </PageLink>
          )}
          <button
            type="submit"
            name="discard"
            value={draft.draftId}
            class="usa-button usa-button--unstyled"
          >
            Discard
          </button>
        </Form>
      </section>
    ))}
  </>
);

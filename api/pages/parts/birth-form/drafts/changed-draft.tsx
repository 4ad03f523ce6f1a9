import type { Request } from 'express';
import type { FormValues } from '../../../../../domain/intake/form/form-fields.ts';
import { DataTable } from '../../../layout/data-table.tsx';
import type { PageView } from '../../../layout/page.tsx';
import { formatTypedDifferences } from '../confirm/compare-births.ts';
import { ConfirmationForm } from '../confirm/confirmation-form.tsx';
import { type DraftSaveResult, EDITION_FIELD, type Entry, openEdition } from '../form/entry.ts';
import { readTypedValues } from './form-ownership.tsx';

interface ChangedDraft {
  readonly draft: Extract<DraftSaveResult, { readonly kind: 'changed' }>['draft'];
  readonly posted: Pick<Entry, 'customFields'>;
  /** Of this form, with a reason if it is a correction. */
  readonly values: FormValues;
  readonly resume: string;
}

/** The draft stays unchanged until the person chooses. */
export const buildChangedDraft = (
  req: Request,
  { draft, posted, values, resume }: ChangedDraft,
): PageView => {
  const { isFinished } = draft;
  const differences = isFinished
    ? []
    : formatTypedDifferences(draft.values, values, posted.customFields);
  return {
    title: `You ${isFinished ? 'discarded' : 'changed'} this form in another tab`,
    status: 409,
    children: (
      <ConfirmationForm
        action={req.path}
        carried={{ ...readTypedValues(req), [EDITION_FIELD]: openEdition(draft) }}
      >
        <p data-message={isFinished ? 'discarded-elsewhere' : 'changed-elsewhere'}>
          {isFinished
            ? 'Everything you typed in this tab is still here, but it is not saved.'
            : 'Nothing is lost. Choose the version to continue with: it replaces the other one.'}
        </p>
        {differences.length > 0 && (
          <DataTable
            caption="Differences between the two tabs"
            captionHidden
            rows={differences}
            keyOf={({ path }) => path}
            columns={[
              { heading: 'Value', namesRow: true, cell: ({ label }) => label },
              { heading: 'In the other tab', cell: ({ from }) => from ?? 'Blank' },
              { heading: 'In this tab', cell: ({ to }) => to ?? 'Blank' },
            ]}
          />
        )}
        <div class="buttons">
          <button type="submit" name="back" value="yes" class="usa-button">
            Continue with this tab
          </button>
          <a class="usa-button usa-button--outline" href={isFinished ? '/registry' : resume}>
            {isFinished ? 'Discard this tab, too' : 'Continue with the other tab'}
          </a>
        </div>
      </ConfirmationForm>
    ),
  };
};

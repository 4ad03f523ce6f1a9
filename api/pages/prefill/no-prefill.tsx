import type { Request, Response } from 'express';
import type { SavedPrefill } from '../../../domain/mapping/us-core/prefill.ts';
import { readFormText, readFormTexts } from '../../web/form-body.ts';
import { CSRF_FIELD } from '../../web/session/csrf.ts';
import { EmptyState } from '../layout/empty-state.tsx';
import { Notice } from '../layout/flash-messages.tsx';
import { Form } from '../layout/form.tsx';
import { HiddenFields } from '../layout/hidden-fields.tsx';
import type { PageView } from '../layout/page.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { LaunchChooser } from './patient-banner.tsx';
import { toMember } from './read-review.ts';

const PREFILL_GONE = 'This pre-fill is no longer available';
const TITLE = 'Pre-fill from the EHR';
const NEW_BIRTH = '/registry/records/new';

/** Explains how to launch, as the browser has no pre-fill. */
export const buildNoPrefill = (
  res: Response,
  isGone: boolean,
  launches: readonly SavedPrefill[],
): PageView => {
  const role = toMember(res)?.role;
  const links =
    role === undefined || role === 'Viewer'
      ? []
      : [{ href: NEW_BIRTH, text: 'Enter a birth by hand' }];
  return {
    title: TITLE,
    children: (
      <>
        {isGone && (
          <Notice kind="warning" id="prefill-gone">
            {PREFILL_GONE}: it is kept for 30 minutes, in the browser that launched it. Launch again
            from the EHR.
          </Notice>
        )}
        <LaunchChooser current={null} launches={launches} />
        <EmptyState links={links} id={launches.length === 0 ? 'nothing-read' : 'launch-again'}>
          {launches.length === 0
            ? 'No chart has been read from an EHR in this browser. '
            : 'To read another patient: '}
          Open the chart of the mother or the newborn in your EHR, then start Birth Registry from
          its list of apps. It reads the chart and comes back here with a filled-in form for you to
          review.
        </EmptyState>
      </>
    ),
  };
};

// Fields of the deleted pre-fill.
const NOT_CARRIED = new Set([CSRF_FIELD, 'prefill_id', 'as', 'save', 'amend', 'overrule']);
const OF_THE_PREFILL = /^(?:pick|picked)\./;

/** The pre-fill was deleted, but the typed values are still in the form. */
export const buildPrefillGone = (req: Request, res: Response): PageView => {
  const names = Object.keys((req.body ?? {}) as object).filter(
    (name) => !NOT_CARRIED.has(name) && !OF_THE_PREFILL.test(name),
  );
  const carried = Object.fromEntries(
    names.map((name) => [name, readFormTexts(req, name).join('; ')] as const),
  );
  const role = toMember(res)?.role;
  return {
    title: PREFILL_GONE,
    status: 410,
    children: (
      <>
        <p data-message="nothing-saved">
          Nothing has been saved. A pre-fill is kept for 30 minutes, in the browser that launched
          it. Launch again from the EHR to have the values marked as from the EHR
          {role === 'Viewer' ? '.' : ', or continue by hand with everything in the form.'}
        </p>
        {role !== 'Viewer' && (
          <Form token={readFormText(req, CSRF_FIELD)} action={NEW_BIRTH}>
            <HiddenFields values={carried} />
            <div class="buttons">
              <button type="submit" name="back" value="yes" class="usa-button">
                Continue by hand
              </button>
            </div>
          </Form>
        )}
      </>
    ),
  };
};

/** @param submissionUuid `null` if the reader may not see it */
export const buildSavedAlready = (submissionUuid: string | null): PageView => ({
  title: TITLE,
  children: (
    <EmptyState id="prefill-saved">
      This pre-fill was saved.{' '}
      {submissionUuid === null ? (
        'Launch again from the EHR for another birth.'
      ) : (
        <RecordLink id={submissionUuid}>View record</RecordLink>
      )}
    </EmptyState>
  ),
});

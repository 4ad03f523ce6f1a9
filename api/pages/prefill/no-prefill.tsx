import type { Request, Response } from 'express';
import type { SavedPrefill } from '../../../domain/intake/us-core/prefill.ts';
import { CSRF_FIELD } from '../../web/csrf.ts';
import { formTexts } from '../../web/form-body.ts';
import { HiddenValues } from '../birth-form/asking-pages.tsx';
import { EmptyState } from '../frame/empty-state.tsx';
import { Notice } from '../frame/flash-messages.tsx';
import { HeldForm } from '../frame/form.tsx';
import { RecordLink } from '../frame/record-link.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { LaunchChooser } from './patient-banner.tsx';
import { memberOf } from './read-review.ts';

/** Says that a browser has not launched. */
export const NOTHING_READ_MESSAGE = 'Nothing has been read from an EHR in this browser.';

/** Says that a pre-fill is not kept. */
export const PREFILL_GONE = 'This pre-fill is not here any more';

/** Says that the form of a pre-fill that is gone was not saved. */
export const NOTHING_SAVED_MESSAGE = 'Nothing has been saved.';

/** Says that a pre-fill has become a record. */
export const PREFILL_SAVED_MESSAGE = 'This pre-fill was saved.';

const TITLE = 'Pre-fill from the EHR';
const NEW_BIRTH = '/registry/records/new';

/** Nothing is held for the browser: how to launch. */
export const sendNoPrefill = (
  req: Request,
  res: Response,
  { isGone, launches }: { readonly isGone: boolean; readonly launches: readonly SavedPrefill[] },
): void => {
  const role = memberOf(res)?.role;
  const links =
    role === undefined || role === 'Viewer'
      ? []
      : [{ href: NEW_BIRTH, text: 'Enter a birth by hand' }];
  sendPage(req, res, {
    title: TITLE,
    children: (
      <>
        {isGone && (
          <Notice kind="warning">
            {PREFILL_GONE}: it is kept for 30 minutes, in the browser that launched it. Launch again
            from the EHR.
          </Notice>
        )}
        <LaunchChooser shown={null} launches={launches} />
        <EmptyState links={links}>
          {launches.length === 0 ? `${NOTHING_READ_MESSAGE} ` : 'To read another patient: '}
          Open the chart of the mother or the newborn in your EHR, then start Birth Registry from
          its list of apps. It reads what the chart says and comes back here, filled in for you to
          look over.
        </EmptyState>
      </>
    ),
  });
};

// They belong to the form that is gone.
const NOT_CARRIED = new Set([CSRF_FIELD, 'prefill_id', 'as', 'save', 'amend', 'overrule']);
const OF_THE_PREFILL = /^(?:pick|picked)\./;

/** The pre-fill of a form is gone, but not what was typed. */
export const sendPrefillGone = (req: Request, res: Response): void => {
  const names = Object.keys((req.body ?? {}) as object).filter(
    (name) => !NOT_CARRIED.has(name) && !OF_THE_PREFILL.test(name),
  );
  const carried = Object.fromEntries(
    names.map((name) => [name, formTexts(req, name).join('; ')] as const),
  );
  const role = memberOf(res)?.role;
  sendPage(
    req,
    res,
    {
      title: PREFILL_GONE,
      children: (
        <>
          <p>
            {NOTHING_SAVED_MESSAGE} A pre-fill is kept for 30 minutes, in the browser that launched
            it. Launch again from the EHR to have the values marked as the EHR’s
            {role === 'Viewer'
              ? '.'
              : ', or go on by hand with everything that stands in the form.'}
          </p>
          {role !== 'Viewer' && (
            <HeldForm action={NEW_BIRTH}>
              <HiddenValues values={carried} />
              <div class="buttons">
                <button type="submit" name="back" value="yes" class="usa-button">
                  Go on by hand
                </button>
              </div>
            </HeldForm>
          )}
        </>
      ),
    },
    410,
  );
};

/** A pre-fill that has become a record. @param submissionUuid null: not for the reader */
export const sendSavedAlready = (
  req: Request,
  res: Response,
  submissionUuid: string | null,
): void => {
  sendPage(req, res, {
    title: TITLE,
    children: (
      <EmptyState>
        {PREFILL_SAVED_MESSAGE}{' '}
        {submissionUuid === null ? (
          'Launch again from the EHR for another birth.'
        ) : (
          <RecordLink id={submissionUuid}>See the record</RecordLink>
        )}
      </EmptyState>
    ),
  });
};

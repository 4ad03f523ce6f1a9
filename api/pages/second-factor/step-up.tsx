import type { Request, RequestHandler, Response } from 'express';
import { toPerson } from '../../access/person.ts';
import type { App } from '../../ports/app-ports.ts';
import { getAccount } from '../../web/guards/seats.ts';
import { SECURITY_PAGE } from '../../web/guards/second-factor-first.ts';
import { getPageBefore } from '../../web/next-page.ts';
import { isSafeMethod } from '../../web/same-origin.ts';
import { getSignedIn } from '../../web/session/signed-in-session.ts';
import { ErrorSummary } from '../layout/error-summary.tsx';
import { type FieldError, findError } from '../layout/field-errors.ts';
import { Form } from '../layout/form.tsx';
import { type HiddenField, HiddenFieldList, readHiddenFields } from '../layout/hidden-fields.tsx';
import type { PageView } from '../layout/page.tsx';
import { sendPage } from '../layout/send-page.tsx';
import { TextField } from '../layout/text-field.tsx';
import { FactorForms, PASSKEY_SCRIPTS } from './factor-forms.tsx';
import { getRelyingParty, PASSKEY_FIELD } from './verify-factor.ts';

/** A confirmation of identity permits sensitive actions for this long. */
const FRESH_MS = 10 * 60_000;

export const CONFIRM = `${SECURITY_PAGE}/confirm`;

/** Address for confirming at the identity provider. */
export const CONFIRM_AT_PROVIDER = '/sign-in/sso/again';

export const PASSWORD_FIELD = 'password';

type Asking = Pick<App, 'secondFactors' | 'baseUrl'>;

/** Hidden field with the address of the form that awaits confirmation; its fields are included. */
export const RESUBMITTED_FIELD = 'again';

const FACTOR_FIELDS = ['code', PASSKEY_FIELD, PASSWORD_FIELD];

/** @param next page to open afterwards; `null` for the security page */
export const loadConfirm = async (
  app: Asking,
  req: Request,
  res: Response,
  next: string | null,
  errors: readonly FieldError[] = [],
): Promise<PageView> => {
  const hiddenFields = [
    ...(next === null ? [] : [{ name: 'next', value: next }]),
    ...rebuildForm(req),
  ];
  const isResent = hiddenFields.some(({ name }) => name === RESUBMITTED_FIELD);
  const { id } = toPerson(getAccount(res));
  const factors = await app.secondFactors.find(id);
  const view = { title: 'Confirm it is you', hasErrors: errors.length > 0 };
  if (factors.kinds.length > 0)
    return {
      ...view,
      scripts: PASSKEY_SCRIPTS,
      children: (
        <>
          <Reason by="factor" isResent={isResent} />
          <FactorForms
            factors={factors}
            relyingParty={getRelyingParty(app, req)}
            action={CONFIRM}
            submit="Confirm"
            hiddenFields={hiddenFields}
            errors={errors}
            page={CONFIRM}
          />
        </>
      ),
    };
  if (req.session.provider === undefined)
    return {
      ...view,
      children: (
        <>
          <ErrorSummary errors={errors} />
          <Reason by="password" isResent={isResent} />
          <Form action={CONFIRM} class="sign-in">
            <HiddenFieldList fields={hiddenFields} />
            <TextField
              name={PASSWORD_FIELD}
              label="Password"
              type="password"
              autocomplete="current-password"
              error={findError(errors, PASSWORD_FIELD)}
            />
            <button type="submit" class="usa-button">
              Confirm
            </button>
          </Form>
        </>
      ),
    };
  return {
    ...view,
    children: (
      <>
        <p data-message="sign-in-again">
          Nothing has changed yet. Sign in again with single sign-on, then repeat what you were
          doing.
        </p>
        <p>
          <a
            class="usa-button"
            href={`${CONFIRM_AT_PROVIDER}?next=${encodeURIComponent(next ?? SECURITY_PAGE)}`}
          >
            Sign in again
          </a>
        </p>
      </>
    ),
  };
};

const Reason = ({
  by,
  isResent,
}: {
  readonly by: 'factor' | 'password';
  /** True if the pending form is resent automatically. */
  readonly isResent: boolean;
}) => (
  <p data-message={isResent ? `${by}-again` : `${by}-then-repeat`}>
    Nothing has changed yet.{' '}
    {by === 'factor' ? 'Use your second factor again' : 'Enter your password again'}
    {isResent ? ' to continue.' : ', then repeat what you were doing.'}
  </p>
);

/** Secrets of other forms. */
const SECRETS = ['old', 'new', 'repeated', 'clientSecret'];

/** True if a form with this field must be sent again by hand: a secret must not be in a page. */
const isSentByHand = ({ name, value }: HiddenField): boolean =>
  FACTOR_FIELDS.includes(name) || (SECRETS.includes(name) && value !== '');

const rebuildForm = (req: Request): readonly HiddenField[] => {
  const fields = readHiddenFields(req);
  if (isSafeMethod(req)) return [];
  if (req.path === CONFIRM)
    return fields.filter(({ name }) => ![...FACTOR_FIELDS, 'next'].includes(name));
  return fields.some(isSentByHand)
    ? []
    : [{ name: RESUBMITTED_FIELD, value: req.originalUrl }, ...fields];
};

/**
 * Requires a confirmation within the last ten minutes: by second factor or, for an account without
 * one, by password or by a sign-in at a provider that says when it was. Otherwise asks for it and does nothing else; the browser then posts
 * the form again, unchanged.
 * @param pageAfter page to open afterwards; by default the one with the form
 */
export const requireStepUp =
  (
    app: Asking & Pick<App, 'now'>,
    pageAfter: (req: Request) => string | null = getPageBefore,
  ): RequestHandler =>
  async (req, res, next) => {
    const who = getSignedIn(res);
    const { factorAt = 0, startedAt = 0, provider } = req.session;
    // A provider may let a person in who signed in there long ago: only the time that it states counts.
    const { confirmedAt = provider === undefined ? startedAt : 0 } = req.session;
    const isFresh = async (accountId: string): Promise<boolean> => {
      const lately = app.now().getTime() - FRESH_MS;
      if (lately < factorAt) return true;
      if (lately >= confirmedAt) return false;
      return (await app.secondFactors.find(accountId)).kinds.length === 0;
    };
    if (who === null || (await isFresh(toPerson(who).id))) next();
    else sendPage(req, res, await loadConfirm(app, req, res, pageAfter(req)));
  };

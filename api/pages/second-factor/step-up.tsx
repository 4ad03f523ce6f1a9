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
import { sendPage } from '../layout/send-page.tsx';
import { TextField } from '../layout/text-field.tsx';
import { FactorForms } from './factor-forms.tsx';
import { PASSKEY_SCRIPTS } from './passkey-form.tsx';
import { getRequestAddress, PASSKEY_FIELD } from './show-factor.ts';

/** A confirmation of identity permits sensitive actions for this long. */
const FRESH_MS = 10 * 60_000;

export const USE_FACTOR_AGAIN = 'Nothing has changed yet. Use your second factor again';

export const TYPE_PASSWORD_AGAIN = 'Nothing has changed yet. Enter your password again';

export const SIGN_IN_AGAIN =
  'Nothing has changed yet. Sign in again with single sign-on, then repeat what you were doing.';

export const CONFIRM_TITLE = 'Confirm it is you';

export const CONFIRM = `${SECURITY_PAGE}/confirm`;

/** Address for confirming at the identity provider. */
export const CONFIRM_AT_PROVIDER = '/sign-in/sso/again';

export const NOT_YOUR_PASSWORD = 'This is not your password. Try again.';

export const PASSWORD_FIELD = 'password';

type Asking = Pick<App, 'secondFactors' | 'baseUrl'>;

/** Hidden field with the address of the form that awaits confirmation; its fields are included. */
export const RESUBMITTED_FIELD = 'again';

const FACTOR_FIELDS = ['code', PASSKEY_FIELD, PASSWORD_FIELD];

/** @param goesOn true if the pending form is resent automatically */
export const describeConfirm = (goesOn: boolean, ask = USE_FACTOR_AGAIN): string =>
  `${ask}${goesOn ? ' to continue.' : ', then repeat what you were doing.'}`;

/** @param next page to open afterwards; `null` for the security page */
export const sendConfirm = async (
  registry: Asking,
  req: Request,
  res: Response,
  next: string | null,
  errors: readonly FieldError[] = [],
): Promise<void> => {
  const hiddenFields = [
    ...(next === null ? [] : [{ name: 'next', value: next }]),
    ...rebuildForm(req),
  ];
  const goesOn = hiddenFields.some(({ name }) => name === RESUBMITTED_FIELD);
  const { id } = toPerson(getAccount(res));
  const factors = await registry.secondFactors.find(id);
  const page = { title: CONFIRM_TITLE, hasErrors: errors.length > 0 };
  if (factors.kinds.length > 0)
    sendPage(req, res, {
      ...page,
      scripts: PASSKEY_SCRIPTS,
      children: (
        <>
          <p>{describeConfirm(goesOn)}</p>
          <FactorForms
            factors={factors}
            address={getRequestAddress(registry, req)}
            action={CONFIRM}
            submit="Confirm"
            hiddenFields={hiddenFields}
            errors={errors}
            page={CONFIRM}
          />
        </>
      ),
    });
  else if (req.session.provider === undefined)
    sendPage(req, res, {
      ...page,
      children: (
        <>
          <ErrorSummary errors={errors} />
          <p>{describeConfirm(goesOn, TYPE_PASSWORD_AGAIN)}</p>
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
    });
  else
    sendPage(req, res, {
      ...page,
      children: (
        <>
          <p>{SIGN_IN_AGAIN}</p>
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
    });
};

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
    registry: Asking & Pick<App, 'now'>,
    pageAfter: (req: Request) => string | null = getPageBefore,
  ): RequestHandler =>
  async (req, res, next) => {
    const who = getSignedIn(res);
    const { factorAt = 0, startedAt = 0, provider } = req.session;
    // A provider may let a person in who signed in there long ago: only the time that it states counts.
    const { confirmedAt = provider === undefined ? startedAt : 0 } = req.session;
    const isFresh = async (accountId: string): Promise<boolean> => {
      const lately = registry.now().getTime() - FRESH_MS;
      if (lately < factorAt) return true;
      if (lately >= confirmedAt) return false;
      return (await registry.secondFactors.find(accountId)).kinds.length === 0;
    };
    if (who === null || (await isFresh(toPerson(who).id))) next();
    else await sendConfirm(registry, req, res, pageAfter(req));
  };

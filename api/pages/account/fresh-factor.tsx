import type { Request, RequestHandler, Response } from 'express';
import { toPerson } from '../../access/person.ts';
import type { App } from '../../ports/app-ports.ts';
import { holdsSecret } from '../../web/csrf.ts';
import { pageBefore } from '../../web/next-page.ts';
import { isReading } from '../../web/same-origin.ts';
import { accountOf } from '../../web/seats.ts';
import { SECURITY_PAGE } from '../../web/second-factor-first.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { ErrorSummary } from '../frame/error-summary.tsx';
import { errorOf, type FieldError } from '../frame/field-errors.ts';
import { Form } from '../frame/form.tsx';
import { type KeptField, KeptFields, keptFieldsOf } from '../frame/kept-fields.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { TextField } from '../frame/text-field.tsx';
import { FactorForms } from '../sign-in/factor-forms.tsx';
import { PASSKEY_SCRIPTS } from '../sign-in/passkey-form.tsx';
import { addressOfRequest, PASSKEY_FIELD } from '../sign-in/show-factor.ts';

/** So long after somebody showed who they are it counts for what is dangerous. */
const FRESH_MS = 10 * 60_000;

/** Begins what is said to someone who has to show their second factor. */
export const USE_FACTOR_AGAIN = 'Nothing has changed yet. Use your second factor again';

/** The same for an account that has no second factor. */
export const TYPE_PASSWORD_AGAIN = 'Nothing has changed yet. Enter your password again';

/** The same for somebody who has signed in at an identity provider. */
export const SIGN_IN_AGAIN =
  'Nothing has changed yet. Sign in again with your single sign-on, then repeat what you were doing.';

/** Heading of the page that asks for it. */
export const CONFIRM_TITLE = 'Confirm it is you';

/** Where a second factor or a password is shown once more. */
export const CONFIRM = `${SECURITY_PAGE}/confirm`;

/** Where somebody who came from an identity provider signs in there once more. */
export const CONFIRM_AT_PROVIDER = '/sign-in/sso/again';

/** The password that somebody confirmed with is not theirs. */
export const NOT_YOUR_PASSWORD = 'This is not your password. Type it again.';

/** Name of the field with the password. */
export const PASSWORD_FIELD = 'password';

type Asking = Pick<App, 'secondFactors' | 'baseUrl'>;

/** Names the form that was sent before the second factor was fresh; its fields come with it. */
export const AGAIN_FIELD = 'again';

/** What the confirmation itself asks for: a form with such a field of its own has to be sent by hand again. */
const FACTOR_FIELDS = ['code', PASSKEY_FIELD, PASSWORD_FIELD];

/** Asks to show it once more. @param goesOn the form that was sent goes on by itself afterwards */
export const describeConfirm = (goesOn: boolean, ask = USE_FACTOR_AGAIN): string =>
  `${ask}${goesOn ? ' to continue.' : ', then repeat what you were doing.'}`;

/**
 * Asks for the second factor; where the account has none, for the password, or to sign in at the provider again.
 * @param next the page to go to afterwards; null: that of one's security
 */
export const sendConfirm = async (
  registry: Asking,
  req: Request,
  res: Response,
  next: string | null,
  errors: readonly FieldError[] = [],
): Promise<void> => {
  const kept = [...(next === null ? [] : [{ name: 'next', value: next }]), ...sentAgain(req)];
  const goesOn = kept.some(({ name }) => name === AGAIN_FIELD);
  const { id } = toPerson(accountOf(res));
  const factors = await registry.secondFactors.find(id);
  const page = { title: CONFIRM_TITLE, isRefused: errors.length > 0 };
  if (factors.kinds.length > 0)
    sendPage(req, res, {
      ...page,
      scripts: PASSKEY_SCRIPTS,
      children: (
        <>
          <p>{describeConfirm(goesOn)}</p>
          <FactorForms
            factors={factors}
            address={addressOfRequest(registry, req)}
            action={CONFIRM}
            submit="Confirm"
            kept={kept}
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
            <KeptFields fields={kept} />
            <TextField
              name={PASSWORD_FIELD}
              label="Password"
              type="password"
              autocomplete="current-password"
              error={errorOf(errors, PASSWORD_FIELD)}
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

/** The form that is sent again once the second factor was shown, with all that was typed. */
const sentAgain = (req: Request): readonly KeptField[] => {
  const fields = keptFieldsOf(req);
  if (isReading(req)) return [];
  if (req.path === CONFIRM)
    return fields.filter(({ name }) => ![...FACTOR_FIELDS, 'next'].includes(name));
  return holdsSecret(req) || fields.some(({ name }) => FACTOR_FIELDS.includes(name))
    ? []
    : [{ name: AGAIN_FIELD, value: req.originalUrl }, ...fields];
};

/**
 * Lets a form through whose sender has shown their second factor within ten minutes, or, without one, has
 * signed in or typed their password; others are asked for it first, and nothing is done. Then the form is
 * sent again as it was.
 * @param pageAfter the page to go to afterwards: the one that the form is on, unless another is named
 */
export const freshFactor =
  (
    registry: Asking & Pick<App, 'now'>,
    pageAfter: (req: Request) => string | null = pageBefore,
  ): RequestHandler =>
  async (req, res, next) => {
    const who = signedInOf(res);
    const { factorAt = 0, startedAt = 0, confirmedAt = startedAt } = req.session;
    const isFresh = async (accountId: string): Promise<boolean> => {
      const lately = registry.now().getTime() - FRESH_MS;
      if (lately < factorAt) return true;
      if (lately >= confirmedAt) return false;
      return (await registry.secondFactors.find(accountId)).kinds.length === 0;
    };
    if (who === null || (await isFresh(toPerson(who).id))) next();
    else await sendConfirm(registry, req, res, pageAfter(req));
  };

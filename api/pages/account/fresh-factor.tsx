import type { Request, RequestHandler, Response } from 'express';
import { personOf } from '../../access/person.ts';
import type { Registry } from '../../registry/registry.ts';
import { holdsSecret } from '../../web/csrf.ts';
import { pageBefore } from '../../web/next-page.ts';
import { isReading } from '../../web/same-origin.ts';
import { accountOf } from '../../web/seats.ts';
import { SECURITY_PAGE } from '../../web/second-factor-first.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import type { FieldError } from '../frame/field-errors.ts';
import { type KeptField, keptFieldsOf } from '../frame/kept-fields.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { FactorForms } from '../sign-in/factor-forms.tsx';
import { PASSKEY_SCRIPTS } from '../sign-in/passkey-form.tsx';
import { addressOfRequest, PASSKEY_FIELD } from '../sign-in/show-factor.ts';

/** So long after a second factor was shown it counts for what is dangerous. */
const FRESH_MS = 10 * 60_000;

/** Begins what is said to someone who has to show their second factor. */
export const USE_FACTOR_AGAIN = 'Nothing has changed yet. Use your second factor again';

/** Heading of the page that asks for a second factor. */
export const CONFIRM_TITLE = 'Confirm it is you';

/** Where a second factor is shown once more. */
export const CONFIRM = `${SECURITY_PAGE}/confirm`;

type Asking = Pick<Registry, 'secondFactors' | 'baseUrl'>;

/** Names the form that was sent before the second factor was fresh; its fields come with it. */
export const AGAIN_FIELD = 'again';

/** What the confirmation itself asks for: a form with such a field of its own has to be sent by hand again. */
const FACTOR_FIELDS = ['code', PASSKEY_FIELD];

/** Asks to show the second factor once more. @param goesOn the form that was sent goes on by itself afterwards */
export const describeConfirm = (goesOn: boolean): string =>
  `${USE_FACTOR_AGAIN}${goesOn ? ' to continue.' : ', then repeat what you were doing.'}`;

/** Asks for the second factor. @param next the page to go to afterwards; null: that of one's security */
export const sendConfirm = async (
  registry: Asking,
  req: Request,
  res: Response,
  next: string | null,
  errors: readonly FieldError[] = [],
): Promise<void> => {
  const kept = [...(next === null ? [] : [{ name: 'next', value: next }]), ...sentAgain(req)];
  const goesOn = kept.some(({ name }) => name === AGAIN_FIELD);
  const { id } = personOf(accountOf(res));
  sendPage(req, res, {
    title: CONFIRM_TITLE,
    isRefused: errors.length > 0,
    scripts: PASSKEY_SCRIPTS,
    children: (
      <>
        <p>{describeConfirm(goesOn)}</p>
        <FactorForms
          factors={await registry.secondFactors.find(id)}
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
 * Lets a form through whose sender has shown their second factor within ten minutes, or has none; others
 * are asked for it first, and nothing is done. Then the form is sent again as it was.
 * @param pageAfter the page to go to afterwards: the one that the form is on, unless another is named
 */
export const freshFactor =
  (
    registry: Asking & Pick<Registry, 'now'>,
    pageAfter: (req: Request) => string | null = pageBefore,
  ): RequestHandler =>
  async (req, res, next) => {
    const who = signedInOf(res);
    const { factorAt = 0 } = req.session;
    const isFresh =
      who === null ||
      registry.now().getTime() < factorAt + FRESH_MS ||
      (await registry.secondFactors.find(personOf(who).id)).kinds.length === 0;
    if (isFresh) next();
    else await sendConfirm(registry, req, res, pageAfter(req));
  };

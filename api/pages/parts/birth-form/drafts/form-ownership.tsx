import type { Request, RequestHandler } from 'express';
import { displayNameWithEmail } from '../../../../../projections/lists/people-names.ts';
import type { SignedIn } from '../../../../access/signed-in.ts';
import { listFormNames, readFormText, readFormTexts } from '../../../../web/form-body.ts';
import { FORM_OF_ANOTHER_USER } from '../../../../web/page-problem.ts';
import { CSRF_FIELD, checkFormToken } from '../../../../web/session/csrf.ts';
import { getSignedIn } from '../../../../web/session/signed-in-session.ts';
import { Notice } from '../../../layout/flash-messages.tsx';
import { Form } from '../../../layout/form.tsx';
import { HiddenFields } from '../../../layout/hidden-fields.tsx';
import { getHomePath } from '../../../layout/navigation.ts';
import { sendPage } from '../../../layout/send-page.tsx';
import type { ConfirmationProps } from '../confirm/confirmation-form.tsx';

/** Form that another person opened, or that was posted signed out. */
interface PreservedFormProps extends ConfirmationProps {
  /** Token of the person who opened it: only they can continue. */
  readonly token: string;
}

const SignedOutForm = (form: PreservedFormProps) => (
  <>
    <p data-message="nothing-typed-is-lost">
      Nothing is saved yet, but nothing you typed is lost.{' '}
      <a href="/sign-in?next=/registry" target="_blank" rel="noopener">
        Sign in in a new tab
      </a>
      , then come back to this tab and continue.
    </p>
    <SubmitAgain {...form} />
  </>
);

/** A person posted another person's form, opened in the same browser. */
const OthersForm = ({ who, ...form }: PreservedFormProps & { readonly who: SignedIn }) => (
  <>
    <p data-message="others-form">
      Nothing was saved, and nothing was lost. You are signed in as {displayNameWithEmail(who)}, but
      someone else opened this form. Only they can continue and save it.
    </p>
    <p>
      If it’s yours, open{' '}
      <a href={getHomePath(who)} target="_blank" rel="noopener">
        a new tab
      </a>
      , sign out there, and sign in as yourself. Then come back to this tab and continue. If it’s
      not yours, <a href={getHomePath(who)}>leave this form</a>.
    </p>
    <SubmitAgain {...form} />
  </>
);

const SubmitAgain = ({ action, carried, token }: PreservedFormProps) => (
  <Form action={action} token={token} class="birth-form">
    <HiddenFields values={carried} />
    <div class="buttons">
      <button type="submit" name="back" value="yes" class="usa-button">
        Return to the form
      </button>
    </div>
  </Form>
);

/** Must precede the guard, which would judge the current seat and discard the input. */
export const holdForOwner: RequestHandler = (req, res, next) => {
  const who = getSignedIn(res);
  if (who === null || checkFormToken(req, res) !== 'another') {
    next();
    return;
  }
  const children = <OthersForm {...preserveForm(req)} who={who} />;
  sendPage(req, res, { title: FORM_OF_ANOTHER_USER, status: 409, children });
};

const BUTTONS: ReadonlySet<string> = new Set([
  CSRF_FIELD,
  'save',
  'add',
  'remove',
  'discard',
  'back',
]);

/** Stores nothing, because the sender is unknown. */
const preserveInput: RequestHandler = (req, res, next) => {
  if (getSignedIn(res) !== null) {
    next();
    return;
  }
  const children = <SignedOutForm {...preserveForm(req)} />;
  sendPage(req, res, { title: 'You are signed out', status: 401, children });
};

/** Guards of a posted birth form, in the order in which none of them discards the input. */
export const guardBirthForm = (role: RequestHandler): readonly RequestHandler[] => [
  preserveInput,
  holdForOwner,
  role,
];

const preserveForm = (req: Request): PreservedFormProps => ({
  action: req.path,
  carried: readTypedValues(req),
  token: readFormText(req, CSRF_FIELD),
});

export const readTypedValues = (req: Request): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listFormNames(req)
      .filter((name) => !BUTTONS.has(name))
      .map((name) => [name, readFormTexts(req, name).join('; ')] as const),
  );

export const ReviewAndResubmit = () => (
  <Notice kind="warning" id="opened-earlier">
    You opened this form too long ago, or before you signed in or out. Nothing is saved yet, but
    everything you typed is here. Review it, then save it.
  </Notice>
);

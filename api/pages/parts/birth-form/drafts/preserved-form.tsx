import { displayNameWithEmail } from '../../../../../projections/lists/people-names.ts';
import type { SignedIn } from '../../../../access/signed-in.ts';
import { Form } from '../../../layout/form.tsx';
import { HiddenFields } from '../../../layout/hidden-fields.tsx';
import { getHomePath } from '../../../layout/navigation.ts';
import type { ConfirmationProps } from '../confirm/confirmation-form.tsx';

/** Form that another person opened, or that was posted signed out. */
export interface PreservedFormProps extends ConfirmationProps {
  /** Token of the person who opened it: only they can continue. */
  readonly token: string;
}

/** Shown if the session ended before the form was posted. */
export const SignedOutForm = (form: PreservedFormProps) => (
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
export const OthersForm = ({ who, ...form }: PreservedFormProps & { readonly who: SignedIn }) => (
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

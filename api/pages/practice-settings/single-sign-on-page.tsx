import { ErrorSummary } from '../frame/error-summary.tsx';
import { errorOf, type FieldError } from '../frame/field-errors.ts';
import { Form } from '../frame/form.tsx';
import { TextField } from '../frame/text-field.tsx';
import { Ask } from '../people/ask.tsx';

/** An identity provider as an Admin types it, without the secret. */
export interface TypedProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly domains: string;
}

/** What the page shows. */
export interface SingleSignOnPageProps {
  readonly action: string;
  /** Where it is turned off; null: it is. */
  readonly turnOff: string | null;
  /** Public addresses of the registry. */
  readonly addresses: {
    readonly signIn: string;
    readonly redirect: string;
    readonly logout: string;
  };
  readonly typed: TypedProvider;
  readonly errors: readonly FieldError[];
}

/** The single sign-on of a practice. */
export const SingleSignOnPage = ({
  action,
  turnOff,
  addresses,
  typed,
  errors,
}: SingleSignOnPageProps) => (
  <>
    <ErrorSummary errors={errors} />
    {turnOff === null ? (
      <p id="sso-state">
        Single sign-on is off: members sign in with their password. With it they sign in at the
        identity provider of your practice (OpenID Connect). You still decide who has a seat.
      </p>
    ) : (
      <>
        <p id="sso-state">
          Single sign-on is on. Give your members this address to sign in; their browser offers it
          from then on:
        </p>
        <p>
          <a href={addresses.signIn}>{addresses.signIn}</a>
        </p>
      </>
    )}
    <h2>At your identity provider</h2>
    <p>Register the registry as a web application with a client secret, and these addresses:</p>
    <dl class="org-facts">
      <dt>Redirect</dt>
      <dd>{addresses.redirect}</dd>
      <dt>Back-channel logout</dt>
      <dd>{addresses.logout}</dd>
    </dl>
    <h2>In the registry</h2>
    <Form action={action}>
      <TextField
        name="issuer"
        label="Issuer"
        hint="The https address by which your identity provider names itself"
        value={typed.issuer}
        width="full"
        error={errorOf(errors, 'issuer')}
      />
      <TextField
        name="clientId"
        label="Client id"
        value={typed.clientId}
        error={errorOf(errors, 'clientId')}
      />
      <TextField
        name="clientSecret"
        label="Client secret"
        type="password"
        hint={
          turnOff === null
            ? 'It is kept sealed and never shown again.'
            : 'It is never shown again. Leave it empty to keep the one there is.'
        }
        error={errorOf(errors, 'clientSecret')}
      />
      <TextField
        name="domains"
        label="Email domains"
        hint="Only emails of these domains sign in there, such as hospital.example. Put commas between several."
        value={typed.domains}
        width="full"
        error={errorOf(errors, 'domains')}
      />
      <div class="buttons">
        <button type="submit" class="usa-button">
          {turnOff === null ? 'Set up single sign-on' : 'Change single sign-on'}
        </button>
      </div>
    </Form>
    {turnOff !== null && (
      <div class="margin-top-3">
        <Ask action={turnOff} about="sso-state">
          Turn single sign-on off
        </Ask>
      </div>
    )}
  </>
);

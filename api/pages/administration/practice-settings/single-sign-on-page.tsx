import { Facts } from '../../layout/facts.tsx';
import { Form } from '../../layout/form.tsx';
import { LinkButton } from '../../layout/link-button.tsx';
import { TextField } from '../../layout/text-field.tsx';

export const SINGLE_SIGN_ON_IS_ON = 'Single sign-on is on.';

export interface TypedProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly domains: string;
}

export interface SingleSignOnPageProps {
  readonly action: string;
  /** Address that turns it off; `null` if it is off. */
  readonly turnOff: string | null;
  readonly addresses: {
    readonly signIn: string;
    readonly redirect: string;
    readonly logout: string;
  };
  readonly values: TypedProvider;
}

export const SingleSignOnPage = ({ action, turnOff, addresses, values }: SingleSignOnPageProps) => (
  <>
    {turnOff === null ? (
      <p id="sso-state">
        Single sign-on is off: members sign in with their password. When it is on, they can sign in
        at your practice’s identity provider (OpenID Connect). You still decide who is a member.
      </p>
    ) : (
      <>
        <p id="sso-state">
          {SINGLE_SIGN_ON_IS_ON} Give your members this address for their first sign-in. After that,
          the sign-in page in their browser offers it:
        </p>
        <p>
          <a href={addresses.signIn}>{addresses.signIn}</a>
        </p>
      </>
    )}
    <h2>At your identity provider</h2>
    <p>Register this service as a web application with a client secret and these addresses:</p>
    <Facts
      of={[
        ['Redirect URI', addresses.redirect],
        ['Back-channel logout URI', addresses.logout],
      ]}
    />
    <h2>In the registry</h2>
    <Form action={action} values={values}>
      <TextField
        name="issuer"
        label="Issuer"
        hint="The https address that your identity provider publishes as its issuer"
        width="full"
      />
      <TextField name="clientId" label="Client ID" />
      <TextField
        name="clientSecret"
        label="Client secret"
        type="password"
        hint={
          turnOff === null
            ? 'It is stored encrypted and never shown again.'
            : 'It is never shown again. Leave it empty to keep the current one.'
        }
      />
      <TextField
        name="domains"
        label="Email domains"
        hint="Only people with an email in one of these domains can sign in this way, such as hospital.example. Separate several with commas."
        width="full"
      />
      <div class="buttons">
        <button type="submit" class="usa-button">
          {turnOff === null ? 'Set up single sign-on' : 'Change single sign-on'}
        </button>
      </div>
    </Form>
    {turnOff !== null && (
      <div class="margin-top-3">
        <LinkButton action={turnOff} about="sso-state">
          Turn single sign-on off
        </LinkButton>
      </div>
    )}
  </>
);

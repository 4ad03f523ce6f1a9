import type { Request, Response, Router } from 'express';
import {
  describeAllTenants,
  findTenantAddress,
  MAX_ISSUER_LENGTH,
  parseDomains,
} from '../../../../domain/account/single-sign-on/decide.ts';
import type { PracticeEvent } from '../../../../domain/practice/events.ts';
import { parseLine } from '../../../../domain/text-input.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireAdmin } from '../../../web/guards/seats.ts';
import { buildSingleSignOnPage, type SignInProviders } from '../../../web/sign-in-providers.ts';
import type { FieldError } from '../../layout/field-errors.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import { createRouter, form, question, redirect } from '../../layout/routes.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import { SingleSignOnPage, type TypedProvider } from './single-sign-on-page.tsx';

export const PRACTICE_SINGLE_SIGN_ON = '/registry/practice/single-sign-on';
const PAGE = PRACTICE_SINGLE_SIGN_ON;
const OFF = `${PAGE}/off`;

const MAX_CLIENT_ID_LENGTH = 255;
const MAX_SECRET_LENGTH = 1_000;

/** Single sign-on of a practice. It controls who can sign in, so it requires the second factor. */
export const practiceSingleSignOnRouter = (
  app: App,
  { ask }: Pick<SignInProviders, 'ask'>,
): Router => {
  const { singleSignOn, baseUrl } = app;
  // Required before the form as well as for its submission, so typed values are rarely lost.
  const stepUp = requireStepUp(app, () => PAGE);
  const getPractices = (res: Response) => createPageCommands(app, res).practices;
  const load = async (
    _req: Request,
    res: Response,
  ): Promise<PracticeEvent<'SingleSignOnSet'>['data'] | null> => {
    const practice = await getPractices(res).find(getSeat(res).practiceId);
    return practice.status === 'known' ? practice.singleSignOn : null;
  };

  return createRouter(
    form(PAGE, [requireAdmin, stepUp], {
      load,
      title: 'Single sign-on',
      open: (current): TypedProvider => ({
        issuer: current?.issuer ?? '',
        clientId: current?.clientId ?? '',
        domains: current?.allowedDomains.join(', ') ?? '',
      }),
      read: (req) => ({
        issuer: readFormText(req, 'issuer').trim(),
        clientId: readFormText(req, 'clientId').trim(),
        domains: readFormText(req, 'domains'),
      }),
      replaces: {
        issuer: { label: 'Issuer' },
        clientId: { label: 'Client ID' },
        domains: {
          label: 'Email domains',
          compare: ({ domains }) => parseDomains(domains) ?? domains,
        },
      },
      askAgain: (req) => (readFormText(req, 'clientSecret') === '' ? [] : [SECRET_AGAIN]),
      view: (values, current, res) => {
        const at = `${baseUrl}${buildSingleSignOnPage(getSeat(res).practiceId)}`;
        return (
          <SingleSignOnPage
            action={PAGE}
            turnOff={current === null ? null : OFF}
            addresses={{ signIn: at, redirect: `${at}/callback`, logout: `${at}/logout` }}
            values={values}
          />
        );
      },
      save: async (typed, _current, req, res) => {
        const { practiceId } = getSeat(res);
        const { issuer, clientId } = typed;
        const clientSecret = readFormText(req, 'clientSecret').trim();
        const stored = await singleSignOn.secretOf(practiceId);
        const isForSame = stored?.issuer === issuer && stored.clientId === clientId;
        const allowedDomains = parseDomains(typed.domains);
        const errors = checkProvider(typed, clientSecret, isForSame);
        if (errors.length > 0 || allowedDomains === null) return errors;
        const checked = await ask.check(issuer);
        if (checked.kind === 'all-tenants') return [refuseAllTenants(checked.address)];
        if (checked.kind === 'unfit') return [NOT_FIT];
        const isSecretNew = clientSecret !== '';
        // The setting first: without one, no page offers to remove the secret.
        await getPractices(res).setSingleSignOn(
          { practiceId, issuer, clientId, allowedDomains },
          isSecretNew,
        );
        if (isSecretNew)
          await singleSignOn.keepSecret(practiceId, { issuer, clientId, clientSecret });
        return redirect(PAGE, 'Single sign-on is set up. Try it in another browser.');
      },
    }),
    question(OFF, requireAdmin, {
      stepUp,
      load: async (req, res) => (await load(req, res)) ?? redirect(PAGE),
      back: () => PAGE,
      replaces: ({ issuer }) => ({ saved: { issuer }, target: {} }),
      ask: ({ issuer }) => ({
        title: 'Turn single sign-on off?',
        submit: 'Turn single sign-on off',
        destructive: true,
        children: (
          <p>
            Members can no longer sign in at {new URL(issuer).host}, and the registry deletes the
            client secret. People who are signed in stay signed in until they sign out. Members who
            have no password here need a new one from you.
          </p>
        ),
      }),
      run: async (_current, _req, res) => {
        const { practiceId } = getSeat(res);
        await singleSignOn.dropSecret(practiceId);
        await getPractices(res).turnSingleSignOnOff(practiceId);
        return redirect(PAGE, 'Single sign-on is off.');
      },
    }),
  );
};

const SECRET_AGAIN: FieldError = {
  field: 'clientSecret',
  id: 'secret-again',
  message: 'Enter the client secret again: this page does not repeat it.',
};

const NOT_FIT: FieldError = {
  field: 'issuer',
  id: 'provider-not-usable',
  message:
    'There is no identity provider at this address that the registry can use. It needs to be a public https address whose /.well-known/openid-configuration names the same issuer.',
};

const refuseAllTenants = (address: string): FieldError => ({
  field: 'issuer',
  id: 'issuer-for-all-tenants',
  message: describeAllTenants(address),
});

/** Refuses an issuer that is known to be for all tenants, before anything is asked. */
const checkTenant = (issuer: string): readonly FieldError[] => {
  const address = findTenantAddress(issuer);
  return address === null ? [] : [refuseAllTenants(address)];
};

const checkProvider = (
  { issuer, clientId, domains }: TypedProvider,
  clientSecret: string,
  hasStoredSecret: boolean,
): readonly FieldError[] => [
  ...(issuer.length <= MAX_ISSUER_LENGTH &&
  /^https?:\/\/[^\s?#@\\]+$/.test(issuer) &&
  URL.canParse(issuer)
    ? checkTenant(issuer)
    : [
        {
          field: 'issuer',
          id: 'no-issuer',
          message:
            'Enter the issuer of your identity provider: an https address such as https://login.hospital.example, without a user name, query or fragment.',
        },
      ]),
  ...(parseLine(clientId, MAX_CLIENT_ID_LENGTH).kind === 'line'
    ? []
    : [
        {
          field: 'clientId',
          id: 'no-client-id',
          message: 'Enter the client ID that your provider gave you.',
        },
      ]),
  ...(clientSecret.length > MAX_SECRET_LENGTH || (clientSecret === '' && !hasStoredSecret)
    ? [
        {
          field: 'clientSecret',
          id: 'no-client-secret',
          message:
            'Enter the client secret that your provider gave you. It is needed again when the issuer or the client ID changes.',
        },
      ]
    : []),
  ...(parseDomains(domains) === null
    ? [
        {
          field: 'domains',
          id: 'no-domains',
          message:
            'Enter the domains of your members’ emails, such as hospital.example, separated by commas.',
        },
      ]
    : []),
];

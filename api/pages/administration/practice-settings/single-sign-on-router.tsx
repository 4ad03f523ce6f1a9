import { type Request, type Response, Router } from 'express';
import { parseDomains } from '../../../../domain/account/single-sign-on/decide.ts';
import type { SingleSignOnSet } from '../../../../domain/practice/events.ts';
import { parseLine } from '../../../../domain/text-input.ts';
import { toPerson } from '../../../access/person.ts';
import { createCommands } from '../../../commands/command-sets.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getSeat, requireRole } from '../../../web/guards/seats.ts';
import { flash } from '../../../web/session/flash.ts';
import { buildSingleSignOnPage, type SignInProviders } from '../../../web/sign-in-providers.ts';
import { Confirm } from '../../layout/confirm.tsx';
import type { FieldError } from '../../layout/field-errors.ts';
import { sendPage } from '../../layout/send-page.tsx';
import { requireStepUp } from '../../layout/step-up.tsx';
import { SingleSignOnPage, type TypedProvider } from './single-sign-on-page.tsx';

export const PRACTICE_SINGLE_SIGN_ON = '/registry/practice/single-sign-on';
const PAGE = PRACTICE_SINGLE_SIGN_ON;
const OFF = `${PAGE}/off`;

const MAX_ISSUER_LENGTH = 500;
const MAX_CLIENT_ID_LENGTH = 255;
const MAX_SECRET_LENGTH = 1_000;

const admins = requireRole('Admin');

/** Single sign-on of a practice. It controls who can sign in, so it requires the second factor. */
export const practiceSingleSignOnRouter = (
  registry: App,
  { ask }: Pick<SignInProviders, 'ask'>,
): Router => {
  const { singleSignOn, baseUrl } = registry;
  // Required before the form as well as for its submission, so typed values are rarely lost.
  const fresh = requireStepUp(registry, () => PAGE);
  const practicesOf = (res: Response) =>
    createCommands(registry, toPerson(getSeat(res)), String(res.locals['correlationId'])).practices;
  const heldOf = async (res: Response): Promise<SingleSignOnSet['data'] | null> => {
    const practice = await practicesOf(res).find(getSeat(res).practiceId);
    return practice.status === 'known' ? practice.singleSignOn : null;
  };

  const show = async (
    req: Request,
    res: Response,
    typed: TypedProvider | null,
    errors: readonly FieldError[],
  ): Promise<void> => {
    const held = await heldOf(res);
    const at = `${baseUrl}${buildSingleSignOnPage(getSeat(res).practiceId)}`;
    const ofHeld = {
      issuer: held?.issuer ?? '',
      clientId: held?.clientId ?? '',
      domains: held?.allowedDomains.join(', ') ?? '',
    };
    sendPage(req, res, {
      title: 'Single sign-on',
      hasErrors: errors.length > 0,
      children: (
        <SingleSignOnPage
          action={PAGE}
          turnOff={held === null ? null : OFF}
          addresses={{ signIn: at, redirect: `${at}/callback`, logout: `${at}/logout` }}
          typed={typed ?? ofHeld}
          errors={errors}
        />
      ),
    });
  };

  return Router()
    .get(PAGE, admins, fresh, (req, res) => show(req, res, null, []))
    .post(PAGE, admins, fresh, async (req, res) => {
      const { practiceId } = getSeat(res);
      const typed = {
        issuer: readFormText(req, 'issuer').trim(),
        clientId: readFormText(req, 'clientId').trim(),
        domains: readFormText(req, 'domains'),
      };
      const { issuer, clientId } = typed;
      const clientSecret = readFormText(req, 'clientSecret').trim();
      const kept = await singleSignOn.secretOf(practiceId);
      const isForSame = kept?.issuer === issuer && kept.clientId === clientId;
      const allowedDomains = parseDomains(typed.domains);
      const errors = checkProvider(typed, clientSecret, isForSame);
      if (errors.length > 0 || allowedDomains === null) return show(req, res, typed, errors);
      if (!(await ask.isFit(issuer))) return show(req, res, typed, [NOT_FIT]);
      const isSecretNew = clientSecret !== '';
      if (isSecretNew)
        await singleSignOn.keepSecret(practiceId, { issuer, clientId, clientSecret });
      await practicesOf(res).setSingleSignOn(
        { practiceId, issuer, clientId, allowedDomains },
        isSecretNew,
      );
      flash(req, 'success', 'Single sign-on is set up. Try it in another browser.');
      res.redirect(303, PAGE);
    })
    .get(OFF, admins, async (req, res) => {
      const held = await heldOf(res);
      if (held === null) {
        res.redirect(303, PAGE);
        return;
      }
      sendPage(req, res, {
        title: 'Turn single sign-on off?',
        children: (
          <Confirm action={OFF} submit="Turn single sign-on off" cancel={PAGE} destructive>
            <p>
              Members can no longer sign in at {new URL(held.issuer).host}, and the registry deletes
              the client secret. People who are signed in stay signed in until they sign out.
              Members who have no password here need a new one from you.
            </p>
          </Confirm>
        ),
      });
    })
    .post(OFF, admins, fresh, async (req, res) => {
      const { practiceId } = getSeat(res);
      await singleSignOn.dropSecret(practiceId);
      await practicesOf(res).turnSingleSignOnOff(practiceId);
      flash(req, 'success', 'Single sign-on is off.');
      res.redirect(303, PAGE);
    });
};

const NOT_FIT: FieldError = {
  field: 'issuer',
  id: 'provider-not-usable',
  message:
    'There is no identity provider at this address that the registry can use. It needs to be a public https address whose /.well-known/openid-configuration names the same issuer.',
};

const checkProvider = (
  { issuer, clientId, domains }: TypedProvider,
  clientSecret: string,
  isSecretKept: boolean,
): readonly FieldError[] => [
  ...(/^https?:\/\/[^\s?#@\\]+$/.test(issuer) &&
  URL.canParse(issuer) &&
  issuer.length <= MAX_ISSUER_LENGTH
    ? []
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
  ...(clientSecret.length > MAX_SECRET_LENGTH || (clientSecret === '' && !isSecretKept)
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

import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { html, json, redirect, silence } from './answers.ts';
import type { EhrBehavior } from './behavior.ts';

export interface Launch {
  readonly patientId: string;
  readonly encounterId: string | null;
}

export interface Access extends Launch {
  readonly scope: string;
}

interface AuthorizationOptions {
  readonly issuer: () => string;
  readonly clientId: string;
  readonly redirectUris: ReadonlySet<string>;
  readonly behavior: () => EhrBehavior;
}

interface Granted {
  readonly launch: Launch;
  readonly scope: string;
  readonly redirectUri: string;
  readonly challenge: string;
}

const SCOPES: ReadonlySet<string> = new Set([
  'launch',
  'openid',
  'fhirUser',
  'patient/Patient.read',
  'patient/Observation.read',
  'patient/Condition.read',
  'patient/Encounter.read',
]);
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const MIN_STATE_LENGTH = 22;

/** Authorization server of the simulated EHR, as strict as SMART allows. */
export const authorizationServer = async ({
  issuer,
  clientId,
  redirectUris,
  behavior,
}: AuthorizationOptions) => {
  const launches = new Map<string, Launch>();
  const codes = new Map<string, Granted>();
  const tokens = new Map<string, Access>();
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const publicKey = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const createToken = () => randomBytes(24).toString('base64url');

  const signIdToken = (nonce: string | null): Promise<string> => {
    const { idToken: kind, claims } = behavior();
    const issuedAt = Math.floor(Date.now() / 1_000);
    return new SignJWT({
      fhirUser: `${issuer()}/Practitioner/clinician-1`,
      ...(nonce === null ? {} : { nonce }),
      iss: kind === 'foreign-issuer' ? 'https://elsewhere.example' : issuer(),
      aud: kind === 'foreign-audience' ? 'another-client' : clientId,
      sub: 'clinician-1',
      iat: issuedAt,
      exp: issuedAt + 300,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(kind === 'foreign-key' ? foreign.privateKey : own.privateKey);
  };

  return {
    newLaunch(launch: Launch): string {
      const token = createToken();
      launches.set(token, launch);
      return token;
    },

    accessOf: (token: string): Access | null => tokens.get(token) ?? null,
    issuedTokens: (): readonly string[] => [...tokens.keys()],

    authorize(query: URLSearchParams, res: ServerResponse): void {
      const redirectUri = query.get('redirect_uri') ?? '';
      if (query.get('client_id') !== clientId || !redirectUris.has(redirectUri)) {
        html(res, 400, '<h1>Unknown client or redirect URI</h1>');
        return;
      }
      const state = query.get('state') ?? '';
      const redirectBack = (parameters: Readonly<Record<string, string>>): void => {
        const address = new URL(redirectUri);
        for (const [name, value] of Object.entries({ ...parameters, state }))
          address.searchParams.set(name, value);
        redirect(res, address.href);
      };
      const launch = launches.get(query.get('launch') ?? '');
      const scope = query.get('scope') ?? '';
      const isProper =
        query.get('response_type') === 'code' &&
        query.get('code_challenge_method') === 'S256' &&
        CHALLENGE.test(query.get('code_challenge') ?? '') &&
        state.length >= MIN_STATE_LENGTH &&
        query.get('aud')?.replace(/\/+$/, '') === issuer() &&
        [...query.keys()].length === new Set(query.keys()).size;
      if (!isProper || launch === undefined) {
        redirectBack({ error: 'invalid_request' });
        return;
      }
      if (!scope.split(' ').every((one) => SCOPES.has(one))) {
        redirectBack({ error: 'invalid_scope' });
        return;
      }
      const { authorize } = behavior();
      const description = 'Marisol Quintanilla-Brandvold <b>said no</b>';
      if (authorize === 'denied')
        redirectBack({ error: 'access_denied', error_description: description });
      else if (authorize === 'failing')
        redirectBack({ error: 'server_error', error_description: description });
      else if (authorize === 'invalid-scope')
        redirectBack({ error: 'invalid_scope', error_description: description });
      else {
        const code = createToken();
        const challenge = query.get('code_challenge') ?? '';
        codes.set(code, { launch, scope, redirectUri, challenge });
        redirectBack({ code });
      }
    },

    async exchange(form: URLSearchParams, hasSecret: boolean, res: ServerResponse): Promise<void> {
      const current = behavior();
      if (current.token === 'silent') {
        silence(res);
        return;
      }
      if (current.token === 'redirected') {
        redirect(res, `${issuer()}/Patient`);
        return;
      }
      if (current.token === 'no-json') {
        html(res, 200, 'token');
        return;
      }
      const code = form.get('code') ?? '';
      const granted = codes.get(code);
      // Valid once, even if the exchange fails.
      codes.delete(code);
      const verifier = form.get('code_verifier') ?? '';
      const isProper =
        current.token !== 'refused' &&
        granted !== undefined &&
        !hasSecret &&
        form.get('grant_type') === 'authorization_code' &&
        form.get('client_id') === clientId &&
        form.get('redirect_uri') === granted.redirectUri &&
        VERIFIER.test(verifier) &&
        createHash('sha256').update(verifier).digest('base64url') === granted.challenge;
      if (!isProper) {
        const description = 'The code of Marisol Quintanilla-Brandvold is not valid';
        json(res, 400, { error: 'invalid_grant', error_description: description });
        return;
      }
      const token = createToken();
      const scope =
        current.scope === 'asked' || current.scope === null ? granted.scope : current.scope;
      const { patientId, encounterId } = granted.launch;
      tokens.set(token, { scope, patientId, encounterId });
      json(res, 200, {
        access_token: token,
        token_type: 'Bearer',
        expires_in: 300,
        ...(current.scope === null ? {} : { scope }),
        ...(current.token === 'no-patient' ? {} : { patient: patientId }),
        ...(encounterId === null ? {} : { encounter: encounterId }),
        need_patient_banner: current.needsPatientBanner,
        ...(current.idToken === 'none' ? {} : { id_token: await signIdToken(null) }),
        ...current.granted,
      });
    },

    keys: (res: ServerResponse): void => json(res, 200, { keys: [publicKey] }),
  };
};

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

// Loaded when it is first needed: it reads certificates of all makers, and most processes never do.
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** To whom passkeys belong: they are shown at no other address. */
export interface RelyingParty {
  /** A domain. */
  readonly rpId: string;
  readonly origin: string;
}

/** How an authenticator is found. */
interface FoundPasskey {
  readonly credentialId: string;
  readonly transports: readonly string[];
}

/** EdDSA, ES256, RS256. The library's own choice depends on the version of Node; a passkey outlives that. */
const ALGORITHMS = [-8, -7, -257];
const TIMEOUT_MS = 120_000;

const TRANSPORTS: ReadonlySet<unknown> = new Set([
  'ble',
  'cable',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
]);

const described = ({ credentialId, transports }: FoundPasskey) => ({
  id: credentialId,
  transports: [...transports],
});

/** What a browser needs to make a passkey, with a new challenge. @param held those of the account */
export const passkeyCreation = async (
  { rpId }: RelyingParty,
  account: { readonly id: string; readonly email: string },
  held: readonly FoundPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> => {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Birth Registry',
    rpID: rpId,
    userID: Uint8Array.from(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: account.email,
    timeout: TIMEOUT_MS,
    // Who made the authenticator is not asked: the practice's people bring their own.
    attestationType: 'none',
    excludeCredentials: held.map(described),
    // Discouraged would suffice for a second factor, but phones then make one that is on no other device.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
};

/** What a browser needs to show a passkey, with a new challenge. @param held those of the account */
export const passkeyRequest = async (
  { rpId }: RelyingParty,
  held: readonly FoundPasskey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> => {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: rpId,
    allowCredentials: held.map(described),
    timeout: TIMEOUT_MS,
    // The password was shown before: that somebody is there is enough.
    userVerification: 'preferred',
  });
};

/** What a browser sent, and for what it has to be made. */
interface SentPasskey {
  readonly party: RelyingParty;
  /** Base64url. */
  readonly challenge: string;
  /** JSON as the browser's part of the library makes it. */
  readonly sent: string;
}

/** The passkey that a browser has made; null: it is not for that challenge, or not what was asked for. */
export const createdPasskey = async ({ party, challenge, sent }: SentPasskey) => {
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  return unlessRefused(async () => {
    const response = JSON.parse(sent) as RegistrationResponseJSON;
    const attested = decodeAttestationObject(
      isoBase64URL.toBuffer(response.response.attestationObject),
    );
    const isOwn =
      attested.get('fmt') === 'packed' && attested.get('attStmt').get('x5c') === undefined;
    // With a certificate in it the library would ask its maker, at an address that stands in there, for its
    // validity. Browsers send none that was not asked for.
    if (attested.get('fmt') !== 'none' && !isOwn) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    const ways: unknown = response.response.transports;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: Array.isArray(ways) ? ways.filter((way) => TRANSPORTS.has(way)).map(String) : [],
      isSyncedKind: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
    };
  });
};

/** A passkey as far as its signatures need it. */
interface KnownPasskey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly isSyncedKind: boolean;
}

/**
 * The use of a passkey that a browser has shown, with a right signature; null: it is not. The count of uses is left
 * to the statement that notes it.
 */
export const shownPasskey = async (
  { party, challenge, sent }: SentPasskey,
  held: readonly KnownPasskey[],
) => {
  const { verifyAuthenticationResponse } = await library();
  return unlessRefused(async () => {
    const response = JSON.parse(sent) as AuthenticationResponseJSON;
    const passkey = held.find(({ credentialId }) => credentialId === response.id);
    if (passkey === undefined) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      requireUserVerification: false,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        // With the stored count the library would refuse a copy like any wrong answer, and only at
        // the moment of its look.
        counter: 0,
      },
    });
    const { newCounter, credentialBackedUp, credentialDeviceType } = authenticationInfo;
    // What a passkey is does not change.
    const isSame = (credentialDeviceType === 'multiDevice') === passkey.isSyncedKind;
    if (!verified || !isSame) return null;
    return {
      credentialId: passkey.credentialId,
      counter: newCounter,
      isBackedUp: credentialBackedUp,
    };
  });
};

/**
 * The library throws for whatever is wrong with an answer, in words that quote it: nothing of that goes
 * any further.
 */
const unlessRefused = async <T>(check: () => Promise<T | null>): Promise<T | null> => {
  try {
    return await check();
  } catch {
    return null;
  }
};

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

// Loaded when it is first needed: it parses the certificates of all makers, which most processes never need.
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** The relying party that passkeys belong to: browsers use them at no other address. */
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
export const buildPasskeyCreation = async (
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
    // We do not ask who made the authenticator: people bring their own.
    attestationType: 'none',
    excludeCredentials: held.map(described),
    // Discouraged would suffice for a second factor, but phones then make one that is on no other device.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
};

/** What a browser needs to show a passkey, with a new challenge. @param held those of the account */
export const buildPasskeyRequest = async (
  { rpId }: RelyingParty,
  held: readonly FoundPasskey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> => {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: rpId,
    allowCredentials: held.map(described),
    timeout: TIMEOUT_MS,
    // The password came first, so the presence of a person is enough.
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
export const verifyCreatedPasskey = async ({ party, challenge, sent }: SentPasskey) => {
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  return unlessRefused(async () => {
    const response = JSON.parse(sent) as RegistrationResponseJSON;
    const attested = decodeAttestationObject(
      isoBase64URL.toBuffer(response.response.attestationObject),
    );
    const isOwn =
      attested.get('fmt') === 'packed' && attested.get('attStmt').get('x5c') === undefined;
    // For a certificate, the library would ask its maker, at an address in the certificate, whether it is
    // valid. Browsers only send one if asked.
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
 * The use of a passkey with a valid signature; null: it is not valid. The statement that stores the use checks its
 * counter.
 */
export const verifyPasskey = async (
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
        // Given the stored count, the library would refuse a copy like any wrong answer, and only
        // as of the moment it looked.
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
 * The library throws for anything wrong with an answer, and its messages quote the answer: they are not
 * passed on.
 */
const unlessRefused = async <T>(check: () => Promise<T | null>): Promise<T | null> => {
  try {
    return await check();
  } catch {
    return null;
  }
};

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

// Loaded on first use: it parses all manufacturers' certificates, which most processes never need.
const loadLibrary = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** Relying party of the passkeys. Browsers use them only at its address. */
export interface RelyingParty {
  /** A domain. */
  readonly rpId: string;
  readonly origin: string;
}

interface FoundPasskey {
  readonly credentialId: string;
  readonly transports: readonly string[];
}

/** EdDSA, ES256, RS256. The library's default depends on the Node version, which passkeys outlive. */
const ALGORITHMS = [-8, -7, -257];
const TIMEOUT_MS = 120_000;

/** @see https://www.w3.org/TR/webauthn-3/#credential-id */
const MAX_CREDENTIAL_ID_BYTES = 1_023;

const TRANSPORTS: ReadonlySet<unknown> = new Set([
  'ble',
  'cable',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
]);

const toDescriptor = ({ credentialId, transports }: FoundPasskey) => ({
  id: credentialId,
  transports: [...transports],
});

export const buildPasskeyCreation = async (
  { rpId }: RelyingParty,
  account: { readonly id: string; readonly email: string },
  passkeys: readonly FoundPasskey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> => {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: 'Birth Registry',
    rpID: rpId,
    userID: Uint8Array.from(Buffer.from(account.id)),
    userName: account.email,
    userDisplayName: account.email,
    timeout: TIMEOUT_MS,
    // We do not request the manufacturer: people bring their own authenticator.
    attestationType: 'none',
    excludeCredentials: passkeys.map(toDescriptor),
    // Discouraged would suffice for a second factor, but phones would then not sync the passkey.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
};

export const buildPasskeyRequest = async (
  { rpId }: RelyingParty,
  passkeys: readonly FoundPasskey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> => {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: rpId,
    allowCredentials: passkeys.map(toDescriptor),
    timeout: TIMEOUT_MS,
    // The password came first, so user presence is enough.
    userVerification: 'preferred',
  });
};

interface SentPasskey {
  readonly relyingParty: RelyingParty;
  /** Base64url. */
  readonly challenge: string;
  /** JSON from the library's browser part. */
  readonly response: string;
}

/** `null` if it has another challenge or is not the requested kind. */
export const verifyCreatedPasskey = async (sentPasskey: SentPasskey) => {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { decodeAttestationObject, isoBase64URL } = await loadHelpers();
  return unlessRefused(async () => {
    const response = JSON.parse(sentPasskey.response) as RegistrationResponseJSON;
    const attested = decodeAttestationObject(
      isoBase64URL.toBuffer(response.response.attestationObject),
    );
    const isOwn =
      attested.get('fmt') === 'packed' && attested.get('attStmt').get('x5c') === undefined;
    // The library would validate a certificate online. Browsers only send one if requested.
    if (attested.get('fmt') !== 'none' && !isOwn) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      ...buildExpectations(sentPasskey),
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return null;
    const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
    if (isoBase64URL.toBuffer(credential.id).length > MAX_CREDENTIAL_ID_BYTES) return null;
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

const buildExpectations = ({ relyingParty, challenge }: SentPasskey) => ({
  expectedChallenge: challenge,
  expectedOrigin: relyingParty.origin,
  expectedRPID: relyingParty.rpId,
  requireUserVerification: false,
});

interface KnownPasskey {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly isSyncedKind: boolean;
}

/** `null` if the signature is invalid. The statement that stores the use checks the counter. */
export const verifyPasskey = async (
  sentPasskey: SentPasskey,
  passkeys: readonly KnownPasskey[],
) => {
  const { verifyAuthenticationResponse } = await loadLibrary();
  return unlessRefused(async () => {
    const response = JSON.parse(sentPasskey.response) as AuthenticationResponseJSON;
    const passkey = passkeys.find(({ credentialId }) => credentialId === response.id);
    if (passkey === undefined) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      ...buildExpectations(sentPasskey),
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        // With the stored counter, the library would refuse a cloned passkey like any invalid response.
        counter: 0,
      },
    });
    const { newCounter, credentialBackedUp, credentialDeviceType } = authenticationInfo;
    // The kind of a passkey never changes.
    const isSame = (credentialDeviceType === 'multiDevice') === passkey.isSyncedKind;
    if (!verified || !isSame) return null;
    return {
      credentialId: passkey.credentialId,
      counter: newCounter,
      isBackedUp: credentialBackedUp,
    };
  });
};

/** Drops the library's error, because its message quotes the invalid response. */
const unlessRefused = async <T>(check: () => Promise<T | null>): Promise<T | null> => {
  try {
    return await check();
  } catch {
    return null;
  }
};

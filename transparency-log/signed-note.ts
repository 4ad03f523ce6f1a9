import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { decodeStrictBase64, encodeBase64 } from './base64.ts';

/** Text with signatures that are not verified yet. @see C2SP signed-note */
export interface SignedNote {
  /** Ends with a line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

export interface NoteSignature {
  readonly name: string;
  /** Four bytes that distinguish keys with the same name. */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

export interface VerifierKey {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly type: SignatureType;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** Signature types of C2SP: over the text of a note, and over a checkpoint with a timestamp. */
export const SIGNATURE_TYPES = { note: 0x01, cosignature: 0x04 } as const;

/** @see SIGNATURE_TYPES */
export type SignatureType = (typeof SIGNATURE_TYPES)[keyof typeof SIGNATURE_TYPES];

const isSignatureType = (type: number | undefined): type is SignatureType =>
  (Object.values(SIGNATURE_TYPES) as readonly unknown[]).includes(type);

const KEY_ID_LENGTH = 4;
const KEY_LENGTH = 32;

/** First bytes of SHA-256 over name, line feed, type, and key. */
export const computeKeyId = (name: string, type: SignatureType, publicKey: Uint8Array): Buffer =>
  createHash('sha256')
    .update(`${name}\n`)
    .update(Uint8Array.of(type))
    .update(publicKey)
    .digest()
    .subarray(0, KEY_ID_LENGTH);

// Excludes the separators of signature lines and verifier keys.
const NAME = /^[^\s+\p{Cc}]+$/u;

/** @throws for a name that signature lines cannot contain */
export const buildVerifierKey = (
  name: string,
  publicKey: Uint8Array,
  type: SignatureType = SIGNATURE_TYPES.note,
): VerifierKey => {
  if (!NAME.test(name)) throw new Error('The name of a key holds no space and no plus sign.');
  return { name, type, publicKey, keyId: computeKeyId(name, type, publicKey) };
};

/** Formats a key as `name+hash+base64`, for people to exchange. */
export const formatVerifierKey = ({ name, keyId, type, publicKey }: VerifierKey): string =>
  `${name}+${toHex(keyId)}+${encodeBase64(Buffer.concat([Uint8Array.of(type), publicKey]))}`;

/** Returns `null` if the text is not a verifier key, or its hash does not match. */
export const parseVerifierKey = (text: string): VerifierKey | null => {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = decodeStrictBase64(encoded);
  const type = bytes?.[0];
  if (bytes?.length !== 1 + KEY_LENGTH || !NAME.test(name)) return null;
  if (!isSignatureType(type)) return null;
  const key = buildVerifierKey(name, bytes.subarray(1), type);
  return toHex(key.keyId) === id ? key : null;
};

/** Parses the verifier key of a log (`note`) or of a witness (`cosignature`). Returns `null` for other kinds. */
export const parseKeyOfKind = (
  kind: keyof typeof SIGNATURE_TYPES,
  text: string,
): VerifierKey | null => {
  const key = parseVerifierKey(text);
  const type = SIGNATURE_TYPES[kind];
  return key?.type === type ? key : null;
};

/** @param text ends with a line feed */
export const signNote = (text: string, { name, keyId }: VerifierKey, key: KeyObject): string =>
  formatNote({
    text,
    signatures: [{ name, keyId, signature: sign(null, Buffer.from(text), key) }],
  });

export const formatNote = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(formatSignature).join('')}`;

export const formatSignature = ({ name, keyId, signature }: NoteSignature): string =>
  `\u2014 ${name} ${encodeBase64(Buffer.concat([keyId, signature]))}\n`;

const LINE = /^\u2014 ([^\s+\p{Cc}]+) (\S+)$/u;
const MAX_SIGNATURES = 100;
const OTHER_CONTROL = /(?!\n)\p{Cc}/u;

/** Returns `null` if the text is not a note. Does not verify signatures: see {@link isSignedBy}. */
export const parseNote = (note: string): SignedNote | null => {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || OTHER_CONTROL.test(note)) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.flatMap((line) => {
    const [, name = '', encoded = ''] = LINE.exec(line) ?? [];
    const bytes = decodeStrictBase64(encoded);
    return name === '' || bytes === null || bytes.length <= KEY_ID_LENGTH
      ? []
      : [
          {
            name,
            keyId: bytes.subarray(0, KEY_ID_LENGTH),
            signature: bytes.subarray(KEY_ID_LENGTH),
          },
        ];
  });
  const isWhole = signatures.length === lines.length && lines.length <= MAX_SIGNATURES;
  return isWhole ? { text: note.slice(0, end + 1), signatures } : null;
};

export const isSignedBy = (note: SignedNote, key: VerifierKey): boolean =>
  listSignatures(note, key).some(({ signature }) =>
    isValidSignature(key, Buffer.from(note.text), signature),
  );

/** Limits the time for verification. One valid signature of a key is enough. */
const MAX_SIGNATURES_PER_KEY = 4;

/** Lists the first signatures that claim a key, without verifying them. */
export const listSignatures = (
  { signatures }: SignedNote,
  { name, keyId }: VerifierKey,
): readonly NoteSignature[] =>
  signatures
    .filter((one) => one.name === name && toHex(one.keyId) === toHex(keyId))
    .slice(0, MAX_SIGNATURES_PER_KEY);

export const isValidSignature = (
  { publicKey }: VerifierKey,
  message: Uint8Array,
  signature: Uint8Array,
): boolean => verify(null, message, toPublicKey(publicKey), signature);

const toPublicKey = (bytes: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') },
    format: 'jwk',
  });

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

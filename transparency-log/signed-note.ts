import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** A text and the signatures under it, not yet checked. @see C2SP signed-note */
export interface SignedNote {
  /** Ends with a line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** One signature of a note. */
export interface NoteSignature {
  readonly name: string;
  /** Four bytes: which of the name's keys made it. */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

/** What signatures are checked with. */
export interface VerifierKey {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly type: SignatureType;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** Signature types of C2SP: over the text of a note, and over a checkpoint with the time it was seen. */
export const SIGNATURE_TYPES = { note: 0x01, cosignature: 0x04 } as const;

/** @see SIGNATURE_TYPES */
export type SignatureType = (typeof SIGNATURE_TYPES)[keyof typeof SIGNATURE_TYPES];

const isSignatureType = (type: number | undefined): type is SignatureType =>
  (Object.values(SIGNATURE_TYPES) as readonly unknown[]).includes(type);

const KEY_ID_LENGTH = 4;
const KEY_LENGTH = 32;

/** The id of a key: the first bytes of SHA-256 over name, line feed, type and key. */
export const computeKeyId = (name: string, type: SignatureType, publicKey: Uint8Array): Buffer =>
  createHash('sha256')
    .update(`${name}\n`)
    .update(Uint8Array.of(type))
    .update(publicKey)
    .digest()
    .subarray(0, KEY_ID_LENGTH);

// The characters that separate the parts of a signature line and of a verifier key.
const NAME = /^[^\s+\p{Cc}]+$/u;

/** A name with its key. @throws for a name that signature lines cannot hold */
export const buildVerifierKey = (
  name: string,
  publicKey: Uint8Array,
  type: SignatureType = SIGNATURE_TYPES.note,
): VerifierKey => {
  if (!NAME.test(name)) throw new Error('The name of a key holds no space and no plus sign.');
  return { name, type, publicKey, keyId: computeKeyId(name, type, publicKey) };
};

/** A key as people hand it on: `name+hash+base64`. */
export const formatVerifierKey = ({ name, keyId, type, publicKey }: VerifierKey): string =>
  `${name}+${hex(keyId)}+${base64(Buffer.concat([Uint8Array.of(type), publicKey]))}`;

/** Reads a key as people hand it on; null: it is none, or its parts do not belong together. */
export const parseVerifierKey = (text: string): VerifierKey | null => {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = decodeStrictBase64(encoded);
  const type = bytes?.[0];
  if (bytes?.length !== 1 + KEY_LENGTH || !NAME.test(name)) return null;
  if (!isSignatureType(type)) return null;
  const key = buildVerifierKey(name, bytes.subarray(1), type);
  return hex(key.keyId) === id ? key : null;
};

/** The same, of a log (`note`) or of a witness (`cosignature`); null for a key of another kind too. */
export const parseKeyOfKind = (
  kind: keyof typeof SIGNATURE_TYPES,
  text: string,
): VerifierKey | null => {
  const key = parseVerifierKey(text);
  const type = SIGNATURE_TYPES[kind];
  return key?.type === type ? key : null;
};

/** Signs a text. @param text ends with a line feed */
export const signNote = (text: string, { name, keyId }: VerifierKey, key: KeyObject): string =>
  formatNote({
    text,
    signatures: [{ name, keyId, signature: sign(null, Buffer.from(text), key) }],
  });

/** A note as it is handed on. */
export const formatNote = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(formatSignature).join('')}`;

/** A signature as a line of a note. */
export const formatSignature = ({ name, keyId, signature }: NoteSignature): string =>
  `\u2014 ${name} ${base64(Buffer.concat([keyId, signature]))}\n`;

const LINE = /^\u2014 ([^\s+\p{Cc}]+) (\S+)$/u;
const MAX_SIGNATURES = 100;
const OTHER_CONTROL = /(?!\n)\p{Cc}/u;

/** Reads a note; null: it is none. Nothing of it is checked yet: see {@link isSignedBy}. */
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

/** Whether a note has a good signature of this key over its text. */
export const isSignedBy = (note: SignedNote, key: VerifierKey): boolean =>
  listSignatures(note, key).some(({ signature }) =>
    isValidSignature(key, Buffer.from(note.text), signature),
  );

/** More signatures of one key say nothing more, and checking them all takes time. */
const MAX_SIGNATURES_PER_KEY = 4;

/** The first signatures of a note that name a key; whether they are good is another question. */
export const listSignatures = (
  { signatures }: SignedNote,
  { name, keyId }: VerifierKey,
): readonly NoteSignature[] =>
  signatures
    .filter((one) => one.name === name && hex(one.keyId) === hex(keyId))
    .slice(0, MAX_SIGNATURES_PER_KEY);

/** Whether a signature is the key's over a message. */
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

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Bytes of a text in base64; null where another text would stand for the same bytes. */
export const decodeStrictBase64 = (text: string): Buffer | null => {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && base64(bytes) === text ? bytes : null;
};

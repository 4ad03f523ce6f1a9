import { createHash, type Hash, type KeyObject } from 'node:crypto';
import {
  isSignedBy,
  listSignatures,
  parseNote,
  signNote,
  type VerifierKey,
} from '../../transparency-log/signed-note.ts';

/** Last file of a signed archive: a C2SP note over everything before it. */
export const SIGNATURE_FILE = 'backup-signature';
export const MAX_SIGNATURE_BYTES = 4_096;

export interface ContentDigest {
  directory(name: string): void;
  /** @param content digest of its bytes, complete */
  file(name: string, content: Hash): void;
  end(): string;
}

export const createContentDigest = (): ContentDigest => {
  const hash = createHash('sha256');
  const add = (...line: readonly string[]): void => {
    hash.update(`${JSON.stringify(line)}\n`);
  };
  return {
    directory: (name) => add('directory', name),
    file: (name, content) => add('file', name, content.digest('base64')),
    end: () => hash.digest('base64'),
  };
};

export interface BackupKey {
  readonly verifier: VerifierKey;
  readonly signingKey: KeyObject;
}

const FIRST_LINE = 'birth-registry backup v1';

/** @param madeAt moment in ISO 8601 */
export const signBackup = (
  digest: string,
  madeAt: string,
  { verifier, signingKey }: BackupKey,
): string => signNote(`${FIRST_LINE}\n${madeAt}\n${digest}\n`, verifier, signingKey);

export type SignatureCheck =
  | { readonly kind: 'signed'; readonly by: VerifierKey; readonly madeAt: string }
  /** Signed by none of the trusted keys. */
  | { readonly kind: 'foreign' }
  /** The signature is damaged, or is for other content. */
  | { readonly kind: 'altered' };

export const checkSignature = (
  signature: string,
  digest: string,
  trusted: readonly VerifierKey[],
): SignatureCheck => {
  const note = parseNote(signature);
  if (note === null) return { kind: 'altered' };
  const by = trusted.find((key) => listSignatures(note, key).length > 0);
  if (by === undefined) return { kind: 'foreign' };
  const [first, madeAt = '', signedDigest] = note.text.split('\n');
  return isSignedBy(note, by) && first === FIRST_LINE && signedDigest === digest
    ? { kind: 'signed', by, madeAt }
    : { kind: 'altered' };
};

import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { verifyCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatCheckpoint, openCheckpoint } from '../../../transparency-log/checkpoint.ts';
import { hashLeaf } from '../../../transparency-log/leaf-entry.ts';
import { computeRoot } from '../../../transparency-log/merkle-tree.ts';
import {
  buildVerifierKey,
  formatNote,
  formatVerifierKey,
  isSignedBy,
  parseNote,
  parseVerifierKey,
  SIGNATURE_TYPES,
  signNote,
  type VerifierKey,
} from '../../../transparency-log/signed-note.ts';
import {
  checkTlogProof,
  formatTlogProof,
  parseTlogProof,
} from '../../../transparency-log/tlog-proof.ts';

const notes = suite('signed notes and proofs');

/** Of the documentation of Go's package for signed notes. */
const KNOWN_KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const KNOWN_TEXT =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const KNOWN_NOTE = `${KNOWN_TEXT}\n\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

const keyOf = (text: string): VerifierKey => {
  const key = parseVerifierKey(text);
  if (key === null) throw new Error('No verifier key');
  return key;
};

notes('a note of another implementation opens with its key', () => {
  const note = parseNote(KNOWN_NOTE);
  assert.ok(note);
  assert.is(note.text, KNOWN_TEXT);
  const key = keyOf(KNOWN_KEY);
  assert.is(formatVerifierKey(key), KNOWN_KEY);
  assert.ok(isSignedBy(note, key));
  assert.not.ok(isSignedBy({ ...note, text: note.text.replace('you', 'You') }, key));
  assert.is(formatNote(note), KNOWN_NOTE);
});

notes('what is no note or no key is told apart', () => {
  for (const text of [
    '',
    KNOWN_TEXT,
    KNOWN_NOTE.slice(0, -1),
    KNOWN_NOTE.replace('\u2014', '-'),
    KNOWN_NOTE.replace('x08go', '*08go'),
    `${KNOWN_NOTE}\n`,
    KNOWN_NOTE.replace('problem,\n', 'problem,\r\n'),
    `${KNOWN_NOTE}one more line\n`,
  ])
    assert.is(parseNote(text), null, JSON.stringify(text));
  for (const text of [
    '',
    KNOWN_KEY.replace('c74f20a3', 'c74f20a4'),
    KNOWN_KEY.replace('PeterNeumann', 'Peter Neumann'),
    KNOWN_KEY.slice(0, -4),
    KNOWN_KEY.replace('+AR', '+Aw'),
  ])
    assert.is(parseVerifierKey(text), null, text);
  assert.throws(() => buildVerifierKey('two words', new Uint8Array(32)));
  assert.throws(() => buildVerifierKey('a+b', new Uint8Array(32)));
});

const ORIGIN = 'birth-registry/5f0c';

const newKey = (name = ORIGIN): { readonly key: VerifierKey; readonly secret: KeyObject } => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { key: buildVerifierKey(name, Buffer.from(x, 'base64url')), secret: privateKey };
};

const LEAVES = ['a', 'b', 'c'].map((entry) => hashLeaf(Buffer.from(entry)));
const [A, B, C] = LEAVES as [Buffer, Buffer, Buffer];
const CHECKPOINT = { origin: ORIGIN, size: 3, root: computeRoot(LEAVES) };

/** Sigstore's judgement. */
const isCheckpoint = (envelope: string, { name, keyId, publicKey }: VerifierKey): boolean => {
  const log = {
    logID: Buffer.from(keyId),
    baseURL: name,
    publicKey: createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
      format: 'jwk',
    }),
  };
  try {
    const read = verifyCheckpoint(
      { inclusionProof: { checkpoint: { envelope } } } as never,
      [log] as never,
    );
    return read.logSize === 3n && Buffer.from(CHECKPOINT.root).equals(read.logHash);
  } catch {
    return false;
  }
};

notes('a checkpoint opens for others, and with the key of the log alone', () => {
  const { key, secret } = newKey();
  const signed = signNote(formatCheckpoint(CHECKPOINT), key, secret);
  assert.ok(isCheckpoint(signed, key));
  assert.equal(openCheckpoint(signed, key), { ...CHECKPOINT, root: Buffer.from(CHECKPOINT.root) });
  const other = newKey();
  assert.is(openCheckpoint(signed, other.key), null);
  assert.not.ok(isCheckpoint(signed, other.key));
  assert.is(openCheckpoint(signed.replace('\n3\n', '\n4\n'), key), null);
  const foreign = newKey('another-log');
  assert.is(
    openCheckpoint(
      signNote(formatCheckpoint(CHECKPOINT), foreign.key, foreign.secret),
      foreign.key,
    ),
    null,
    'the origin is another than the name of the key',
  );
});

notes('texts that are no checkpoint open with no key', () => {
  const { key, secret } = newKey();
  const root = Buffer.from(CHECKPOINT.root).toString('base64');
  for (const text of [
    `${ORIGIN}\n03\n${root}\n`,
    `${ORIGIN}\n-3\n${root}\n`,
    `${ORIGIN}\n3\n${root.slice(4)}\n`,
    `${ORIGIN}\n99999999999999999999\n${root}\n`,
    `${ORIGIN}\n`,
    `\n3\n${root}\n`,
  ])
    assert.is(openCheckpoint(signNote(text, key, secret), key), null, text);
});

notes('a proof proves its leaf alone', () => {
  const { key, secret } = newKey();
  const checkpoint = signNote(formatCheckpoint(CHECKPOINT), key, secret);
  const text = formatTlogProof({ index: 2, path: [computeRoot([A, B])], checkpoint });
  assert.match(
    text,
    /^c2sp\.org\/tlog-proof@v1\nindex 2\n[\w+/=]{44}\n\nbirth-registry\/5f0c\n3\n/,
  );
  assert.is(checkTlogProof(text, C, key).kind, 'proved');
  const withExtra = text.replace('\nindex', '\nextra aGk=\nindex');
  assert.is(checkTlogProof(withExtra, C, key).kind, 'proved');
  for (const extra of ['', '!', 'aGk', 'aGk= ', 'aGl=', 'aGk=\nextra aGk='])
    assert.equal(
      checkTlogProof(text.replace('\nindex', `\nextra ${extra}\nindex`), C, key),
      { kind: 'not-proved', why: 'no-proof' },
      extra,
    );
  const rows: readonly (readonly [string, Buffer, VerifierKey, string])[] = [
    [text, A, key, 'leaf-mismatch'],
    [text.replace('index 2', 'index 1'), C, key, 'leaf-mismatch'],
    [text, C, newKey().key, 'not-signed'],
    [text.replace('\n3\n', '\n4\n'), C, key, 'not-signed'],
    [text.replace('@v1', '@v2'), C, key, 'no-proof'],
    [text.replace('index 2', 'index 02'), C, key, 'no-proof'],
    ['', C, key, 'no-proof'],
  ];
  for (const [proof, leaf, by, why] of rows)
    assert.equal(checkTlogProof(proof, leaf, by), { kind: 'not-proved', why });
  assert.is(parseTlogProof(text)?.index, 2);
});

notes('a key of a witness is no key of a log', () => {
  const { key } = newKey('witness');
  const cosigning = buildVerifierKey('witness', key.publicKey, SIGNATURE_TYPES.cosignature);
  assert.not.equal(cosigning.keyId, key.keyId);
  assert.equal(parseVerifierKey(formatVerifierKey(cosigning))?.type, SIGNATURE_TYPES.cosignature);
});

notes.run();

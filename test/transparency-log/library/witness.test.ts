import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatCheckpoint } from '../../../transparency-log/checkpoint.ts';
import { findCosignature } from '../../../transparency-log/cosignature.ts';
import { hashLeaf } from '../../../transparency-log/leaf-entry.ts';
import { computeRoot } from '../../../transparency-log/merkle-tree.ts';
import {
  buildVerifierKey,
  formatNote,
  parseNote,
  SIGNATURE_TYPES,
  signNote,
  type VerifierKey,
} from '../../../transparency-log/signed-note.ts';
import type { ReadTile } from '../../../transparency-log/tiles.ts';
import { checkTlogProof, formatTlogProof } from '../../../transparency-log/tlog-proof.ts';
import { formatWitnessRequest, proveExtension } from '../../../transparency-log/witness.ts';
import { cosign, isExtension } from '../../support/witness.ts';

const witness = suite('a witness of a log');

const newKey = (
  name: string,
  type?: VerifierKey['type'],
): { readonly key: VerifierKey; readonly secret: KeyObject; readonly publicKey: KeyObject } => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    key: buildVerifierKey(name, Buffer.from(x, 'base64url'), type),
    secret: privateKey,
    publicKey,
  };
};

const LEAVES = Array.from({ length: 9 }, (_, n) => hashLeaf(Buffer.from(`event ${n}`)));
const FORKED = LEAVES.with(2, hashLeaf(Buffer.from('another')));
/** All of them lie in one tile of leaves. */
const readTile: ReadTile = async ({ width }) => LEAVES.slice(0, width);

const LOG = newKey('birth-registry/5f0c');

const head = (size: number, leaves = LEAVES) => ({
  size,
  root: computeRoot(leaves.slice(0, size)),
});

const noteOf = (size: number, { key, secret } = LOG): string =>
  signNote(formatCheckpoint({ origin: key.name, ...head(size) }), key, secret);

witness('a request is what C2SP tlog-witness specifies', async () => {
  const proof = await proveExtension(5, 9, readTile);
  const note = noteOf(9);
  assert.is(
    formatWitnessRequest({ old: 5, proof, note }),
    `old 5\n${proof.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('')}\n${note}`,
  );
  assert.is(formatWitnessRequest({ old: 0, proof: [], note }), `old 0\n\n${note}`);
});

witness('a proof of extension leads from each size to each later one', async () => {
  for (let size = 1; size <= LEAVES.length; size += 1)
    for (let old = 0; old <= size; old += 1) {
      const proof = await proveExtension(old, size, readTile);
      assert.ok(isExtension(head(old), head(size), proof), `${old} in ${size}`);
    }
  const proof = await proveExtension(5, 9, readTile);
  assert.not.ok(isExtension(head(5), head(9, FORKED), proof));
  assert.not.ok(isExtension(head(5), head(9), []));
});

witness('a signature of a witness says when it saw a checkpoint', () => {
  const { key, secret, publicKey } = newKey('witness', SIGNATURE_TYPES.cosignature);
  const note = parseNote(noteOf(5));
  assert.ok(note);
  const { text } = note;
  const line = cosign(text, key, secret, new Date('2026-11-25T12:00:00.700Z'));
  // As the specification writes it, checked by hand.
  const seconds = Date.parse('2026-11-25T12:00:00Z') / 1000;
  const bytes = Buffer.from(line.signature);
  assert.is(bytes.length, 72);
  assert.is(bytes.readBigUInt64BE(0), BigInt(seconds));
  const message = `cosignature/v1\ntime ${seconds}\nbirth-registry/5f0c\n5\n${Buffer.from(head(5).root).toString('base64')}\n`;
  assert.ok(verify(null, Buffer.from(message), publicKey, bytes.subarray(8)));

  const signatures = [...note.signatures, line];
  const signed = parseNote(formatNote({ text, signatures }));
  assert.ok(signed);
  assert.equal(findCosignature(signed, key)?.seenAt, new Date(seconds * 1000));
  assert.is(findCosignature(note, key), null);
  assert.is(findCosignature({ ...signed, text: text.replace('\n5\n', '\n6\n') }, key), null);
  assert.is(
    findCosignature(signed, LOG.key),
    null,
    'the signature of the log is none of a witness',
  );
  const later = Buffer.from(bytes);
  later.writeBigUInt64BE(BigInt(seconds + 1));
  assert.is(findCosignature({ text, signatures: [{ ...line, signature: later }] }, key), null);
});

witness('a proof holds for those who want a witness only with its signature', () => {
  const { key, secret } = newKey('witness', SIGNATURE_TYPES.cosignature);
  const [leaf = Buffer.alloc(0)] = LEAVES;
  const proofBy = (checkpoint: string) => formatTlogProof({ index: 0, path: [], checkpoint });
  const alone = noteOf(1);
  const note = parseNote(alone);
  assert.ok(note);
  const line = cosign(note.text, key, secret, new Date());
  const seen = formatNote({ ...note, signatures: [...note.signatures, line] });
  assert.is(checkTlogProof(proofBy(seen), leaf, LOG.key, [key]).kind, 'proved');
  assert.is(checkTlogProof(proofBy(seen), leaf, LOG.key).kind, 'proved');
  const other = newKey('witness', SIGNATURE_TYPES.cosignature);
  for (const [checkpoint, keys] of [
    [alone, [key]],
    [seen, [other.key]],
    [seen, [key, other.key]],
  ] as const)
    assert.equal(checkTlogProof(proofBy(checkpoint), leaf, LOG.key, keys), {
      kind: 'not-proved',
      why: 'not-witnessed',
    });
});

witness.run();

import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatCheckpoint } from '../../../transparency-log/checkpoint.ts';
import { cosign, findCosignature } from '../../../transparency-log/cosignature.ts';
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
import {
  formatWitnessRequest,
  parseWitnessRequest,
  proveExtension,
  type WitnessedLog,
  witnessCheckpoint,
} from '../../../transparency-log/witness.ts';

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
const NEWER = newKey('birth-registry/5f0c');
const STRANGER = newKey('birth-registry/5f0c');

const head = (size: number, leaves = LEAVES) => ({
  size,
  root: computeRoot(leaves.slice(0, size)),
});

const noteOf = (size: number, { key, secret } = LOG, leaves = LEAVES): string =>
  signNote(formatCheckpoint({ origin: key.name, ...head(size, leaves) }), key, secret);

const knows = (size: number, keys = [LOG.key]): WitnessedLog => ({
  keys,
  head: size === 0 ? null : head(size),
});

const ask = async (old: number, size: number, note = noteOf(size)) => ({
  old,
  proof: await proveExtension(old, size, readTile),
  note,
});

type Asked = Awaited<ReturnType<typeof ask>>;

const ROWS: readonly (readonly [
  given: string,
  log: WitnessedLog | null,
  asked: Promise<Asked>,
  answer: string,
])[] = [
  ['the first checkpoint of a log', knows(0), ask(0, 5), 'signs 5'],
  ['one that extends the last', knows(5), ask(5, 9), 'signs 9'],
  ['one that extends a full subtree', knows(4), ask(4, 9), 'signs 9'],
  ['the same once more', knows(5), ask(5, 5), 'signs 5'],
  [
    'one that a newer key has signed',
    knows(5, [LOG.key, NEWER.key]),
    ask(5, 9, noteOf(9, NEWER)),
    'signs 9',
  ],
  ['a log that nobody has added', null, ask(0, 5), 'unknown-log'],
  ['a log whose keys were taken away', knows(5, []), ask(5, 9), 'unknown-log'],
  ['a key that was not added', knows(5), ask(5, 9, noteOf(9, STRANGER)), 'not-signed'],
  ['an older size than the witness knows', knows(5), ask(4, 9), 'conflict 5'],
  ['a log that has lost its end', knows(9), ask(5, 5), 'conflict 9'],
  ['a size that the witness does not know', knows(0), ask(4, 9), 'conflict 0'],
  ['an old size above the checkpoint', knows(9), ask(9, 9, noteOf(5)), 'malformed'],
  ['another root for the same size', knows(5), ask(5, 5, noteOf(5, LOG, FORKED)), 'conflict 5'],
  ['a rewritten log', knows(5), ask(5, 9, noteOf(9, LOG, FORKED)), 'not-proved'],
  ['no proof', knows(5), ask(5, 9).then((asked) => ({ ...asked, proof: [] })), 'not-proved'],
  [
    'a proof of a log that is not known yet',
    knows(0),
    ask(5, 9).then((asked) => ({ ...asked, old: 0 })),
    'not-proved',
  ],
  [
    'a note of something else',
    knows(5),
    ask(5, 9, signNote('a text\n', LOG.key, LOG.secret)),
    'malformed',
  ],
];

for (const [given, log, asking, expected] of ROWS)
  witness(given, async () => {
    const asked = await asking;
    assert.equal(parseWitnessRequest(formatWitnessRequest(asked)), asked);
    const answer = witnessCheckpoint(asked, log);
    if (answer.kind === 'signs') {
      assert.is(`signs ${answer.head.size}`, expected);
      assert.equal(
        Buffer.from(answer.head.root),
        Buffer.from(computeRoot(LEAVES.slice(0, answer.head.size))),
      );
    } else
      assert.is(answer.kind === 'conflict' ? `conflict ${answer.size}` : answer.kind, expected);
  });

witness('what is no request is told apart', async () => {
  const text = formatWitnessRequest(await ask(5, 9));
  assert.ok(parseWitnessRequest(text));
  for (const other of [
    '',
    'old 5',
    text.replace('old 5', 'old 05'),
    text.replace('old 5', 'old -5'),
    text.replace('old 5', 'older 5'),
    text.replace('old 5', 'old 99999999999999999999'),
    text.replace('\n', '\nAAAA\n'),
    text.replace('\n', `\n${`${Buffer.alloc(32).toString('base64')}\n`.repeat(64)}`),
    text.replace('\n', '\r\n'),
  ])
    assert.is(parseWitnessRequest(other), null, JSON.stringify(other.slice(0, 40)));
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

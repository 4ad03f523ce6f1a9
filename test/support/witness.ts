import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { buildCosignedMessage } from '../../transparency-log/cosignature.ts';
import { EMPTY_ROOT, hashNode, isSame, type TreeHead } from '../../transparency-log/merkle-tree.ts';
import {
  buildVerifierKey,
  formatSignature,
  type NoteSignature,
  parseNote,
  SIGNATURE_TYPES,
  type VerifierKey,
} from '../../transparency-log/signed-note.ts';
import type { WitnessRequest } from '../../transparency-log/witness.ts';

/**
 * Verifies the proof that a tree extends an earlier one.
 * @see RFC 9162 section 2.1.4.2
 */
export const isExtension = (
  older: TreeHead,
  newer: TreeHead,
  path: readonly Uint8Array[],
): boolean => {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return path.length === 0 && isSame(older.root, newer.root);
  if (older.size === 0) return path.length === 0 && isSame(older.root, EMPTY_ROOT);
  let [first, last] = [older.size - 1, newer.size - 1];
  while (first % 2 === 1) [first, last] = [halve(first), halve(last)];
  const isPowerOfTwo = first === 0;
  const [start = older.root, ...rest] = isPowerOfTwo ? [older.root, ...path] : path;
  if (!isPowerOfTwo && path.length === 0) return false;
  let [olderRoot, newerRoot] = [start, start];
  for (const hash of rest) {
    if (last === 0) return false;
    if (first % 2 === 1 || first === last) {
      olderRoot = hashNode(hash, olderRoot);
      newerRoot = hashNode(hash, newerRoot);
      while (first % 2 === 0 && first !== 0) [first, last] = [halve(first), halve(last)];
    } else newerRoot = hashNode(newerRoot, hash);
    [first, last] = [halve(first), halve(last)];
  }
  return last === 0 && isSame(olderRoot, older.root) && isSame(newerRoot, newer.root);
};

const halve = (value: number): number => Math.floor(value / 2);

/** Signs a checkpoint as a witness. @param checkpoint the text of its note @see C2SP tlog-cosignature */
export const cosign = (
  checkpoint: string,
  { name, keyId }: VerifierKey,
  signingKey: KeyObject,
  seenAt: Date,
): NoteSignature => {
  const seconds = BigInt(Math.floor(seenAt.getTime() / 1_000));
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(seconds);
  const signature = sign(null, buildCosignedMessage(checkpoint, seconds), signingKey);
  return { name, keyId, signature: Buffer.concat([time, signature]) };
};

/** @see C2SP tlog-witness */
const parseRequest = (body: string): WitnessRequest => {
  const [, old, hashes = '', note = ''] =
    /^old (0|[1-9]\d*)\n((?:[\w+/]{43}=\n){0,63})\n(.+)$/s.exec(body) ?? [];
  assert.ok(old, body);
  const proof = hashes.split('\n').slice(0, -1);
  return { old: Number(old), proof: proof.map((hash) => Buffer.from(hash, 'base64')), note };
};

/** Response of a witness, or a function of the requested note. */
export type Answer = readonly [status: number, text: string | ((note: string) => string)];

/**
 * A witness that responds with `answers` first, and then signs every checkpoint.
 * @param together requests that have to come before it answers the first
 */
export const startWitness = async (together = 1) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const key = buildVerifierKey('witness', Buffer.from(x, 'base64url'), SIGNATURE_TYPES.cosignature);
  const requests: WitnessRequest[] = [];
  const answers: Answer[] = [];
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const signText = (checkpoint: string, seenAt = new Date()) =>
    formatSignature(cosign(checkpoint, key, privateKey, seenAt));
  const server = createServer((req, res) => {
    text(req).then(async (body) => {
      const request = parseRequest(body);
      requests.push(request);
      if (requests.length >= together) begin();
      await begun;
      const [status, answer] = answers.shift() ?? [
        200,
        signText(parseNote(request.note)?.text ?? ''),
      ];
      res.writeHead(status).end(typeof answer === 'string' ? answer : answer(request.note));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/witness`;
  const stop = () => new Promise((resolve) => server.close(resolve));
  return { witness: { url, key }, requests, answers, signText, stop };
};

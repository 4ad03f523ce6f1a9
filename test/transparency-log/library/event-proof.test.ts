import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyProof } from '../../../scripts/offline/verify-proof.ts';
import { formatCheckpoint } from '../../../transparency-log/checkpoint.ts';
import { checkEventProof } from '../../../transparency-log/event-proof.ts';
import { formatLeafEntry, hashLeaf } from '../../../transparency-log/leaf-entry.ts';
import { computeRoot, listInclusionRanges } from '../../../transparency-log/merkle-tree.ts';
import {
  buildVerifierKey,
  formatVerifierKey,
  signNote,
} from '../../../transparency-log/signed-note.ts';
import { formatTlogProof } from '../../../transparency-log/tlog-proof.ts';
import { captureRun } from '../../harness/captured-run.ts';

const proofs = suite('the proof of an event');

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const { x = '' } = publicKey.export({ format: 'jwk' });
const KEY = buildVerifierKey('birth-registry/5f0c', Buffer.from(x, 'base64url'));

const EVENT = {
  stream: 'ingestion-7',
  revision: 1n,
  id: 'b7c5d0a4-6a7c-4f7e-9d8e-0a1b2c3d4e5f',
  type: 'RecordsProcessed',
  data: Buffer.from('{"chunk":1}'),
  metadata: Buffer.from('{"correlationId":"c"}'),
};
const INDEX = 2;
const LEAF = hashLeaf(formatLeafEntry(EVENT));
const LEAVES = ['a', 'b'].map((entry) => hashLeaf(Buffer.from(entry))).concat(LEAF, LEAF);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A file as the registry hands it out. */
const FILE = {
  event: {
    ...EVENT,
    revision: Number(EVENT.revision),
    data: base64(EVENT.data),
    metadata: base64(EVENT.metadata),
  },
  leaf: base64(LEAF),
  proof: formatTlogProof({
    index: INDEX,
    path: listInclusionRanges(INDEX, LEAVES.length).map(({ from, to }) =>
      computeRoot(LEAVES.slice(from, to)),
    ),
    checkpoint: signNote(
      formatCheckpoint({ origin: KEY.name, size: LEAVES.length, root: computeRoot(LEAVES) }),
      KEY,
      privateKey,
    ),
  }),
};

proofs('a file of the registry proves its event', () => {
  const proof = checkEventProof(JSON.parse(JSON.stringify(FILE)), KEY);
  assert.equal(proof.kind === 'proved' && [proof.index, proof.size], [INDEX, LEAVES.length]);
});

const CHANGED: readonly (readonly [string, unknown])[] = [
  ['no JSON', null],
  ['another stream', { ...FILE, event: { ...FILE.event, stream: 'ingestion-8' } }],
  ['another revision', { ...FILE, event: { ...FILE.event, revision: 2 } }],
  ['another type', { ...FILE, event: { ...FILE.event, type: 'BirthRecorded' } }],
  ['other data', { ...FILE, event: { ...FILE.event, data: base64(Buffer.from('{"chunk":2}')) } }],
  ['other metadata', { ...FILE, event: { ...FILE.event, metadata: '' } }],
  ['data that are no base64', { ...FILE, event: { ...FILE.event, data: '{}' } }],
  ['a line feed in a name', { ...FILE, event: { ...FILE.event, stream: 'ingestion-7\n1' } }],
  ['another leaf', { ...FILE, leaf: base64(LEAVES[0] ?? LEAF) }],
  ['no proof', { ...FILE, proof: undefined }],
  ['another place', { ...FILE, proof: FILE.proof.replace('index 2', 'index 0') }],
  ['another size', { ...FILE, proof: FILE.proof.replace('\n4\n', '\n5\n') }],
];

for (const [what, file] of CHANGED)
  proofs(`nothing is proved with ${what}`, () => {
    assert.is(checkEventProof(file, KEY).kind, 'not-proved');
  });

proofs('not one byte of a proof can be changed', () => {
  for (let at = 0; at < FILE.proof.length; at += 1) {
    const changed = FILE.proof[at] === 'A' ? 'B' : 'A';
    const proof = `${FILE.proof.slice(0, at)}${changed}${FILE.proof.slice(at + 1)}`;
    assert.is(checkEventProof({ ...FILE, proof }, KEY).kind, 'not-proved', `byte ${at}`);
  }
});

proofs('the command prints one line, and ends with 0 if proved, and with 3 if not', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'verify-proof-'));
  try {
    const run = async (...args: readonly string[]) => {
      const { code, stdout } = await captureRun((streams) => verifyProof({ args, ...streams }));
      assert.is(stdout.split('\n').length, 2, stdout);
      return { status: code, line: stdout.trimEnd() };
    };
    const [good, bad] = [join(directory, 'good.json'), join(directory, 'bad.json')];
    writeFileSync(good, JSON.stringify(FILE));
    writeFileSync(bad, JSON.stringify({ ...FILE, leaf: '' }));
    const key = formatVerifierKey(KEY);
    assert.equal(await run(good, '--key', key), {
      status: 0,
      line: `Proved: RecordsProcessed, revision 1 of ingestion-7, is number 3 of the 4 events in the log ${KEY.name}.`,
    });
    assert.equal(await run(bad, '--key', key), {
      status: 3,
      line: 'Not proved: its leaf is not the hash of its event.',
    });
    // As PowerShell and other programs save it.
    const saved = join(directory, 'saved.json');
    const text = `\ufeff${JSON.stringify(FILE)}\r\n`;
    const utf16 = Buffer.from(text, 'utf16le');
    for (const bytes of [Buffer.from(text), utf16, Buffer.from(utf16).swap16()]) {
      writeFileSync(saved, bytes);
      assert.is((await run(saved, '--key', key)).status, 0);
    }
    // No false alarm for what is not a proof at all.
    for (const [content, why] of [
      ['', 'the file is empty'],
      ['\r\n', 'the file is empty'],
      ['<h1>Not found</h1>', 'the file is not a proof'],
      ['{"resourceType":"OperationOutcome"}', 'the file is not a proof'],
      ['null', 'the file is not a proof'],
    ] as const) {
      writeFileSync(saved, content);
      const { status, line } = await run(saved, '--key', key);
      assert.is(status, 1, content);
      assert.match(line, `Not checked: ${why}`);
    }
    assert.is((await run('absent', '--key', key)).status, 1);
    for (const given of [[good], [good, '--key', 'x'], ['--what']])
      assert.is((await run(...given)).status, 2);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

proofs.run();

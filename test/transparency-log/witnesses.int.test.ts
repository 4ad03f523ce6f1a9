import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatCheckpoint } from '../../transparency-log/checkpoint.ts';
import { findCosignature } from '../../transparency-log/cosignature.ts';
import { checkEventProof } from '../../transparency-log/event-proof.ts';
import { hashLeaf } from '../../transparency-log/leaf-entry.ts';
import { computeRoot } from '../../transparency-log/merkle-tree.ts';
import {
  buildVerifierKey,
  formatVerifierKey,
  parseNote,
  parseVerifierKey,
  signNote,
  type VerifierKey,
} from '../../transparency-log/signed-note.ts';
import type { ReadTile } from '../../transparency-log/tiles.ts';
import { formatWitnessRequest, proveExtension } from '../../transparency-log/witness.ts';
import { eventually } from '../harness/eventually.ts';
import {
  newPractice,
  poll,
  post,
  receiptAddress,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

interface Context {
  witness: TestService;
  log: TestService;
  /** Of the witness. */
  key: VerifierKey;
}

const witnesses = suite<Context>('a registry that witnesses another');

const keyOf = (text: string): VerifierKey => {
  const key = parseVerifierKey(text.trim());
  if (key === null) throw new Error('No verifier key');
  return key;
};

witnesses.before(async (context) => {
  context.witness = await startTestService();
  const { witnessKey, logs } = await context.witness.commands.witness.list();
  assert.equal(logs, []);
  context.key = keyOf(witnessKey);
  context.log = await startTestService({
    CHECKPOINT_SECONDS: '1',
    LOG_PUBLIC: 'true',
    LOG_WITNESSES: `${context.witness.url}/log/witness ${witnessKey}`,
  });
});
witnesses.after(async ({ witness, log }) => {
  await log.stop();
  await witness.stop();
});

const textAt = async (url: string): Promise<string> => (await fetch(url)).text();

/** Waits for a checkpoint of at least so many events that the witness has signed. */
const witnessed = async ({ log, key }: Context, least = 0): Promise<number> => {
  let size = 0;
  await eventually('the witness has signed', async () => {
    const note = parseNote(await textAt(`${log.url}/log/checkpoint`));
    const isSeen = note !== null && findCosignature(note, key) !== null;
    size = isSeen ? Number(note.text.split('\n')[1]) : 0;
    return isSeen && size >= least;
  });
  return size;
};

witnesses(
  'signs its checkpoints from when it is told to, and each extends the one before',
  async (context) => {
    const { witness, log, key } = context;
    const logKey = await textAt(`${log.url}/log/key`);
    await eventually('a checkpoint', async () => (await fetch(`${log.url}/log/checkpoint`)).ok);
    const unseen = parseNote(await textAt(`${log.url}/log/checkpoint`));
    assert.ok(unseen);
    assert.is(findCosignature(unseen, key), null);
    await witness.commands.witness.add(logKey);
    await witness.commands.witness.add(logKey);
    const first = await witnessed(context);

    const practice = await newPractice(log.commands);
    const { headers } = await post(log.url, practice.token, birthBundle({ chartNumber: 'W-1' }));
    const address = `${receiptAddress({ headers })}/proof`;
    await witnessed(context, first + 1);
    let proof: unknown = null;
    await eventually('a proof that the witness has signed', async () => {
      const answer = await poll(address, practice.token);
      if (answer.ok) proof = await answer.json();
      return checkEventProof(proof, keyOf(logKey), [key]).kind === 'proved';
    });
    assert.is(checkEventProof(proof, keyOf(logKey), [keyOf(logKey)]).kind, 'not-proved');
    const { logs } = await witness.commands.witness.list();
    assert.is(logs.length, 1);
    assert.is(logs[0]?.origin, keyOf(logKey).name);
    assert.equal(logs[0]?.keys, [logKey.trim()]);
    assert.ok((logs[0]?.size ?? 0) > first);
    // Its signatures change nothing of what an auditor compares.
    const { problems } = await log.commands.verify(
      undefined,
      await textAt(`${log.url}/log/checkpoint`),
    );
    assert.equal(problems, []);
  },
);

/** A log that is not ours, with a key of its own. */
const newLog = (name: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const key = buildVerifierKey(name, Buffer.from(x, 'base64url'));
  const leaves = Array.from({ length: 9 }, (_, n) => hashLeaf(Buffer.from(`${name} ${n}`)));
  const readTile: ReadTile = async ({ width }) => leaves.slice(0, width);
  const noteOf = (size: number, secret: KeyObject = privateKey): string =>
    signNote(
      formatCheckpoint({ origin: name, size, root: computeRoot(leaves.slice(0, size)) }),
      key,
      secret,
    );
  return {
    key: formatVerifierKey(key),
    noteOf,
    async asking(old: number, size: number, note = noteOf(size)): Promise<string> {
      return formatWitnessRequest({ old, proof: await proveExtension(old, size, readTile), note });
    },
  };
};

const sent = async ({ witness }: Context, body: string) => {
  const answer = await fetch(`${witness.url}/log/witness/add-checkpoint`, { method: 'POST', body });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: await answer.text(),
  };
};

witnesses('answers as C2SP has it', async (context) => {
  const { witness, key } = context;
  const { asking, noteOf, key: logKey } = newLog('log.example/one');
  const { privateKey } = generateKeyPairSync('ed25519');
  const statusOf = async (body: string) => (await sent(context, body)).status;
  assert.is(await statusOf(await asking(0, 5)), 404);
  await witness.commands.witness.add(logKey);
  assert.is(await statusOf('old 0'), 400);
  assert.is(await statusOf(await asking(0, 5, noteOf(5, privateKey))), 403);
  const signed = await sent(context, await asking(0, 5));
  assert.is(signed.status, 200);
  const note = parseNote(`${noteOf(5)}${signed.text}`);
  assert.ok(note && findCosignature(note, key));
  assert.equal(await sent(context, await asking(0, 9)), {
    status: 409,
    type: 'text/x.tlog.size',
    text: '5\n',
  });
  assert.is(await statusOf((await asking(5, 9)).replace(/\n[^\n]+/, '')), 422);
  assert.is(await statusOf(await asking(9, 9, noteOf(5))), 400);
  assert.is(await statusOf(await asking(5, 9)), 200);
  assert.is(await statusOf('x'.repeat(20_000)), 413);
  await witness.commands.witness.remove(logKey);
  assert.is(await statusOf(await asking(9, 9)), 404);
  // It comes back where it was.
  await witness.commands.witness.add(logKey);
  assert.is(await statusOf(await asking(0, 9)), 409);
  assert.is(await statusOf(await asking(9, 9)), 200);
});

witnesses('signs one of many that come at once', async (context) => {
  const { asking, key } = newLog('log.example/two');
  await context.witness.commands.witness.add(key);
  const bodies = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((size) => asking(0, size)));
  const answers = await Promise.all(bodies.map((body) => sent(context, body)));
  assert.equal(
    answers.map(({ status }) => status).sort((one, other) => one - other),
    [200, 409, 409, 409, 409, 409, 409, 409],
  );
  const size = answers.findIndex(({ status }) => status === 200) + 1;
  for (const { status, text } of answers) if (status === 409) assert.is(text, `${size}\n`);
});

witnesses('takes only keys of logs', async ({ witness, key }) => {
  const told = (doing: Promise<void>) =>
    doing.then(
      () => '',
      (error: Error) => error.message,
    );
  for (const text of ['', 'log.example', formatVerifierKey(key)])
    assert.match(await told(witness.commands.witness.add(text)), /That is no key of a log/);
  assert.match(
    await told(witness.commands.witness.remove(newLog('log.example/three').key)),
    /No log is witnessed by that key/,
  );
});

witnesses.run();

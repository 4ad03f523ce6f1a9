import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openCheckpoint } from '../../transparency-log/checkpoint.ts';
import { findCosignature } from '../../transparency-log/cosignature.ts';
import { checkEventProof } from '../../transparency-log/event-proof.ts';
import {
  formatVerifierKey,
  parseNote,
  parseVerifierKey,
  type VerifierKey,
} from '../../transparency-log/signed-note.ts';
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
import { isExtension, startWitness } from '../support/witness.ts';

interface Context {
  witness: Awaited<ReturnType<typeof startWitness>>;
  log: TestService;
  /** Of the witness. */
  key: VerifierKey;
}

const witnesses = suite<Context>('a registry that is witnessed');

const keyOf = (text: string): VerifierKey => {
  const key = parseVerifierKey(text.trim());
  if (key === null) throw new Error('No verifier key');
  return key;
};

/** Requests that the witness refuses before it signs. */
const REFUSED = 2;

witnesses.before(async (context) => {
  context.witness = await startWitness();
  const { answers, witness } = context.witness;
  answers.push(...Array.from({ length: REFUSED }, () => [404, ''] as const));
  context.key = witness.key;
  context.log = await startTestService({
    CHECKPOINT_SECONDS: '1',
    LOG_PUBLIC: 'true',
    LOG_WITNESSES: `${witness.url} ${formatVerifierKey(witness.key)}`,
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
  'has its checkpoints signed once the witness knows it, and each extends the one before',
  async (context) => {
    const { witness, log, key } = context;
    const logKey = await textAt(`${log.url}/log/key`);
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

    const requests = witness.requests.map((request) => {
      const head = openCheckpoint(request.note, keyOf(logKey));
      assert.ok(head, 'signed by the log');
      return { ...request, head };
    });
    assert.equal(
      requests.slice(0, REFUSED + 1).map(({ old }) => old),
      [0, 0, 0],
    );
    const signed = requests.slice(REFUSED);
    assert.ok(signed.length > 1);
    for (const [at, { old, head, proof: path }] of signed.entries()) {
      const before = signed[at - 1]?.head;
      if (before === undefined) continue;
      assert.is(old, before.size);
      assert.ok(isExtension(before, head, path));
    }
    // Its signatures change nothing of what an auditor compares.
    const { problems } = await log.commands.verify(
      undefined,
      await textAt(`${log.url}/log/checkpoint`),
    );
    assert.equal(problems, []);
  },
);

witnesses.run();

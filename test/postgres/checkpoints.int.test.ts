import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { buildScript } from '../../adapters/package-internals/postgres-driver/scripts.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import {
  appendLeaves,
  loadMerkleFrontier,
} from '../../adapters/postgres/projector/merkle-frontier.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import {
  findLastCheckpoint,
  signNextCheckpoint,
  streamCheckpoints,
} from '../../adapters/transparency-log/checkpoints.ts';
import { createAskWitnesses } from '../../api/transparency-log/ask-witnesses.ts';
import { formatCheckpoint } from '../../transparency-log/checkpoint.ts';
import { findCosignature } from '../../transparency-log/cosignature.ts';
import { hashLeaf } from '../../transparency-log/leaf-entry.ts';
import { computeRoot, type TreeHead } from '../../transparency-log/merkle-tree.ts';
import { formatNote, listSignatures, parseNote } from '../../transparency-log/signed-note.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { type Answer, isExtension, startWitness } from '../support/witness.ts';

const checkpoints = databaseSuite('checkpoints of the log in Postgres');

const hashAt = (index: number, of = 'event'): Buffer => hashLeaf(Buffer.from(`${of} ${index}`));

const grow = (db: Db, from: number, to: number, of = 'event') =>
  db.transaction().execute(async (transaction) => {
    const leaves = Array.from({ length: to - from }, (_, at) => ({
      position: BigInt(from + at),
      event: `record-x ${from + at}`,
      hash: hashAt(from + at, of),
    }));
    const edge = await loadMerkleFrontier(transaction, 'read');
    await transaction.executeQuery(buildScript(appendLeaves('read', edge, leaves).statements));
  });

const signed: TreeHead[] = [];
const sign = (head: TreeHead): string => {
  signed.push(head);
  return formatNote({
    text: formatCheckpoint({ origin: 'test', ...head }),
    signatures: [{ name: 'test', keyId: new Uint8Array(4), signature: new Uint8Array(64) }],
  });
};

const emptied = async (db: Db): Promise<void> => {
  await sql`drop schema if exists read cascade`.execute(db);
  await ensureReadSchema(db, 'registry');
};

checkpoints.before(({ db }) => migrate(db as never));

checkpoints.before.each(async ({ db }) => {
  await emptied(db);
  await sql`delete from app.log_checkpoint`.execute(db);
  signed.length = 0;
});

checkpoints('many that sign at once, while the tree grows, sign each size once', async ({ db }) => {
  const growing = (async () => {
    for (let size = 0; size < 600; size += 7) await grow(db, size, size + 7);
  })();
  const signing = Array.from({ length: 4 }, async () => {
    for (let n = 0; n < 30; n += 1) await signNextCheckpoint(db, sign);
  });
  await Promise.all([growing, ...signing]);
  await signNextCheckpoint(db, sign);
  const sizes = signed.map(({ size }) => size);
  assert.equal(
    sizes,
    [...new Set(sizes)].sort((one, other) => one - other),
  );
  assert.is(sizes.at(-1), 602);
  const kept: number[] = [];
  for await (const { size, root } of streamCheckpoints(db, 602)) {
    kept.push(size);
    const leaves = Array.from({ length: size }, (_, at) => hashAt(at));
    assert.equal(root && Buffer.from(root), Buffer.from(computeRoot(leaves)), `${size} leaves`);
  }
  assert.equal(kept, sizes);
  assert.is((await findLastCheckpoint(db))?.size, 602);
  assert.is((await signNextCheckpoint(db, sign)).kind, 'nothing-new');
});

checkpoints('a tree that is filled anew is signed for when it goes on', async ({ db }) => {
  await grow(db, 0, 300);
  assert.is((await signNextCheckpoint(db, sign)).kind, 'sign');
  await emptied(db);
  await grow(db, 0, 299);
  assert.equal(await signNextCheckpoint(db, sign), { kind: 'refused', why: 'shorter' });
  await grow(db, 299, 300);
  assert.is((await signNextCheckpoint(db, sign)).kind, 'nothing-new');
  await grow(db, 300, 301);
  assert.is((await signNextCheckpoint(db, sign)).kind, 'sign');
});

checkpoints('another log is not signed for, however long it gets', async ({ db }) => {
  await grow(db, 0, 300);
  assert.is((await signNextCheckpoint(db, sign)).kind, 'sign');
  await emptied(db);
  await grow(db, 0, 400, 'other');
  assert.equal(await signNextCheckpoint(db, sign), { kind: 'refused', why: 'rewritten' });
  assert.equal(
    signed.map(({ size }) => size),
    [300],
  );
});

checkpoints('one that is cut short is not kept', async ({ db }) => {
  await grow(db, 0, 10);
  const cut = await signNextCheckpoint(db, () => {
    throw new Error('killed');
  }).catch((error: Error) => error.message);
  assert.is(cut, 'killed');
  assert.is(await findLastCheckpoint(db), null);
  assert.is((await signNextCheckpoint(db, sign)).kind, 'sign');
});

checkpoints('a row that was changed is told, and not taken for one', async ({ db }) => {
  await grow(db, 0, 10);
  await signNextCheckpoint(db, sign);
  await sql`update app.log_checkpoint set size = 11`.execute(db);
  const told = await findLastCheckpoint(db).catch((error: Error) => error.name);
  assert.is(told, 'CheckpointDamaged');
});

const OVER = new AbortController().signal;

checkpoints(
  'a witness signs once, whoever asks, and is asked from where it stands',
  async ({ db }) => {
    const { witness, requests, answers, stop } = await startWitness(2);
    await grow(db, 0, 300);
    await signNextCheckpoint(db, sign);
    const ask = createAskWitnesses({ db }, [witness]);
    const another = createAskWitnesses({ db }, [witness]);
    assert.equal(await Promise.all([ask(OVER), another(OVER)]), [[], []]);
    const first = parseNote((await findLastCheckpoint(db))?.note ?? '');
    assert.ok(first);
    assert.is(listSignatures(first, witness.key).length, 1);
    assert.ok(findCosignature(first, witness.key));
    assert.equal(await ask(OVER), []);
    assert.is(requests.length, 2, 'who has signed is not asked again');

    await grow(db, 300, 777);
    await signNextCheckpoint(db, sign);
    assert.equal(await ask(OVER), []);
    const [older, newer] = signed;
    const { old, proof } = requests[2] ?? {};
    assert.is(old, 300);
    assert.ok(older && newer && isExtension(older, newer, proof ?? []));

    // Another process knows nothing of it.
    await grow(db, 777, 778);
    await signNextCheckpoint(db, sign);
    answers.push([409, '777\n']);
    assert.equal(await another(OVER), []);
    assert.equal(
      requests.slice(3).map((one) => one.old),
      [300, 777],
    );
    assert.ok(
      findCosignature(parseNote((await findLastCheckpoint(db))?.note ?? '') ?? first, witness.key),
    );
    await stop();
  },
);

checkpoints('a witness that has not signed is told of, and asked again', async ({ db }) => {
  const { witness, answers, signText, stop } = await startWitness();
  const signedTomorrow = (note: string) =>
    signText(parseNote(note)?.text ?? '', new Date(Date.now() + 86_400_000));
  /** An empty line ends the text of a note: this is signed over the note and more. */
  const signedAround = (note: string) => `more\n\n${signText(`${note}more\n`)}`;
  await grow(db, 0, 10);
  await signNextCheckpoint(db, sign);
  const ask = createAskWitnesses({ db }, [witness]);
  const rows: readonly (readonly [...Answer, told: RegExp])[] = [
    [404, '', /it is no witness of this log yet\. Give it the key/],
    [403, '', /it does not know the key/],
    [422, '', /the log does not extend the checkpoint that it signed last/],
    [409, '11\n', /it has signed for 11 events, and the log was signed for only 10/],
    [409, '0\n', /it has signed another checkpoint for 0 events/],
    [409, 'ten', /it answered with status 409/],
    [200, signedTomorrow, /it has signed for a time to come/],
    [500, '', /it answered with status 500/],
    [302, '', /it answered with status 302/],
    [200, '', /no good signature/],
    [200, '\u2014 witness AAAAAAAAAAAAAAAAAAAAAAAAAAAA\n', /no good signature/],
    [200, signedAround, /no good signature/],
    [200, 'x'.repeat(20_000), /did not answer in time, or cannot be reached/],
  ];
  for (const [status, answer, told] of rows) {
    answers.push([status, answer]);
    const [refusal, ...more] = await ask(OVER);
    assert.match(refusal ?? '', /^The witness witness has not signed: /);
    assert.match(refusal ?? '', told);
    assert.is(more.length, 0);
  }
  assert.equal(await ask(OVER), []);
  await stop();
  await grow(db, 10, 11);
  await signNextCheckpoint(db, sign);
  assert.match((await ask(OVER))[0] ?? '', /cannot be reached \(ECONNREFUSED\)/);
  const late = await findLastCheckpoint(db);
  assert.is(parseNote(late?.note ?? '')?.signatures.length, 1);
});

checkpoints.run();

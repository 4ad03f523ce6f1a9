import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROOFS_NOT_READY } from '../../api/pages/records/list/records-router.tsx';
import { SCOPES } from '../../domain/api-key/events.ts';
import type { SharedIngestionEvent } from '../../domain/submission/events.ts';
import { builtEntry } from '../../scripts/build-service.ts';
import { openCheckpoint } from '../../transparency-log/checkpoint.ts';
import type { ProvedEvent } from '../../transparency-log/event-proof.ts';
import { listConsistencyRanges } from '../../transparency-log/merkle-tree.ts';
import { parseVerifierKey, type VerifierKey } from '../../transparency-log/signed-note.ts';
import {
  formatTilePath,
  hashRange,
  type ReadTile,
  TILE_WIDTH,
} from '../../transparency-log/tiles.ts';
import { parseTlogProof } from '../../transparency-log/tlog-proof.ts';
import { eventually } from '../harness/eventually.ts';
import {
  newVisitor,
  signInVisitor,
  startTestAccounts,
  type TestAccounts,
} from '../harness/pages.ts';
import { newPractice, poll, post, push, receiptAddress, receiptAt } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { readMessage } from '../harness/test-page.ts';
import { birthBundle } from '../support/bundles.ts';
import { isExtension } from '../support/witness.ts';

interface Context {
  accounts: TestAccounts;
  /** The same log for everybody. */
  open: TestAccounts;
}

const proofs = suite<Context>('proofs of a running service');

proofs.before(async (context) => {
  context.accounts = await startTestAccounts({ CHECKPOINT_SECONDS: '1' });
  context.open = await startTestAccounts({ CHECKPOINT_SECONDS: '1', LOG_PUBLIC: 'true' });
});
proofs.after(async ({ accounts, open }) => {
  await accounts.service.stop();
  await open.service.stop();
});

const textAt = async (url: string): Promise<string> => (await fetch(url)).text();

const keyOf = async (url: string): Promise<VerifierKey> => {
  const key = parseVerifierKey((await textAt(`${url}/log/key`)).trim());
  assert.ok(key, 'a verifier key');
  return key;
};

const checkpointAt = async (url: string, key: VerifierKey) => {
  const checkpoint = openCheckpoint(await textAt(`${url}/log/checkpoint`), key);
  assert.ok(checkpoint, 'a checkpoint that the key has signed');
  return checkpoint;
};

/** Reads tiles as any auditor does. */
const tilesAt =
  (url: string): ReadTile =>
  async (tile) => {
    const answer = await fetch(`${url}/log/${formatTilePath(tile)}`);
    assert.is(answer.status, 200, formatTilePath(tile));
    assert.is(answer.headers.get('content-type'), 'application/octet-stream');
    assert.match(answer.headers.get('cache-control') ?? '', 'immutable');
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.is(bytes.length, 32 * tile.width);
    return Array.from({ length: tile.width }, (_, at) => bytes.subarray(32 * at, 32 * (at + 1)));
  };

/** The end of an ingestion, with its outcomes. */
type ReceiptProof = ProvedEvent & { readonly proofs?: readonly ProvedEvent[] };

const proofAt = async (address: string, token: string): Promise<ReceiptProof> => {
  let proof: ReceiptProof | null = null;
  await eventually('a checkpoint covers the receipt', async () => {
    const answer = await poll(`${address}/proof`, token);
    if (answer.status === 404) assert.is(answer.headers.get('retry-after'), '10');
    else proof = (await answer.json()) as ReceiptProof;
    return proof !== null;
  });
  return proof as unknown as ReceiptProof;
};

/** Checks a file with the command that needs no service. */
const checkedFile = (file: unknown, key: string) => {
  const directory = temporaryDirectory('proof');
  const path = join(directory.path, 'receipt.json');
  writeFileSync(path, JSON.stringify(file));
  const { status, stdout } = spawnSync(
    process.execPath,
    [builtEntry('dist', 'scripts/verify-proof.ts'), path, '--key', key],
    { encoding: 'utf8' },
  );
  directory.remove();
  return { status, line: stdout.trim() };
};

proofs('a receipt is proved by its tiles, by others and without the service', async ({ open }) => {
  const { url } = open.service;
  const { token } = open.practice;
  const { headers } = await post(url, token, birthBundle({ chartNumber: 'P-1' }));
  const address = receiptAddress({ headers });
  await receiptAt(address, token);
  const proved = await proofAt(address, token);
  assert.match(proved.event.stream, /^ingestion-/);
  const [outcome] = proved.proofs ?? [];
  assert.match(Buffer.from(outcome?.event.data ?? '', 'base64').toString(), '"P-1"');

  const key = await keyOf(url);
  const proof = parseTlogProof(proved.proof);
  const checkpoint = openCheckpoint(proof?.checkpoint ?? '', key);
  assert.ok(proof && checkpoint);
  const entry = [
    'birth-registry-event/v1',
    proved.event.stream,
    proved.event.revision,
    proved.event.id,
    proved.event.type,
    proved.event.data,
    proved.event.metadata,
    '',
  ].join('\n');
  // Sigstore's judgement: it throws where the proof does not hold.
  verifyMerkleInclusion(
    {
      canonicalizedBody: Buffer.from(entry),
      inclusionProof: { logIndex: String(proof.index), hashes: proof.path.map(Buffer.from) },
    } as never,
    { logSize: BigInt(checkpoint.size), logHash: Buffer.from(checkpoint.root) } as never,
  );
  const readTile = tilesAt(url);
  const root = await hashRange({ from: 0, to: checkpoint.size }, readTile);
  assert.equal(Buffer.from(root), Buffer.from(checkpoint.root));

  const verifier = (await textAt(`${url}/log/key`)).trim();
  const checked = checkedFile(proved, verifier);
  assert.match(
    checked.line,
    /^Proved: 2 events of ingestion-\S+ are among the \d+ events in the log birth-registry\//,
  );
  assert.is(checked.status, 0);
  const other = { ...proved, event: { ...proved.event, revision: 1 } };
  assert.equal(checkedFile(other, verifier), {
    status: 3,
    line: 'Not proved: proof 1 of 2: its leaf is not the hash of its event.',
  });
});

proofs('pushes that ended together are proved to their sender alone', async ({ open }) => {
  const { commands, url } = open.service;
  const { practiceId, token } = await newPractice(commands);
  const partner = await commands.partners.create({ name: 'Maple', beta: true, status: 'Active' });
  const order = { practiceId, scopes: SCOPES, name: null };
  const feed = await commands.keys.mintPartner({ ...order, partnerId: partner });
  const second = await commands.keys.mintNative(order);
  // The first push of a practice ends alone.
  await push(url, token, birthBundle({ chartNumber: 'T' }));
  let shared: ReceiptProof | null = null;
  let address = '';
  await eventually('two pushes share an event', async () => {
    const sent = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) =>
        post(url, token, birthBundle({ chartNumber: `T-${n}`, mother: { family: `Family ${n}` } })),
      ),
    );
    for (const one of sent) await receiptAt(receiptAddress(one), token);
    for (const one of sent) {
      address = receiptAddress(one);
      shared = await proofAt(address, token);
      const { pushes = [] } = JSON.parse(
        Buffer.from(shared.event.data, 'base64').toString(),
      ) as Partial<SharedIngestionEvent<'PushesIngested'>['data']>;
      assert.ok(
        pushes.length === 0 || pushes.some(({ ingestionId }) => address.endsWith(ingestionId)),
      );
      if (pushes.length > 1) return true;
    }
    return false;
  });
  const checked = checkedFile(shared, (await textAt(`${url}/log/key`)).trim());
  assert.match(checked.line, /^Proved: PushesIngested, revision \d+ of ingestion-\S{9}, is number/);
  assert.equal(await proofAt(address, second.token), shared, 'a native key is of the practice');
  const refused = await poll(`${address}/proof`, feed.token);
  assert.is(refused.status, 403);
  assert.match(await refused.text(), /Another sender of your practice submitted this Bundle/);
  assert.is((await poll(address, feed.token)).status, 200, 'the receipt is for all of them');
});

proofs('checkpoints follow the log, each extending the one before', async ({ open }) => {
  const { url, commands } = open.service;
  const key = await keyOf(url);
  const first = await checkpointAt(url, key);
  const others = Array.from({ length: 300 }, (_, n) => birthBundle({ chartNumber: `C-${n}` }));
  const batch = {
    resourceType: 'Bundle',
    type: 'batch',
    entry: others.map((resource) => ({ resource })),
  };
  const { headers } = await post(url, open.practice.token, batch);
  const address = receiptAddress({ headers });
  await receiptAt(address, open.practice.token);
  const proved = await proofAt(address, open.practice.token);
  const { proofs: outcomes = [] } = proved;
  assert.is(proved.event.type, 'IngestionCompleted');
  assert.is(outcomes.length, 6);
  const line = checkedFile(proved, (await textAt(`${url}/log/key`)).trim());
  assert.match(line.line, /^Proved: 7 events of ingestion-\S+ are among the \d+ events in the log/);

  const second = await checkpointAt(url, key);
  assert.ok(second.size > first.size + TILE_WIDTH);
  const path = await Promise.all(
    listConsistencyRanges(first.size, second.size).map((range) => hashRange(range, tilesAt(url))),
  );
  assert.ok(isExtension(first, second, path));
  const { problems, tree } = await commands.verify(
    undefined,
    await textAt(`${url}/log/checkpoint`),
  );
  assert.equal(problems, []);
  assert.ok(tree.size >= second.size);
  const printed = await commands.checkpoint();
  assert.ok((openCheckpoint(printed.checkpoint, key)?.size ?? 0) >= second.size);
});

proofs('what the log does not have is not there', async ({ open, accounts }) => {
  const { url } = open.service;
  const { size } = await checkpointAt(url, await keyOf(url));
  for (const path of [
    'tile/0/999',
    `tile/0/${String(Math.floor(size / TILE_WIDTH)).padStart(3, '0')}`,
    'tile/9/000',
    'tile/0/0',
    'tile/entries/000',
    'nothing',
  ])
    assert.is((await fetch(`${url}/log/${path}`)).status, 404, path);
  const { token, practiceId } = open.practice;
  const proofOf = async (id: string, key: string) => {
    const answer = await poll(`${url}/api/registry/fhir/ingestions/${id}/proof`, key);
    return [answer.status, answer.headers.get('retry-after')];
  };
  assert.equal(await proofOf('no-such-ingestion', token), [404, null]);
  const { id } = await push(url, token, birthBundle({ chartNumber: 'P-2' }));
  const other = await newPractice(open.service.commands);
  assert.equal(await proofOf(id, other.token), [404, null]);
  const writing = await open.service.commands.keys.mintNative({
    practiceId,
    scopes: ['ingest:write'],
    name: null,
  });
  assert.is((await proofOf(id, writing.token))[0], 403);
  assert.is(
    (await poll(`${accounts.service.url}/api/registry/fhir/ingestions/${id}/proof`, 'x')).status,
    401,
  );
});

proofs('only who may read records sees a log that is not public', async ({ accounts }) => {
  const { url } = accounts.service;
  const { Admin, Provider, Viewer, Scribe } = accounts.members;
  for (const path of ['/log/checkpoint', '/log/key', '/log/keys', '/log/tile/0/000.p/1']) {
    const visitor = await newVisitor(url).send(path);
    assert.equal([visitor.status, visitor.headers.get('location')], [303, '/sign-in']);
    for (const [account, status] of [
      [Admin, 200],
      [Provider, 200],
      [Viewer, 200],
      [Scribe, 403],
      [accounts.staff, 200],
    ] as const) {
      const browser = await signInVisitor(url, account);
      assert.is((await browser.send(path)).status, status, `${account.email} ${path}`);
    }
  }
});

proofs('the history of a record is proved, and that is noted', async ({ accounts }) => {
  const { service, practice, members } = accounts;
  const { url, commands } = service;
  const chart = (weight: number) => birthBundle({ chartNumber: 'P-3', children: [{ weight }] });
  await push(url, practice.token, chart(3_000));
  const amended = await push(url, practice.token, chart(3_100));
  assert.is(amended.status, 'completed');
  const { submissionUuid, events } = await commands.history(practice.practiceId, 'P-3', null);
  const viewer = await signInVisitor(url, members.Viewer);
  const path = `/registry/records/${submissionUuid}`;
  let file: { proofs: readonly ProvedEvent[]; notYetProved: number } = {
    proofs: [],
    notYetProved: 0,
  };
  await eventually('both versions are proved', async () => {
    const answer = await viewer.send(`${path}/proofs`);
    if (answer.status === 404) {
      assert.is(answer.headers.get('retry-after'), '10');
      assert.ok((await answer.text()).includes(PROOFS_NOT_READY));
      return false;
    }
    assert.match(answer.headers.get('content-disposition') ?? '', `proofs-${submissionUuid}.json`);
    file = (await answer.json()) as typeof file;
    assert.is(file.notYetProved, 2 - file.proofs.length);
    // The newest version is left out until a checkpoint covers it.
    return file.proofs.length > 1;
  });
  assert.is(file.proofs.length, 2);
  const browser = await signInVisitor(url, members.Admin);
  const key = (await (await browser.send('/log/key')).text()).trim();
  assert.is(checkedFile(file, key).status, 0);
  assert.equal(
    file.proofs.map(({ event }) => event.type),
    events.map(({ type }) => type),
  );
  const leaves = events.map(({ leaf }) => leaf);
  assert.equal(
    file.proofs.map(({ proof }) => parseTlogProof(proof)?.index),
    leaves,
  );
  const page = await (await viewer.send(path)).text();
  const listed = new Intl.ListFormat('en-US').format(leaves.map(String));
  assert.ok(readMessage(page, 'log-leaves').endsWith(` ${listed}.`));
  await eventually('the access log holds it', async () => {
    const { entries } = (await commands.accessLog(practice.practiceId, {
      record: submissionUuid,
      person: null,
      kind: null,
      onlyUnusual: false,
      since: null,
      until: null,
    })) as { entries: readonly unknown[] };
    return JSON.stringify(entries).includes('record-proofs');
  });
  const foreign = await signInVisitor(url, members.Scribe);
  assert.is((await foreign.send(`${path}/proofs`)).status, 403);
  assert.is((await viewer.send(`/registry/records/${crypto.randomUUID()}/proofs`)).status, 404);
});

proofs.run();

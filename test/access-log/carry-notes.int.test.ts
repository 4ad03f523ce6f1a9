import { rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAccessLogOutbox } from '../../adapters/postgres/outbox/access-log-outbox.ts';
import { createLoadQueueStats } from '../../adapters/postgres/read-model/health-stats.ts';
import { createRelayBatch } from '../../api/access-log/relay-batch.ts';
import { createAccessLogRelay } from '../../api/app/access-log-relay.ts';
import { createNoteAccess } from '../../api/ports/note-access.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import type { OutboxEntry } from '../../domain/access-log/ports.ts';
import { isKnown } from '../../domain/event-log.ts';
import { EventInvalid } from '../../domain/event-log-errors.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const directory = temporaryDirectory('access-log-notes');
let stores: Stores;

test.before(async () => {
  await copyFreshCluster(directory.path);
  stores = await openStores(testSettings(directory.path), 'command', openServiceLog('silent'));
});

test.after(async () => {
  await stores.close();
  directory.remove();
});

const noteOf = (practiceId: string, memberId: string): OutboxEntry => ({
  noteId: randomUUID(),
  correlationId: `request of ${memberId}`,
  actor: { kind: 'member', id: memberId },
  event: { type: 'AccountSignedIn', data: { at: '2026-05-12T10:00:00.000Z', practiceId } },
});

const noteAccess = () => createNoteAccess(stores.db, () => undefined);

const streamIn = (practiceId: string) =>
  stores.log.readStream(`access-${practiceId}-2026-05-12T10`);

const idsOf = (notes: readonly OutboxEntry[]): readonly string[] =>
  notes.map(({ noteId }) => noteId);

test('what several people did is appended at once, each with its own actor and request', async () => {
  const notes = ['ana', 'ben', 'cleo'].map((memberId) => noteOf('together', memberId));
  await Promise.all(notes.map((note) => noteAccess()([note])));
  await createAccessLogRelay(stores)();
  const stored = await streamIn('together');
  assert.equal(
    stored
      .filter(isKnown)
      .map(({ id, metadata: { actor, correlationId } }) => [id, actor.id, correlationId])
      .sort(),
    notes.map(({ noteId, actor, correlationId }) => [noteId, actor.id, correlationId]).sort(),
  );
  assert.is(await createAccessLogOutbox(stores.db).isAnyWaiting(), false);
});

test('after an end between appending and forgetting, each note is in the log once', async () => {
  const { peek } = createAccessLogOutbox(stores.db);
  const note = noteAccess();
  const notes = [noteOf('ends', 'ana'), noteOf('ends', 'ben')];
  await note(notes);
  await rejects(
    createRelayBatch({
      peek,
      append: stores.log.append,
      readStream: stores.log.readStream,
      deadLetter: async () => undefined,
      onSetAside: () => undefined,
      fits: () => true,
      isOutage: () => false,
      delete: async () => {
        throw new Error('The process ended here');
      },
    }),
  );
  assert.is((await streamIn('ends')).length, 2);
  const late = noteOf('ends', 'cleo');
  await note([late]);
  await createAccessLogRelay(stores)();
  assert.equal(
    (await streamIn('ends')).map(({ id }) => id),
    idsOf([...notes, late]),
  );
});

test('two processes at once carry each note once', async () => {
  const notes = Array.from({ length: 100 }, (_, n) => noteOf('raced', `member ${n}`));
  await noteAccess()(notes);
  const [one, other] = [createAccessLogRelay(stores), createAccessLogRelay(stores)];
  await Promise.all([one(), other()]);
  assert.equal((await streamIn('raced')).map(({ id }) => id).sort(), [...idsOf(notes)].sort());
});

test('a note that only a newer build knows is set aside, and tried again at a start', async () => {
  const { enqueue, requeueDeadLetters, isAnyWaiting } = createAccessLogOutbox(stores.db);
  const newer = { ...noteOf('newer', 'ana'), event: { type: 'RecordsPrinted', data: {} } };
  // As that build keeps it: here it is not looked at.
  await enqueue([newer as unknown as OutboxEntry, noteOf('newer', 'ben')]);
  const setAside: number[] = [];
  const carry = createAccessLogRelay(stores, (notes) => setAside.push(notes));
  await carry();
  assert.is((await streamIn('newer')).length, 1);
  assert.equal(setAside, [1]);
  assert.is(await isAnyWaiting(), false);
  assert.is((await createLoadQueueStats(stores.db)()).outboxDeadLetters, 1);

  await requeueDeadLetters();
  assert.is(await isAnyWaiting(), true);
  const known = { type: 'AccountSignedOut', data: noteOf('newer', 'ana').event.data };
  await stores.db
    .updateTable('app.noted_access')
    .set({ event: JSON.stringify(known) })
    .where('note_id', '=', newer.noteId)
    .execute();
  await carry();
  assert.is((await streamIn('newer')).at(-1)?.id, newer.noteId);
});

test('a note that the log would refuse is refused where it is made, and none of its group is kept', async () => {
  const wrong = { ...noteOf('wrong', 'ana'), event: { type: 'RecordsShown', data: {} } };
  await rejects(
    noteAccess()([noteOf('wrong', 'ben'), wrong as unknown as OutboxEntry]),
    EventInvalid,
  );
  assert.is(await createAccessLogOutbox(stores.db).isAnyWaiting(), false);
});

test.run();

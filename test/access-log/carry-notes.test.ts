import { rejects } from 'node:assert/strict';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRelayBatch } from '../../api/access-log/relay-batch.ts';
import type { OutboxEntry, PendingEntry } from '../../domain/access-log/ports.ts';
import { isKnown } from '../../domain/event-log.ts';
import { logInMemory } from '../support/in-memory.ts';

/** Notes on their way, as `app.noted_access` keeps them. */
const newNotes = (...noteIds: readonly string[]) => {
  const waiting = new Map<string, PendingEntry>();
  const aside: string[] = [];
  let made = 0n;
  const note = (noteId: string, practiceId = 'cedar', day = '2026-05-12') => {
    made += 1n;
    waiting.set(noteId, {
      noteId,
      seq: made,
      correlationId: `request of ${noteId}`,
      actor: { kind: 'member', id: `member of ${noteId}` },
      event: { type: 'AccountSignedIn', data: { at: `${day}T10:00:00Z`, practiceId } },
    });
  };
  for (const noteId of noteIds) note(noteId);
  return {
    note,
    waiting: () => [...waiting.keys()],
    peek: async (most: number, after: bigint | null) =>
      [...waiting.values()].filter(({ seq }) => seq > (after ?? 0n)).slice(0, most),
    aside,
    deadLetter: async (refused: readonly string[]) => {
      aside.push(...refused);
      for (const noteId of refused) waiting.delete(noteId);
    },
    fits: ({ noteId }: OutboxEntry) => !noteId.startsWith('of a newer build'),
    isOutage: (error: unknown) => error instanceof Error && error.message === 'The log is away',
    onSetAside: () => undefined,
    delete: async (gone: readonly string[]) => {
      for (const noteId of gone) waiting.delete(noteId);
    },
  };
};

const CEDAR = 'access-cedar-2026-05-12T10';

test('each note becomes the event of its id, in its order, by whom and in which request it was', async () => {
  const notes = newNotes('a', 'b');
  notes.note('c', 'maple');
  const log = logInMemory();
  await createRelayBatch({ ...notes, ...log })();
  const stored = await log.readStream(CEDAR);
  assert.equal(
    stored.map(({ id }) => id),
    ['a', 'b'],
  );
  assert.equal(
    stored
      .filter(isKnown)
      .map(({ metadata: { actor, correlationId } }) => [actor.id, correlationId]),
    [
      ['member of a', 'request of a'],
      ['member of b', 'request of b'],
    ],
  );
  assert.equal((await log.readStream('access-maple-2026-05-12T10')).length, 1);
  assert.equal(notes.waiting(), []);
});

test('a process that ends between appending and forgetting doubles nothing', async () => {
  const notes = newNotes('a', 'b');
  const log = logInMemory();
  const dies = createRelayBatch({
    ...notes,
    ...log,
    delete: async () => {
      throw new Error('The process ended here');
    },
  });
  await rejects(dies);
  assert.equal(notes.waiting(), ['a', 'b']);
  notes.note('c');
  await createRelayBatch({ ...notes, ...log })();
  assert.equal(
    (await log.readStream(CEDAR)).map(({ id }) => id),
    ['a', 'b', 'c'],
  );
  assert.equal(notes.waiting(), []);
});

test('nor does the same process that could not forget, though it knows where the stream ends', async () => {
  const notes = newNotes('a');
  const log = logInMemory();
  let fails = false;
  const carry = createRelayBatch({
    ...notes,
    ...log,
    delete: async (ids) => {
      if (fails) throw new Error('Postgres is away');
      await notes.delete(ids);
    },
  });
  await carry();
  notes.note('b');
  fails = true;
  await rejects(carry);
  fails = false;
  await carry();
  assert.equal(
    (await log.readStream(CEDAR)).map(({ id }) => id),
    ['a', 'b'],
  );
});

test('two processes that carry the same notes append each once', async () => {
  const notes = newNotes('a', 'b');
  const log = logInMemory();
  const [one, other] = [
    createRelayBatch({ ...notes, ...log }),
    createRelayBatch({ ...notes, ...log }),
  ];
  await Promise.all([one(), other()]);
  // Each now believes to know the end; the stream moves on without the other.
  notes.note('c');
  await one();
  notes.note('d');
  await other();
  assert.equal((await log.readStream(CEDAR)).map(({ id }) => id).sort(), ['a', 'b', 'c', 'd']);
});

test('while the log is away the notes stay, and what other streams take is forgotten', async () => {
  const notes = newNotes('a');
  notes.note('b', 'maple');
  const log = logInMemory();
  const away = createRelayBatch({
    ...notes,
    ...log,
    append: async (stream, ...order) => {
      if (stream === CEDAR) throw new Error('The log is away');
      return log.append(stream, ...order);
    },
  });
  await rejects(away);
  assert.equal(notes.waiting(), ['a']);
  await createRelayBatch({ ...notes, ...log })();
  assert.equal(log.typesOf(CEDAR), ['AccountSignedIn']);
});

test('one that the log would refuse is set aside, and the others go on', async () => {
  const notes = newNotes('a', 'of a newer build', 'b');
  const log = logInMemory();
  const told: number[] = [];
  const carry = createRelayBatch({ ...notes, ...log, onSetAside: (aside) => told.push(aside) });
  await carry();
  assert.equal(
    (await log.readStream(CEDAR)).map(({ id }) => id),
    ['a', 'b'],
  );
  assert.equal(notes.aside, ['of a newer build']);
  assert.equal(told, [1]);
  assert.equal(notes.waiting(), []);
});

test('a stream that takes nothing keeps its own notes, however many, and no others', async () => {
  const notes = newNotes(...Array.from({ length: 600 }, (_, n) => `held up ${n}`));
  notes.note('later', 'maple');
  const log = logInMemory();
  const carry = createRelayBatch({
    ...notes,
    ...log,
    append: async (stream, ...order) => {
      if (stream === CEDAR) throw new Error('The stream is deleted');
      return log.append(stream, ...order);
    },
  });
  await rejects(carry, /deleted/);
  assert.is((await log.readStream('access-maple-2026-05-12T10')).length, 1);
  assert.is(notes.waiting().length, 600);
});

test('while the log is away not every note is tried', async () => {
  const notes = newNotes(...Array.from({ length: 600 }, (_, n) => `note ${n}`));
  let tries = 0;
  const carry = createRelayBatch({
    ...notes,
    ...logInMemory(),
    append: async () => {
      tries += 1;
      throw new Error('The log is away');
    },
  });
  await rejects(carry, /away/);
  assert.is(tries, 1);
  assert.is(notes.waiting().length, 600);
});

test('more notes than one append takes keep their order', async () => {
  const ids = Array.from({ length: 150 }, (_, n) => `note ${String(n).padStart(3, '0')}`);
  const notes = newNotes(...ids);
  const log = logInMemory();
  await createRelayBatch({ ...notes, ...log })();
  assert.equal(
    (await log.readStream(CEDAR)).map(({ id }) => id),
    ids,
  );
});

test.run();

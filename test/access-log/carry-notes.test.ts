import { rejects } from 'node:assert/strict';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { carryNotesWith } from '../../api/access-log/carry-notes.ts';
import type { NotedAccess } from '../../domain/access-log/ports.ts';
import { logInMemory } from '../support/log-in-memory.ts';

/** Notes on their way, as `app.noted_access` keeps them. */
const newNotes = (...noteIds: readonly string[]) => {
  const waiting = new Map<string, NotedAccess>();
  const note = (noteId: string, practiceId = 'cedar', day = '2026-05-12') =>
    waiting.set(noteId, {
      ...{ noteId, correlationId: `request of ${noteId}` },
      actor: { kind: 'member', id: `member of ${noteId}` },
      event: { type: 'AccountSignedIn', data: { at: `${day}T10:00:00Z`, practiceId } },
    });
  for (const noteId of noteIds) note(noteId);
  return {
    note,
    waiting: () => [...waiting.keys()],
    oldest: async (most: number) => [...waiting.values()].slice(0, most),
    forget: async (gone: readonly string[]) => {
      for (const noteId of gone) waiting.delete(noteId);
    },
  };
};

const CEDAR = 'access-cedar-2026-05-12T10';

test('each note becomes the event of its id, in its order, by whom and in which request it was', async () => {
  const notes = newNotes('a', 'b');
  notes.note('c', 'maple');
  const log = logInMemory();
  const carry = carryNotesWith({ ...notes, ...log });
  assert.is(await carry(), 3);
  const stored = await log.readStream(CEDAR);
  assert.equal(
    stored.map(({ id }) => id),
    ['a', 'b'],
  );
  assert.equal(
    stored.map(({ metadata: { actor, correlationId } }) => [actor.id, correlationId]),
    [
      ['member of a', 'request of a'],
      ['member of b', 'request of b'],
    ],
  );
  assert.equal((await log.readStream('access-maple-2026-05-12T10')).length, 1);
  assert.equal(notes.waiting(), []);
  assert.is(await carry(), 0);
});

test('a process that ends between appending and forgetting doubles nothing', async () => {
  const notes = newNotes('a', 'b');
  const log = logInMemory();
  const dies = carryNotesWith({
    ...{ ...notes, ...log },
    forget: async () => {
      throw new Error('The process ended here');
    },
  });
  await rejects(dies);
  assert.equal(notes.waiting(), ['a', 'b']);
  notes.note('c');
  const next = carryNotesWith({ ...notes, ...log });
  while ((await next()) > 0);
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
  const carry = carryNotesWith({
    ...{ ...notes, ...log },
    forget: async (ids) => {
      if (fails) throw new Error('Postgres is away');
      await notes.forget(ids);
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
  const [one, other] = [carryNotesWith({ ...notes, ...log }), carryNotesWith({ ...notes, ...log })];
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
  const away = carryNotesWith({
    ...{ ...notes, ...log },
    append: async (stream, ...order) => {
      if (stream === CEDAR) throw new Error('The log is away');
      return log.append(stream, ...order);
    },
  });
  await rejects(away);
  assert.equal(notes.waiting(), ['a']);
  await carryNotesWith({ ...notes, ...log })();
  assert.equal(log.typesOf(CEDAR), ['AccountSignedIn']);
});

test('more notes than one append takes keep their order', async () => {
  const ids = Array.from({ length: 150 }, (_, n) => `note ${String(n).padStart(3, '0')}`);
  const notes = newNotes(...ids);
  const log = logInMemory();
  assert.is(await carryNotesWith({ ...notes, ...log })(), 150);
  assert.equal(
    (await log.readStream(CEDAR)).map(({ id }) => id),
    ids,
  );
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RequestProblem } from '../../api/http/request-problem.ts';
import { ReadingTooCostly } from '../../api/reading/read-pieces.ts';
import {
  createReader,
  createReaderInThisThread,
  type Reader,
  ReaderBusy,
  ReadingFailed,
} from '../../api/reading/reader.ts';
import type { ReadingTask } from '../../api/reading/tasks.ts';
import { buildService } from '../../scripts/build-service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

// A thread does not inherit the loader of the tests: it runs the script that `npm start` runs.
const SCRIPT = new URL('../../dist/scripts/serve-reading.js', import.meta.url);

const reading = suite<{ reader: Reader }>('reading in a thread of its own');

reading.before((context) => {
  buildService('ignore');
  context.reader = createReader(SCRIPT);
});
reading.after(({ reader }) => reader.stop());

type BodyTask = Extract<ReadingTask, { readonly kind: 'body' }>;

const bodyOf = (text: string): BodyTask => ({
  kind: 'body',
  pieces: [Uint8Array.from(Buffer.from(text))],
  reading: { keyKind: 'native', registryCodeSystems: [] },
});

const batch = (count: number): BodyTask =>
  bodyOf(
    JSON.stringify(
      batchOf(Array.from({ length: count }, (_, n) => birthBundle({ chartNumber: `C${n}` }))),
    ),
  );

const readHere = createReaderInThisThread();

/** More objects than the heap of a small thread holds. */
const MANY_VALUES = `{"resourceType":"Bundle","entry":[${'{"a":{}},'.repeat(600_000)}{}]}`;

reading('a batch is read as it is in the calling thread', async ({ reader }) => {
  assert.equal(await reader.read('key', batch(130)), await readHere.read('key', batch(130)));
});

reading('a CSV file is read as it is in the calling thread', async ({ reader }) => {
  const file = (): ReadingTask => ({
    kind: 'file',
    pieces: [
      Uint8Array.from(Buffer.from(`chart_number,mother_family_name\n${'C1,Okafor\n'.repeat(300)}`)),
    ],
    sheetName: '',
  });
  assert.equal(await reader.read('account', file()), await readHere.read('account', file()));
});

reading('a refusal has the text and the status that it has in the calling thread', async (c) => {
  const refusal = async (reader: Reader) => {
    try {
      return await reader.read('key', bodyOf('{"resourceType":"Bundle"'));
    } catch (error) {
      assert.instance(error, RequestProblem);
      const { status, code, diagnostics, expression } = error as RequestProblem;
      return { status, code, diagnostics, expression };
    }
  };
  assert.equal(await refusal(c.reader), await refusal(readHere));
  assert.is((await c.reader.read('key', batch(1))).kind, 'read');
});

reading('owners take turns, whoever came first with many', async ({ reader }) => {
  const ended: string[] = [];
  const read = (owner: string) => reader.read(owner, batch(2)).then(() => ended.push(owner));
  await Promise.all([read('busy'), read('busy'), read('busy'), read('busy'), read('other')]);
  assert.equal(ended, ['busy', 'busy', 'other', 'busy', 'busy']);
});

reading(
  'a chart is read before files that came first: a clinician waits for it',
  async ({ reader }) => {
    const ended: string[] = [];
    const file: ReadingTask = {
      kind: 'file',
      pieces: [Uint8Array.from(Buffer.from(`chart_number\n${'C1\n'.repeat(300)}`))],
      sheetName: '',
    };
    const chart: ReadingTask = { kind: 'chart', pieces: [], timeZones: [], now: new Date() };
    const read = (name: string, task: ReadingTask) =>
      reader.read(name, structuredClone(task)).finally(() => ended.push(name));
    await Promise.allSettled([
      read('first', file),
      read('second', file),
      read('clinician', chart),
      read('sender', batch(1)),
    ]);
    assert.equal(ended, ['first', 'clinician', 'sender', 'second']);
  },
);

reading('an input that needs too much memory ends its thread only', async () => {
  const small = createReader(SCRIPT, { heapMib: 48, readingMs: 60_000, waitingMs: 60_000 });
  try {
    const [costly, next] = await Promise.allSettled([
      small.read('key', bodyOf(MANY_VALUES)),
      small.read('key', batch(1)),
    ]);
    assert.ok(costly.status === 'rejected' && costly.reason instanceof ReadingTooCostly);
    assert.ok(next.status === 'fulfilled' && next.value.kind === 'read');
  } finally {
    await small.stop();
  }
});

reading('an input that takes too long is given up, and one that waits too long', async () => {
  const strict = createReader(SCRIPT, { heapMib: 512, readingMs: 1, waitingMs: 60_000 });
  const impatient = createReader(SCRIPT, { heapMib: 512, readingMs: 60_000, waitingMs: 1 });
  try {
    const [costly] = await Promise.allSettled([strict.read('key', bodyOf(MANY_VALUES))]);
    assert.ok(costly.status === 'rejected' && costly.reason instanceof ReadingTooCostly);
    const [first, second] = await Promise.allSettled([
      impatient.read('key', bodyOf(MANY_VALUES)),
      impatient.read('other', batch(1)),
    ]);
    assert.is(first.status, 'fulfilled');
    assert.ok(second.status === 'rejected' && second.reason instanceof ReaderBusy);
  } finally {
    await strict.stop();
    await impatient.stop();
  }
});

reading('a stopped reader refuses what comes later, instead of asking to wait', async () => {
  const stopped = createReader(SCRIPT);
  await stopped.stop();
  const fault = await stopped.read('key', batch(1)).then(
    () => null,
    (error: Error) => error,
  );
  assert.instance(fault, ReadingFailed);
});

reading.run();

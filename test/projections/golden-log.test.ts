import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { RecordedEvent } from '@eventstore/db-client';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readEvent } from '../../adapters/event-log/event-catalog.ts';
import { EVENT_SCHEMAS } from '../../adapters/event-log/schemas/event-schemas.ts';
import type { Database } from '../../adapters/postgres/connection/row-types.ts';
import { createIndexes, createReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { type ForeignEvent, isKnown, type StoredEvent } from '../../domain/event-log.ts';
import type { Change, Projection, Row } from '../../projections/projection.ts';
import { READ_MODEL_PARTS, READ_TABLES } from '../../projections/read-model.ts';
import { listForeignEvent } from '../../projections/tables/foreign-streams.ts';
import { listRetention } from '../../projections/tables/stream-retentions.ts';
import { readCompressed, rowsOf, type StoredCopy } from '../harness/stored-copy.ts';

const SAVED = 'test/projections/table-hashes.json';
const SAVE = 'npx tsx test/projections/golden-log.test.ts --save';

/** Hash of the golden log, and the versions of the read tables with the hashes of what the log makes of them. */
interface Saved {
  readonly log: string;
  readonly parts: Readonly<Record<string, Part>>;
}

interface Part {
  readonly version: number;
  /** Hashes by table or view. */
  readonly tables: Readonly<Record<string, string>>;
}

interface WrittenEvent {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** JSON. */
  readonly data: string;
  readonly metadata: string;
}

const readJson = <Value>(file: string): Value => JSON.parse(readFileSync(file, 'utf8'));
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The log of a service of release 0.2.0, in order. */
const readReleasedLog = async (): Promise<readonly WrittenEvent[]> => {
  const copy = await readCompressed<StoredCopy>('test/fixtures/0.2.0/registry.json.br');
  const decode = (hex: string): string => Buffer.from(hex.slice(2), 'hex').toString();
  type StoredRow = WrittenEvent & { readonly position: number; readonly meta: string };
  return rowsOf<StoredRow>(copy, 'eventstore.event')
    .toSorted((one, other) => one.position - other.position)
    .map(({ stream, revision, type, data, meta }) => ({
      stream,
      revision,
      type,
      data: decode(data),
      metadata: decode(meta),
    }));
};

const LOG: readonly WrittenEvent[] = [
  ...(await readReleasedLog()),
  // Changes that do not occur there.
  ...readJson<readonly WrittenEvent[]>('test/fixtures/golden-log.json'),
  // Every type of event, in another practice or about nothing that exists.
  ...readJson<readonly WrittenEvent[]>('test/fixtures/eventstore/events.json').map((sample) => {
    const { stream } = EVENT_SCHEMAS[sample.type as keyof typeof EVENT_SCHEMAS];
    return { ...sample, stream: stream === 'registry' ? stream : `${stream}-x`, revision: 0 };
  }),
];

/** Reads an event. @returns nothing for the one whose stream the release parked */
const read = (
  { stream, revision, type, data, metadata }: WrittenEvent,
  position: number,
): readonly StoredEvent[] => {
  try {
    const stored = readEvent({
      event: {
        id: `event-${position}`,
        streamId: stream,
        revision: BigInt(revision),
        position: { commit: BigInt(position), prepare: BigInt(position) },
        isJson: true,
        type,
        data: JSON.parse(data),
        metadata: JSON.parse(metadata),
      } as unknown as RecordedEvent,
    });
    return isKnown(stored) ? [stored] : [];
  } catch {
    return [];
  }
};

const PROJECTIONS = READ_MODEL_PARTS.filter(
  (part) => 'on' in part,
) as unknown as readonly Projection[];

/** Rows by table and key, and everything that each table ever contained. */
const tables = new Map(
  READ_TABLES.map(({ name, key }) => [
    name,
    { key, rows: new Map<string, Row>(), history: [] as string[] },
  ]),
);

const toText = (row: Row): string => JSON.stringify(Object.entries(row).sort());

/** Applies a change. @returns false if it changes no row */
const apply = (change: Change): boolean => {
  const table = tables.get(change.table);
  if (table === undefined) throw new Error(`No projection owns the table ${change.table}.`);
  const { key, rows, history } = table;
  const keyOf = (row: Row): string => JSON.stringify(key.map((name) => row[name]));
  const put = (row: Row): void => {
    rows.set(keyOf(row), row);
    history.push(toText(row));
  };
  if (change.kind === 'put') put(change.row);
  if (change.kind === 'patch') {
    const row = rows.get(keyOf(change.key));
    if (row === undefined) return false;
    put({ ...row, ...change.set });
  }
  if (change.kind === 'replace') {
    const owner = Object.entries(change.owner);
    const replaced = [...rows].filter(([, row]) =>
      owner.every(([name, value]) => row[name] === value),
    );
    for (const [at, row] of replaced) {
      rows.delete(at);
      history.push(`- ${toText(row)}`);
    }
    change.rows.forEach(put);
    return replaced.length + change.rows.length > 0;
  }
  return true;
};

type AnyHandler = (data: unknown, stored: StoredEvent) => readonly Change[];

/** Handlers that changed a table, as the name of the projection and the type of the event. */
const effective = new Set<string>();
const foreign: ForeignEvent = {
  id: 'event',
  stream: 'key-orders',
  revision: 4n,
  position: 0n,
  event: null,
  foreign: { type: 'OrderPlaced', problem: 'Not an event of ours' },
};
apply(listForeignEvent(foreign));
for (const stream of ['record-a', 'record-b'])
  apply(listRetention({ kind: 'retention', stream, position: 0n, isSet: true }));
apply(listRetention({ kind: 'retention', stream: 'record-a', position: 0n, isSet: false }));
for (const stored of LOG.flatMap(read))
  for (const { name, on } of PROJECTIONS) {
    const { type, data } = stored.event;
    const handle = (on as Readonly<Record<string, AnyHandler>>)[type];
    for (const change of handle?.(data, stored) ?? [])
      if (apply(change)) effective.add(`${name} ${type}`);
  }

test('the golden log reaches every handler that can change a table', () => {
  const unreached = PROJECTIONS.flatMap(({ name, on }) =>
    Object.entries(on)
      // One without parameters changes nothing.
      .filter(([type, handle]) => handle.length > 0 && !effective.has(`${name} ${type}`))
      .map(([type]) => `${name} ${type}`),
  );
  assert.equal(unreached, []);
});

/** Statements that create the read tables, by the table or view. */
const definitions = new Map<string, string[]>();
const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (one) => new PostgresIntrospector(one),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  log: ({ query }) => {
    const name = /"read"\."(\w+)"/.exec(query.sql)?.[1] ?? '';
    definitions.set(name, [...(definitions.get(name) ?? []), query.sql.replace(/\s+/g, ' ')]);
  },
});
await createReadSchema(db, 'read', 'registry');
await createIndexes([db], 'read');

const hashTable = (name: string): string => {
  const definition = definitions.get(name);
  if (definition === undefined) throw new Error(`Nothing creates ${name}.`);
  return hash([...definition, ...(tables.get(name)?.history ?? [])].join('\n'));
};

const listTables = (part: object & { readonly name: string }): readonly string[] =>
  'tables' in part ? (part as Projection).tables.map(({ name }) => name) : [part.name];

const current: Saved = {
  log: hash(JSON.stringify(LOG)),
  parts: Object.fromEntries(
    READ_MODEL_PARTS.map((part): [string, Part] => [
      part.name,
      {
        version: part.version,
        tables: Object.fromEntries(listTables(part).map((name) => [name, hashTable(name)])),
      },
    ]),
  ),
};

/** Differences that need a change of the code, or of the golden log, before they can be saved. */
const findMistakes = (saved: Saved): readonly string[] =>
  Object.entries(current.parts).flatMap(([name, { version, tables: hashes }]) => {
    const before = saved.parts[name];
    if (before === undefined || saved.log !== current.log) return [];
    const isSame = JSON.stringify(before.tables) === JSON.stringify(hashes);
    if (version < before.version || (!isSame && version === before.version))
      return [
        `${name} makes other tables: raise its \`version\` to ${before.version + 1}, then run ${SAVE}`,
      ];
    if (isSame && version > before.version)
      return [
        `${name} has version ${version}, but the same tables: show the change in test/fixtures/golden-log.json, or take it back`,
      ];
    return [];
  });

test('the read tables change with their versions, and only then', () => {
  const saved = readJson<Saved>(SAVED);
  assert.equal(findMistakes(saved), []);
  if (process.argv.includes('--save'))
    writeFileSync(SAVED, `${JSON.stringify(current, null, 2)}\n`);
  else assert.equal(current, saved, `Run ${SAVE}, and commit ${SAVED}.`);
});

test.run();

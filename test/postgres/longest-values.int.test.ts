import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { readEvent } from '../../adapters/event-log/event-catalog.ts';
import { createPasskeyStore } from '../../adapters/postgres/access/passkeys.ts';
import { createSingleSignOnStore } from '../../adapters/postgres/access/single-sign-on.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { migrate } from '../../adapters/postgres/migrations/migrate.ts';
import { applyPrepared, prepareBatch } from '../../adapters/postgres/projector/apply-entries.ts';
import {
  ensureReadSchema,
  findLastApplied,
} from '../../adapters/postgres/projector/read-schema.ts';
import { isCachedStream } from '../../adapters/postgres/read-model/stream-cache.ts';
import { checkEmail } from '../../domain/account/credentials.ts';
import { MAX_ISSUER_LENGTH } from '../../domain/account/single-sign-on/decide.ts';
import { MAX_CHART_NUMBER, readChartNumber } from '../../domain/course/chart-number.ts';
import { foldChartNumber, parseSearchWords } from '../../domain/course/search-words.ts';
import type { ForeignEvent, LogEntry } from '../../domain/event-log.ts';
import { isStorableName, practiceStream, shortenStreamName } from '../../domain/stream-names.ts';
import { parseName } from '../../domain/text-input.ts';
import { getRefusedItemKey } from '../../domain/work-items/items.ts';
import { databaseSuite } from '../harness/postgres.ts';
import { newPractice, push, startTestService } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

const longest = databaseSuite('the longest values that reach an index');

longest.before(async ({ db }) => {
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
});

/** Random, because index entries are compressed. */
const makeText = (length: number, [from, to]: readonly [number, number]): string =>
  Array.from({ length }, () => String.fromCodePoint(randomInt(from, to))).join('');

// Lengths count UTF-16 units, so a text of these is the longest in bytes.
const ofThreeBytes = (length: number) => makeText(length, [0x4e00, 0x9fff]);
const ofFourBytes = (length: number) => makeText(length, [0x20000, 0x2a6df]);
const ofOneByte = (length: number) => randomBytes(length).toString('base64url').slice(0, length);

const requireNull = (problem: unknown, text: string): string => {
  assert.is(problem, null);
  return text;
};

const makeChartNumber = (): string => {
  const chart = ofThreeBytes(MAX_CHART_NUMBER);
  assert.equal(readChartNumber(chart), { kind: 'chart number', value: chart });
  return chart;
};

const makeOperator = (): string => {
  const name = ofThreeBytes(100);
  assert.equal(parseName(name, 100), { kind: 'named', name });
  return name;
};

const makeEmail = (): string => {
  const email = `${ofThreeBytes(246)}@x.exam`;
  return requireNull(checkEmail(email), email);
};

const makeIssuer = (): string => `https://${ofThreeBytes(MAX_ISSUER_LENGTH - 8)}`;

const makeStream = (): string => shortenStreamName(practiceStream(ofThreeBytes(5_000)));

/** Values that come from outside, by column, each the longest that passes its check. */
const FROM_OUTSIDE: Readonly<Record<string, () => unknown>> = {
  'app.kept_stream.stream': makeStream,
  'app.passkey.credential_id': () => randomBytes(1_023).toString('base64url'),
  'app.sso_identity.issuer': makeIssuer,
  'app.sso_identity.subject': () => ofOneByte(255),
  'app.sso_logout.issuer': makeIssuer,
  'app.sso_logout.sid': () => ofOneByte(1_000),
  'app.sso_logout.subject': () => ofOneByte(255),
  'read.birth_record.chart_folded': () => {
    // One character becomes many.
    const folded = foldChartNumber('\ufdfa'.repeat(MAX_CHART_NUMBER));
    assert.is(folded.length, MAX_CHART_NUMBER);
    return ofFourBytes(folded.length);
  },
  'read.birth_record.stream': makeStream,
  'read.birth_record.words': () => {
    const [word = ''] = parseSearchWords(ofFourBytes(200));
    assert.is([...word].length, 60);
    return Array.from({ length: 100 }, () => ofFourBytes(60)).join(' ');
  },
  'read.career_entry.stream': makeStream,
  'read.foreign_stream.stream': makeStream,
  'read.member.email': makeEmail,
  'read.parked_stream.stream': makeStream,
  'read.record_opening.actor_id': makeOperator,
  'read.refused_record.item_key': () => getRefusedItemKey('', 0, makeChartNumber()),
  'read.stream_retention.stream': makeStream,
  'read.work_dismissed.item_key': () => getRefusedItemKey('', 0, makeChartNumber()),
  'read.work_taken.item_key': () => getRefusedItemKey('', 0, makeChartNumber()),
};

/** Ids, keyed hashes, days, and words that the registry makes, by the name of their column. */
const OWN: ReadonlySet<string> = new Set(
  `account_id bucket born browser day digest entry_id field_id file_hash fingerprints form form_id id
  import_id ingestion_id item key_id kind member_id name named_id origin partner_id part path place
  practice_id prefill_ids provider_id record_ids registry_id sid staff_id state_hash survivor_id
  token_digest`.split(/\s+/),
);

const makeValue = (place: string, type: string): unknown => {
  const from = FROM_OUTSIDE[place];
  if (from !== undefined) return from();
  assert.ok(OWN.has(place.split('.')[2] ?? ''), `${place} has no longest value here`);
  const text = `${randomUUID()}.${randomUUID()}`;
  if (type === 'jsonb') return JSON.stringify([text]);
  return type === 'text[]' ? [text] : text;
};

interface IndexedTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly indexes: readonly string[];
}

/** All tables with their indexes, and the columns of variable length that these have. */
const listTables = async (db: Db): Promise<readonly IndexedTable[]> => {
  const { rows } = await sql<IndexedTable>`
    select pg_indexes.schemaname || '.' || tablename as name,
      array_agg(indexdef) as indexes,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null)))
        from pg_attribute
        where attrelid = (pg_indexes.schemaname || '.' || tablename)::regclass and attnum > 0
          and not attisdropped and attlen = -1
          and exists (select from unnest(array_agg(indexdef)) as def
            where split_part(def, ' WHERE ', 1) ~ ('\\m' || attname || '\\M'))) as columns
    from pg_indexes
    where pg_indexes.schemaname in ('read', 'app')
    group by 1, pg_indexes.schemaname, tablename order by 1`.execute(db);
  return rows.filter(({ columns }) => columns !== null);
};

longest('fit into every index', async ({ db }) => {
  const met = new Set<string>();
  for (const { name, columns, indexes } of await listTables(db)) {
    const row: Record<string, unknown> = {};
    for (const column of columns) {
      met.add(`${name}.${column.name}`);
      row[column.name] = makeValue(`${name}.${column.name}`, column.type);
    }
    // Without conditions, so that every index has the row.
    await sql`create table public.longest as select * from ${sql.table(name)} with no data`.execute(
      db,
    );
    for (const index of indexes)
      await sql
        .raw(
          (index.split(' WHERE ')[0] ?? '').replace(
            / INDEX \w+ ON \S+ /,
            ' INDEX ON public.longest ',
          ),
        )
        .execute(db);
    await db
      .insertInto('public.longest' as never)
      .values(row as never)
      .execute();
    await sql`drop table public.longest`.execute(db);
  }
  assert.equal(
    Object.keys(FROM_OUTSIDE).filter((place) => !met.has(place)),
    [],
  );
});

longest('no longer name of a stream is stored', async () => {
  assert.ok(isCachedStream(practiceStream('p')));
  for (const name of [ofThreeBytes(3_000), 'with\0nul', `${'x'.repeat(490)}${ofFourBytes(20)}`]) {
    const stream = practiceStream(name);
    assert.not.ok(isCachedStream(stream));
    assert.not.ok(isStorableName(stream));
    const stored = shortenStreamName(stream);
    assert.ok(isStorableName(stored));
    assert.is(Buffer.from(stored).toString(), stored);
  }
});

/** Events of another program in streams of these names, and one that no projection can handle. */
const listEntries = (streams: readonly string[]): readonly LogEntry[] => {
  const data = {
    get practiceId() {
      throw new RangeError('Invalid time value');
    },
  };
  const place = { id: randomUUID(), revision: 0n, position: 1n };
  const foreign = streams.map((stream): LogEntry => {
    const event = { ...place, type: 'Order\0Placed', streamId: stream, isJson: true, data: {} };
    const stored = readEvent({ event: { ...event, metadata: {} } as never });
    return { kind: 'foreign', stored: stored as ForeignEvent, leaf: randomBytes(32) };
  });
  const stored = { ...place, stream: 'work-1', event: { type: 'WorkTaken', data }, metadata: {} };
  return [{ kind: 'event', stored: stored as never, leaf: randomBytes(32) }, ...foreign];
};

longest('names of streams that the database cannot store stall nothing', async ({ db }) => {
  const names = ['key-1', practiceStream(ofThreeBytes(3_000)), 'key-with\0nul'];
  const entries = listEntries(names);
  const applied = await db.transaction().execute(async (transaction) => {
    const last = findLastApplied(entries);
    await sql`update read.checkpoint set last_applied = ${last}::jsonb`.execute(transaction);
    const ready = await prepareBatch('read', entries, new Set());
    return applyPrepared(transaction, 'read', ready, null);
  });
  assert.equal(applied.parked, ['work-1']);
  assert.match(String(findLastApplied(entries)), '"key-1"');
  const parked = await db.selectFrom('read.parked_stream').select('problem').execute();
  assert.equal(parked, [{ problem: 'RangeError' }]);
  const listed = await db.selectFrom('read.foreign_stream').select('stream').execute();
  assert.equal(
    listed.map(({ stream }) => stream).toSorted(),
    names.map(shortenStreamName).toSorted(),
  );
});

longest('are stored by sign-in', async ({ db }) => {
  const passkey = {
    credentialId: randomBytes(1_023).toString('base64url'),
    publicKey: randomBytes(500),
    transports: [],
    isSyncedKind: false,
    name: ofThreeBytes(60),
    counter: 0,
    isBackedUp: false,
  };
  assert.ok(await createPasskeyStore(db).add('account', passkey));
  const ended = {
    issuer: makeIssuer(),
    tokenId: ofOneByte(1_000),
    sid: ofOneByte(1_000),
    subject: ofOneByte(255),
    issuedAt: new Date(),
  };
  assert.ok(await createSingleSignOnStore(db, null as never).endSessions(ended));
});

longest('are projected from what was pushed, and park nothing', async () => {
  const service = await startTestService();
  try {
    const { token } = await newPractice(service.commands);
    const chartNumber = makeChartNumber();
    const given = Array.from({ length: 10 }, () => ofThreeBytes(100));
    const mother = { given, family: ofThreeBytes(200) };
    const first = await push(service.url, token, birthBundle({ chartNumber, mother }));
    assert.is(first.status, 'completed');
    const refused = birthBundle({ chartNumber: makeChartNumber(), mother: null });
    assert.is((await push(service.url, token, refused)).status, 'completed');
    const { problems } = await service.commands.verify();
    assert.equal(problems, []);
  } finally {
    await service.stop();
  }
});

longest.run();

import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { type Db, openDatabase } from '../../adapters/postgres/connection/database.ts';
import { startService } from '../../api/app/service.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { verify } from '../../api/operator/verify.ts';
import type { Verification } from '../../api/operator/verify-log.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Settings } from '../../api/settings/settings.ts';
import { eventually } from '../harness/eventually.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { newPractice, push, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

interface Context {
  /** The database of the stopped service, for whoever can write to it. */
  db: Db;
  settings: Settings;
  commands: Awaited<ReturnType<typeof openCommands>>;
  places: readonly Place[];
  close: () => Promise<void>;
}

/** A stopped service, and whoever may write to the log's own tables. */
const changed = suite<Context>('a log that was changed');
const silent = openServiceLog('silent');

changed.before(async (context) => {
  const directory = temporaryDirectory('changed-log');
  await copyFreshCluster(directory.path);
  const settings = testSettings(directory.path);
  const service = await startService(settings, silent);
  await eventually('ready', async () => (await fetch(`${service.url}/health/ready`)).ok);
  const commands = await openCommands(settings, silent);
  const { token } = await newPractice(commands);
  for (const chartNumber of ['A', 'B', 'C', 'D'])
    await push(service.url, token, birthBundle({ chartNumber }));
  await commands.close();
  await service.stop();
  const hosted = await hostPostgres({ dataDir: settings.dataDir });
  context.settings = settings;
  context.db = openDatabase(hosted.url, 1);
  context.commands = await openCommands(settings, silent);
  context.close = async () => {
    await context.commands.close();
    await context.db.destroy();
    await hosted.stop();
    directory.remove();
  };
});
changed.after(({ close }) => close());

const writing = async (db: Db, statements: readonly string[]): Promise<void> => {
  await sql`alter table eventstore.event disable trigger event_append_only`.execute(db);
  for (const statement of statements) await sql.raw(statement).execute(db);
  await sql`alter table eventstore.event enable trigger event_append_only`.execute(db);
};

/** Events of ours in the order of the log: their places, and what names them. */
const placesOf = async (db: Db) => {
  const { rows } = await sql<{ position: string; stream: string; revision: string }>`
    select position, stream, revision from eventstore.event
    where stream not like '$%' order by position`.execute(db);
  return rows.map(({ position, stream, revision }) => ({
    position: Number(position),
    stream,
    revision: Number(revision),
  }));
};

type Place = Awaited<ReturnType<typeof placesOf>>[number];

const named = ({ stream, revision }: Place, problem: string) =>
  `${stream} ${revision}: Revision ${revision} ${problem}`;

/** What `verify` says of the tree: the stream and the revision that it names, and the beginning of the problem. */
const toldOf = ({ problems }: Verification) =>
  problems
    .filter(({ problem }) => /\bits tree\b|log’s tree/.test(problem))
    .map(({ stream, revision, problem }) =>
      revision === undefined
        ? `${stream}: ${problem.slice(0, 7).toLowerCase()}`
        : `${stream} ${revision}: ${problem.split(BEGINNING_ENDS)[0]}`,
    )
    .toSorted();

const BEGINNING_ENDS = /, which|, leaf| of the log than|: it is| among/;

/** What `verify` says of checkpoints. */
const ofCheckpoints = ({ problems }: Verification) =>
  problems.map(({ problem }) => problem).filter((problem) => problem.includes('checkpoint'));

interface Row {
  readonly done: string;
  readonly statements: (places: readonly Place[]) => readonly string[];
  readonly told: (places: readonly Place[]) => readonly string[];
}

/** One of the births' events. */
const at = (places: readonly Place[], index: number): Place => {
  const place = places.filter(({ stream }) => /^(?:record|ingestion)-/.test(stream)).at(index);
  if (place === undefined) throw new Error(`No event at ${index}`);
  return place;
};

const changeByte = ({ position }: Place, column: 'data' | 'meta') =>
  `update eventstore.event set ${column} = set_byte(${column}, length(${column}) - 4,
    get_byte(${column}, length(${column}) - 4) # 1) where position = ${position}`;

const remove = ({ position }: Place) => `delete from eventstore.event where position = ${position}`;

/** A copy of an event under another name, just behind another. */
const insert = (of: Place, behind: Place, stream: string) =>
  `insert into eventstore.event
    select ${behind.position + 1}, '${stream}', 0, gen_random_uuid(), type, is_json, data, meta, created
    from eventstore.event where position = ${of.position}`;

const CHANGED = 'is not the event that was written';
const MOVED = 'stands in another place';
const LOST = 'is lost with the end of the log';

const ROWS: readonly Row[] = [
  {
    done: 'a byte of an event',
    statements: (places) => [changeByte(at(places, 1), 'data')],
    told: (places) => [named(at(places, 1), CHANGED)],
  },
  {
    done: 'a byte of what is known about an event',
    statements: (places) => [changeByte(at(places, 0), 'meta')],
    told: (places) => [named(at(places, 0), CHANGED)],
  },
  {
    done: 'two events are swapped',
    statements: (places) => {
      const [one, other] = [at(places, 1), at(places, 4)];
      const move = (from: number, to: number) =>
        `update eventstore.event set position = ${to} where position = ${from}`;
      return [move(one.position, -9), move(other.position, one.position), move(-9, other.position)];
    },
    told: (places) => [named(at(places, 1), MOVED), named(at(places, 4), MOVED)],
  },
  {
    done: 'two neighbors are swapped, each in the place of the other',
    statements: (places) => {
      const [one, other] = [at(places, 2), at(places, 3)];
      const held = `(select data from eventstore.kept where position = `;
      return [
        `update eventstore.event set data = ${held}${other.position}) where position = ${one.position}`,
        `update eventstore.event set data = ${held}${one.position}) where position = ${other.position}`,
      ];
    },
    told: (places) => [named(at(places, 2), CHANGED), named(at(places, 3), CHANGED)],
  },
  {
    done: 'one is removed, with all of its stream',
    statements: (places) => [remove(at(places, 2))],
    told: (places) => [named(at(places, 2), 'is missing')],
  },
  {
    done: 'one is inserted',
    statements: (places) => [insert(at(places, 0), at(places, 2), 'record-forged')],
    told: () => ['record-forged 0: Revision 0 was put into the log'],
  },
  {
    done: 'the tail is cut',
    statements: (places) => places.slice(-3).map(remove),
    told: (places) => ['$all: the end', ...places.slice(-3).map((place) => named(place, LOST))],
  },
  {
    done: 'an older backup takes its place, and goes on',
    statements: (places) => [
      ...places.slice(-4).map(remove),
      insert(at(places, -1), places.at(-5) ?? at(places, 0), 'record-later').replace(
        'eventstore.event where',
        'eventstore.kept where',
      ),
    ],
    told: (places) => [
      '$all: the end',
      ...places.slice(-4).map((place) => named(place, LOST)),
      'record-later 0: Revision 0 was put into the log',
    ],
  },
];

const AS_IT_WAS = [
  'delete from eventstore.event',
  'insert into eventstore.event select * from eventstore.kept',
];

changed('as it was written there is nothing to tell', async (context) => {
  context.places = await placesOf(context.db);
  const { problems, events, tree } = await context.commands.verify();
  assert.equal(problems, []);
  assert.is(tree.size, events);
  await writing(context.db, ['create table eventstore.kept as select * from eventstore.event']);
});

for (const { done, statements, told } of ROWS)
  changed(done, async ({ db, commands, places }) => {
    await writing(db, [...AS_IT_WAS, ...statements(places)]);
    assert.equal(toldOf(await commands.verify()), told(places).toSorted());
  });

changed('a kept checkpoint tells of it too', async ({ db, commands, places }) => {
  await writing(db, [...AS_IT_WAS, changeByte(at(places, 0), 'data')]);
  const [first, ...others] = ofCheckpoints(await commands.verify());
  assert.match(first ?? '', /^This is not the log that the checkpoint of 20\S+Z was signed for/);
  assert.equal(others, []);
  await writing(db, [...AS_IT_WAS, ...places.slice(-3).map(remove)]);
  assert.match(ofCheckpoints(await commands.verify())[0] ?? '', /^The end of the log is missing/);
});

changed('a kept checkpoint that was changed is told beside what else is found', async (context) => {
  const { db, commands, places } = context;
  const moved = (by: number) =>
    `update app.log_checkpoint set size = size + ${by}
     where size = (select max(size) from app.log_checkpoint)`;
  await writing(db, [...AS_IT_WAS, changeByte(at(places, -1), 'data'), moved(1_000)]);
  const { problems } = await commands.verify();
  await writing(db, [moved(-1_000)]);
  const words = problems.map(({ problem }) => problem).join('\n');
  assert.match(words, /^The checkpoint of 20\S+Z, for 1,\d{3} events, is not as it was signed\./m);
  assert.match(words, /^Revision \d+ is not the event that was written/m);
});

changed('a kept checkpoint that no key of the log has signed is told', async (context) => {
  const { db, commands } = context;
  await writing(db, AS_IT_WAS);
  const { checkpoint } = await commands.checkpoint();
  const [signature = ''] = /\S+$/.exec(checkpoint.trimEnd()) ?? [];
  const forged = [...signature].toReversed().join('').replace(/^=+/, '');
  const put = (from: string, to: string) =>
    sql`update app.log_checkpoint set note = replace(note, ${from}, ${to})`.execute(db);
  await put(` ${signature}\n`, ` ${forged.slice(0, -(forged.length % 4) || undefined)}\n`);
  const told = ofCheckpoints(await commands.verify());
  await writing(db, [
    'delete from app.log_checkpoint where size = (select max(size) from app.log_checkpoint)',
  ]);
  assert.is(told.length, 1);
  assert.match(told[0] ?? '', /^The checkpoint of 20\S+Z, for \d+ events, is not as it was signed/);
  await commands.checkpoint();
  assert.equal((await commands.verify()).problems, []);
});

changed('a tree that was damaged is not taken for a log that was changed', async (context) => {
  const { db, commands, places } = context;
  const held = ['log_leaf', 'log_tile'];
  const damaged = async (statement: string) => {
    for (const table of held)
      await writing(db, [`create table read.kept_${table} as table read.${table}`]);
    await writing(db, [statement]);
    const { problems } = await commands.verify();
    for (const table of held)
      await writing(db, [
        `delete from read.${table}`,
        `insert into read.${table} table read.kept_${table}`,
        `drop table read.kept_${table}`,
      ]);
    return problems.map(({ stream, problem }) => `${stream}: ${problem}`);
  };
  const TREE =
    '$all: The log’s tree in the read tables is damaged. Run `rebuild`, which makes it from the log.';
  await writing(db, AS_IT_WAS);
  assert.equal(await damaged('update read.log_leaf set hash = sha256(hash) where leaf_index = 3'), [
    TREE,
  ]);
  assert.equal(await damaged('delete from read.log_leaf where leaf_index = 3'), [TREE]);
  assert.equal(
    await damaged(`update read.log_leaf set event = 'record-other' where leaf_index = 3`),
    [TREE],
  );
  await writing(db, [changeByte(at(places, -1), 'data')]);
  const both = await damaged('delete from read.log_leaf where leaf_index = 3');
  assert.ok(both.includes(TREE));
  assert.match(both.join('\n'), /This is not the log that the checkpoint of/);
});

changed('an event of a stream with a space in its name is told', async (context) => {
  const { db, commands, places } = context;
  await writing(db, [...AS_IT_WAS, insert(at(places, 0), at(places, 2), 'record-forged here')]);
  assert.equal(toldOf(await commands.verify()), [
    'record-forged here 0: Revision 0 was put into the log',
  ]);
});

changed('the stream that holds the keys is named as any other', async (context) => {
  const { db, settings, places } = context;
  // A command that runs alone wants the log for itself.
  await context.commands.close();
  const told = async (...statements: readonly string[]) => {
    await writing(db, [...AS_IT_WAS, ...statements]);
    return toldOf(await verify(settings, silent, NO_REPORTER, null));
  };
  const [founded, key] = places.filter(({ stream }) => stream === 'registry');
  assert.ok(founded && key);
  assert.equal(await told(changeByte(founded, 'data')), [named(founded, CHANGED)]);
  assert.equal(await told(changeByte(key, 'meta')), [named(key, CHANGED)]);
  assert.equal(await told(remove(founded), remove(key)), [
    named(founded, 'is missing'),
    named(key, 'is missing'),
  ]);
  assert.equal(
    (await placesOf(db)).filter(({ stream }) => stream === 'registry'),
    [],
    'no other registry is founded',
  );
  await writing(db, AS_IT_WAS);
  context.commands = await openCommands(settings, silent);
});

changed('an auditor’s checkpoint proves it when everything was made to match', async (context) => {
  const { db, commands, places } = context;
  await writing(db, AS_IT_WAS);
  const { checkpoint } = await commands.checkpoint();
  assert.equal((await commands.verify(undefined, checkpoint)).problems, []);

  // The time of a receipt is changed, and whatever could tell of it is made anew.
  const { position } =
    places.findLast(({ stream }) => stream.startsWith('ingestion-')) ?? at(places, 0);
  await writing(db, [
    `update eventstore.event set data = convert_to(replace(
      convert_from(data, 'utf8'), '"completedAt":"2', '"completedAt":"1'), 'utf8') where position = ${position}`,
    `delete from app.log_checkpoint`,
  ]);
  await commands.rebuild('swap');
  const remade = await commands.checkpoint();
  assert.is.not(remade.checkpoint, checkpoint);
  assert.equal((await commands.verify()).problems, []);
  assert.match(
    ofCheckpoints(await commands.verify(undefined, JSON.stringify({ checkpoint }))).join(' '),
    /^This is not the log that the checkpoint in the file was signed for: of its first \d+ events/,
  );

  for (const text of ['', '{}', checkpoint.slice(0, 40)]) {
    const refused = await commands.verify(undefined, text).catch((error: Error) => error.name);
    assert.is(refused, 'CommandRefused', text);
  }
});

changed.run();

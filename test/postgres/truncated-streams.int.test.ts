import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changesNothing } from '../../adapters/postgres/rebuild/rehearsal-report.ts';
import { RULES } from '../../adapters/postgres/rebuild/rehearsal-rules.ts';
import { formatFault } from '../../api/app/fault-messages.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { rehearse } from '../../api/operator/rehearse.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Settings } from '../../api/settings/settings.ts';
import { isKnown } from '../../domain/event-log.ts';
import { keyStream, REGISTRY_STREAM } from '../../domain/stream-names.ts';
import { parseCommandLine } from '../../scripts/operator/command-line.ts';
import { SUBJECTS } from '../../scripts/operator/commands.ts';
import { verificationInWords } from '../../scripts/operator/for-people/checks.ts';
import { styleFor } from '../../scripts/operator/for-people/style.ts';
import { eventually } from '../harness/eventually.ts';
import { newPractice, post, push, type TestPractice } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import {
  type HeldStores,
  holdStores,
  loseEvents,
  whileServing,
  withCommands,
} from './support/lost-events.ts';

interface Context extends HeldStores {
  client: EventStoreDBClient;
  practice: TestPractice;
  /** Stream of a record with two events. */
  record: string;
}

const truncated = suite<Context>('truncated streams');
const silent = openServiceLog('silent');

interface Ready {
  readonly reasons: readonly { readonly code: string }[];
  readonly warnings: readonly { readonly code: string; readonly says: string }[];
}
const readyAt = async (url: string): Promise<Ready> =>
  (await (await fetch(`${url}/health/ready`)).json()) as Ready;

/** Text of the readiness of a service of truncated streams. */
const warningAt = async (url: string): Promise<string> =>
  (await readyAt(url)).warnings.find(({ code }) => code === 'streams-truncated')?.says ?? '';

const isReadyAt = async (url: string) => {
  const { reasons, warnings } = await readyAt(url);
  return reasons.length + warnings.length === 0;
};

const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: unknown) => formatFault(error),
  );

const birth = (day: number) =>
  birthBundle({ chartNumber: 'C-9', lastUpdated: `2026-03-${day}T10:00:00Z` });

truncated.before(async (context) => {
  await holdStores(context);
  const { connectionString } = context.stores.logAddress;
  context.client = EventStoreDBClient.connectionString(connectionString);
  await whileServing(context.settings, async (url) => {
    await eventually('ready', () => isReadyAt(url));
    context.practice = await withCommands(context.settings, (commands) => newPractice(commands));
    for (const day of [12, 13])
      assert.is((await push(url, context.practice.token, birth(day))).status, 'completed');
  });
  const { stream } = await context.stores.db
    .selectFrom('read.birth_record')
    .select('stream')
    .where('chart_number', '=', 'C-9')
    .executeTakeFirstOrThrow();
  context.record = stream;
});
truncated.after(async ({ client, stop }) => {
  await client.dispose();
  await stop();
});

const RETENTIONS = [
  ['$maxCount', { maxCount: 1 }],
  ['$tb', { truncateBefore: 1 }],
  ['$tb of a deleted stream', { truncateBefore: 1_000_000 }],
  ['$maxAge', { maxAge: 1 }],
] as const;

for (const [name, setting] of RETENTIONS)
  truncated(`by ${name}, a record is named, and whole when it is taken back`, async (held) => {
    const { settings, client, practice, record } = held;
    await whileServing(settings, async (url) => {
      await eventually('ready', () => isReadyAt(url));
      await client.setStreamMetadata(record, setting);
      await eventually('named', async () => (await warningAt(url)).includes(record));
      await withCommands(settings, async (commands) => {
        const history = () => commands.history(practice.practiceId, 'C-9', null);
        await eventually('hidden', async () => (await faultOf(history())).includes(record));
        assert.match(await faultOf(history()), /Remove \$maxCount, \$maxAge, and \$tb/);
        const { problems } = await commands.verify();
        assert.equal(
          problems.map(({ stream, problem }) => [stream, /retention setting/.test(problem)]),
          [[record, true]],
        );
        // The events are still there in a read of the whole log.
        assert.equal((await commands.rebuild('compare')).differences, []);
        await client.setStreamMetadata(record, {});
        assert.is((await history()).events.length, 2);
        assert.equal((await commands.verify()).problems, []);
      });
      await eventually('no longer named', () => isReadyAt(url));
    });
  });

truncated(
  'a truncated registry is named, and the service continues when it is whole',
  async (held) => {
    const { settings, client, stores, practice } = held;
    await client.setStreamMetadata(REGISTRY_STREAM, { maxCount: 1 });
    const refused = await faultOf(openCommands(settings, silent));
    assert.match(refused, /stream registry are hidden or lost\. Remove \$maxCount/);
    await whileServing(settings, async (url) => {
      await eventually('named', async () => (await warningAt(url)) !== '');
      assert.is((await post(url, practice.token, birth(14))).status, 202);
      await client.setStreamMetadata(REGISTRY_STREAM, {});
      await eventually('whole', () => isReadyAt(url));
    });
    const { rows } = await sql<{ events: unknown[] }>`
    select events from app.kept_stream where stream = ${REGISTRY_STREAM}`.execute(stores.db);
    assert.is(rows[0]?.events.length, (await stores.log.readStream(REGISTRY_STREAM)).length);
  },
);

truncated('without a copy it is not ready, and says why', async ({ settings, client, stores }) => {
  await sql`delete from app.kept_stream where stream = ${REGISTRY_STREAM}`.execute(stores.db);
  await client.setStreamMetadata(REGISTRY_STREAM, { maxCount: 1 });
  await whileServing(settings, async (url) => {
    await eventually('says why', async () =>
      (await readyAt(url)).reasons.some(({ code }) => code === 'streams-truncated'),
    );
    await client.setStreamMetadata(REGISTRY_STREAM, {});
    await eventually('whole', () => isReadyAt(url));
  });
});

truncated('a copy that an earlier version truncated is not used, and is replaced', async (held) => {
  const { settings, stores } = held;
  await sql`update app.kept_stream set events = jsonb_build_array(events -> -1)
    where stream = ${REGISTRY_STREAM}`.execute(stores.db);
  await whileServing(settings, (url) => eventually('ready', () => isReadyAt(url)));
  const { rows } = await sql<{ first: string }>`
    select events -> 0 ->> 'revision' as first from app.kept_stream
    where stream = ${REGISTRY_STREAM}`.execute(stores.db);
  assert.is(rows[0]?.first, '0');
});

truncated('a key keeps its copy while its stream is truncated', async (held) => {
  const { settings, client, practice, stores } = held;
  const stream = keyStream(practice.keyId);
  await client.setStreamMetadata(stream, { truncateBefore: 1 });
  await whileServing(settings, async (url) => {
    assert.match(await faultOf(stores.log.readStream(stream)), /hidden or lost/);
    await eventually(
      'pushes are taken',
      async () => (await post(url, practice.token, birth(15))).status === 202,
    );
    await client.setStreamMetadata(stream, {});
    await eventually('whole', () => isReadyAt(url));
  });
});

/** As when a server deletes what a retention setting hides. */
const scavenge = async (held: Context, revision: number): Promise<void> => {
  const { client, record } = held;
  await client.setStreamMetadata(record, { truncateBefore: revision + 1 });
  await loseEvents(held, sql`stream = ${record} and revision <= ${revision}`);
  const remove = () => client.setStreamMetadata(record, {});
  await eventually('the setting is removed', () =>
    remove().then(
      () => true,
      () => false,
    ),
  );
};

/** As given on the command line. */
const run = async (settings: Settings, ...args: readonly string[]): Promise<string> => {
  const command = parseCommandLine(args, SUBJECTS);
  assert.is(command.needs, 'stores');
  return withCommands({ ...settings, operator: command.by }, async (commands) => {
    if (command.needs !== 'stores') return '';
    return command.format(
      await command.run(commands, NO_REPORTER),
      styleFor({ isTTY: false }),
      commands,
    );
  });
};

truncated('a record that lost events is not dropped by a rebuild', async (held) => {
  const { settings, record } = held;
  await scavenge(held, 0);
  await withCommands(settings, async (commands) => {
    const refused = await faultOf(commands.rebuild('swap'));
    assert.match(refused, new RegExp(`lacks events of 1 stream: ${record}.*--accept-loss`));
    assert.equal((await commands.rebuild('compare')).incomplete, [
      { stream: record, from: '0', to: '0' },
    ]);
    assert.match(await faultOf(commands.history(held.practice.practiceId, 'C-9', null)), record);
    const { problems } = await commands.verify();
    assert.ok(problems.some(({ problem }) => /run `rebuild --accept-loss`/.test(problem)));
  });
});

truncated('its loss is accepted by name, and only named from then on', async (held) => {
  const { settings, record, stores } = held;
  assert.ok(parseCommandLine(['rebuild', '--accept-loss'], SUBJECTS).needsName);
  const loss = `${record}, revisions 0 to 0`;
  assert.match(await run(settings, 'rebuild', '--accept-loss', '--by', 'Sam Reyes'), loss);
  await run(settings, 'checkpoint', '--accept-loss', '--by', 'Sam Reyes');
  const acceptance = (await stores.log.readStream(REGISTRY_STREAM))
    .filter(isKnown)
    .find(({ event }) => event.type === 'StreamLossAccepted');
  assert.is(acceptance?.metadata.actor.id, 'Sam Reyes');

  await withCommands(settings, async (commands) => {
    const verification = await commands.verify();
    assert.equal(verification.problems, []);
    assert.match(verificationInWords(verification, styleFor({ isTTY: false })), loss);
    assert.equal((await commands.rebuild('swap')).incomplete, []);
    const { differences, incomplete } = await commands.rebuild('compare');
    assert.equal([...differences, ...incomplete], []);
  });
});

truncated('what was lost can be pushed again', async (held) => {
  const { settings, practice } = held;
  await whileServing(settings, async (url) => {
    await eventually('ready', () => isReadyAt(url));
    for (const day of [16, 17])
      assert.is((await push(url, practice.token, birth(day))).status, 'completed');
  });
  await withCommands(settings, async (commands) => {
    const { state } = await commands.history(practice.practiceId, 'C-9', null);
    assert.equal([state?.status, state?.version], ['live', 2]);
    const { coursesOfCare } = await commands.statistics(practice.practiceId, null);
    assert.is(coursesOfCare, 1);
    const { problems, tablesCompared } = await commands.verify();
    assert.equal([problems, tablesCompared], [[], true]);
    assert.equal((await commands.rebuild('compare')).differences, []);
  });
  assert.ok(changesNothing(await rehearse(settings, silent, NO_REPORTER, RULES)));
});

truncated('a stream that was deleted for good is a loss, too', async (held) => {
  const { settings, client, practice } = held;
  const stream = keyStream(practice.keyId);
  // The last event of the log, which the tables remember.
  await client.tombstoneStream(stream);
  await whileServing(settings, async (url) => {
    await eventually('named', async () =>
      (await readyAt(url)).warnings.some(({ says }) => says.includes(stream)),
    );
    assert.equal((await readyAt(url)).reasons, []);
  });
  await withCommands({ ...settings, operator: 'Sam Reyes' }, async (commands) => {
    assert.match(await faultOf(held.stores.log.readStream(stream)), /hidden or lost/);
    assert.equal(
      (await commands.verify()).problems.map((problem) => problem.stream),
      [stream, stream],
    );
    await commands.rebuild('swap', undefined, true);
    await commands.acknowledge(stream);
    assert.equal((await commands.verify()).problems, []);
    assert.equal((await commands.rebuild('swap')).incomplete, []);
  });
  await whileServing(settings, (url) => eventually('ready', () => isReadyAt(url)));
});

truncated('a later loss is a problem again', async (held) => {
  const { settings, record } = held;
  await scavenge(held, 1);
  await withCommands(settings, async (commands) => {
    const { problems } = await commands.verify();
    assert.ok(problems.some((one) => one.stream === record && /missing/.test(one.problem)));
    assert.match(await faultOf(commands.rebuild('swap')), record);
    assert.match(await faultOf(commands.history(held.practice.practiceId, 'C-9', null)), record);
  });
});

truncated(
  'a setting that hides nothing truncates no stream, however many reads it takes',
  async (held) => {
    const { client, stores } = held;
    // As many events as one read has, and twice as many.
    for (const count of [1_000, 2_000]) {
      const stream = `whole-${count}`;
      const events = Array.from({ length: count }, () => jsonEvent({ type: 'Seen', data: {} }));
      await client.appendToStream(stream, events);
      await client.setStreamMetadata(stream, { maxCount: 1_000_000 });
      assert.is((await stores.log.readStream(stream)).length, count);
    }
  },
);

truncated.run();

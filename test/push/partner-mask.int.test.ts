import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { startService } from '../../api/app/service.ts';
import { openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores } from '../../api/stores/stores.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { newPractice, push, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { batchOf, birthBundle, observation } from '../support/bundles.ts';

/**
 * A partner's patients are never identified: their values are looked for byte by byte in everything
 * that the service has written, and the search proves that it would find them.
 */

const PEOPLE = 20;

interface Synthetic {
  readonly needles: readonly string[];
  readonly bundle: Record<string, unknown>;
}

/** Four letters stand by chance in so many random bytes once in some hundred runs; eight do not. */
const MARK = 'Qzxvbhkw';

/** A person with values that stand nowhere else. @param mark in every text of hers */
const personOf = (mark: string, index: number): Synthetic => {
  const two = (number: number) => String(number).padStart(2, '0');
  const born = `19${60 + index}-0${1 + (index % 9)}-${two(1 + index)}`;
  const childBorn = `2033-0${1 + (index % 9)}-${two(28 - index)}`;
  const text = (what: string) => `${mark}${what}${index}`;
  const bundle = birthBundle({
    chartNumber: `CHART-${index}`,
    mother: { family: text('Family'), given: [text('Given')], birthDate: born },
    children: [
      {
        family: text('Child'),
        given: [text('Baby')],
        birthDate: childBorn,
        birthTime: `${childBorn}T04:31:${two(index)}-05:00`,
      },
    ],
    // Values that the mapper leaves out are kept with their raw form: in the native lane only.
    more: [
      observation('56077-1', { valueString: text('Heavy') }, 'Patient/mother'),
      { resourceType: 'Practitioner', id: `practitioner-${index}` },
    ],
  }) as { entry: { resource: Record<string, unknown> }[] } & Record<string, unknown>;
  const [mother, child] = bundle.entry
    .map(({ resource }) => resource)
    .filter(({ resourceType }) => resourceType === 'Patient');
  Object.assign(mother ?? {}, {
    telecom: [{ system: 'phone', value: text('Phone') }],
    address: [
      {
        line: [text('Street')],
        city: text('City'),
        district: text('County'),
        state: text('State'),
        postalCode: text('Zip'),
        country: text('Country'),
      },
    ],
    identifier: [
      {
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] },
        value: text('Record'),
      },
    ],
  });
  Object.assign(child ?? {}, { identifier: [{ value: text('ChildRecord') }] });
  return { needles: [born, childBorn], bundle };
};

const filesBelow = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());

/** The needles that stand, in UTF-8, in any file below a directory. */
const foundInFiles = (directory: string, needles: readonly string[]): readonly string[] => {
  const found = new Set<string>();
  for (const path of filesBelow(directory)) {
    const bytes = readFileSync(path);
    for (const needle of needles) if (bytes.includes(needle)) found.add(needle);
  }
  return [...found];
};

/** The needles that stand in any row of any table: what compression may hide in the files. */
const foundInRows = async (db: Db, needles: readonly string[]): Promise<readonly string[]> => {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  assert.ok(tables.length > 10);
  const found = new Set<string>();
  for (const { schema, name } of tables) {
    // A row as text shows bytea in hex: the needles are looked for in both forms.
    const { rows } = await sql<{ row: string }>`
      select held::text as row from ${sql.id(schema, name)} held`.execute(db);
    const all = rows.map(({ row }) => row).join('\n');
    for (const needle of needles)
      if (all.includes(needle) || all.includes(Buffer.from(needle).toString('hex')))
        found.add(needle);
  }
  return [...found];
};

/** Lets Postgres store values as they are: compressed, a name would not stand in the files as such. */
const storeUncompressed = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ schema: string; name: string; column: string }>`
    select nspname as schema, relname as name, attname as column
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and attnum > 0 and not attisdropped and attstorage in ('x', 'm')
      and nspname in ('app', 'read', 'eventstore')`.execute(db);
  assert.ok(rows.length > 10);
  for (const { schema, name, column } of rows)
    await sql`
      alter table ${sql.id(schema, name)} alter ${sql.id(column)} set storage external`.execute(db);
};

const partnerMask = suite('the partner mask');

partnerMask(
  'no value of a partner’s patients is written anywhere; a native name is found',
  async () => {
    const directory = temporaryDirectory('mask');
    await copyFreshCluster(directory.path);
    const settings = testSettings(directory.path);
    let traced = '';
    const trace = pino(
      { level: 'trace' },
      new Writable({
        write(line, _encoding, done) {
          traced += String(line);
          done();
        },
      }),
    );
    const service = await startService(settings, trace);
    await service.started;
    const silent = openServiceLog('silent');
    const stores = await openStores(settings, 'command', silent);
    await storeUncompressed(stores.db);
    const commands = await openCommands(settings, silent);
    const native = await newPractice(commands);
    const partnerId = await commands.partners.create({
      name: 'Maple EHR',
      beta: true,
      status: 'Active',
    });
    const { token } = await commands.keys.mintPartner({
      practiceId: native.practiceId,
      partnerId,
      name: null,
      scopes: ['ingest:write', 'ingest:read'],
    });

    const people = Array.from({ length: PEOPLE }, (_, index) => personOf(MARK, index));
    const receipt = await push(service.url, token, batchOf(people.map(({ bundle }) => bundle)), {
      'Idempotency-Key': `${MARK}Key`,
    });
    assert.is(receipt.status === 'completed' && receipt.accepted, PEOPLE);
    const { state } = await commands.history(native.practiceId, 'CHART-0', null);
    assert.is(state?.keyKind, 'partner');
    assert.is(state?.courseOfCare.children[0]?.birth_date, '2033');
    assert.is(state?.courseOfCare.children[0]?.birth_weight_grams, 3_400);

    const rejected = personOf(`${MARK}Rejected`, 19);
    const childless = {
      ...rejected.bundle,
      entry: (rejected.bundle['entry'] as unknown[]).slice(0, 1),
    };
    await push(service.url, token, childless);

    const known = personOf('Known', 0);
    await push(service.url, native.token, { ...known.bundle, identifier: { value: 'NATIVE-1' } });
    await commands.close();

    const secret = [MARK, ...people.flatMap(({ needles }) => needles)].filter(
      (needle) => !known.needles.includes(needle),
    );
    assert.equal(await foundInRows(stores.db, secret), []);
    assert.equal(await foundInRows(stores.db, ['KnownFamily0']), ['KnownFamily0']);
    await stores.close();
    await service.stop();

    assert.equal(foundInFiles(directory.path, secret), []);
    assert.equal(foundInFiles(directory.path, ['KnownFamily0']), ['KnownFamily0']);
    assert.ok(traced.length > 0);
    assert.not.match(traced, MARK);
    assert.not.match(traced, 'Known');
    directory.remove();
  },
);

partnerMask.run();

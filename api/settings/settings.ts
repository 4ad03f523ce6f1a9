import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { USUAL_REQUESTS_PER_MINUTE } from '../http/limits.ts';
import { isLoopback } from '../http/loopback.ts';
import { LOG_FORMATS } from '../process/logging.ts';
import {
  parseBackupRecipients,
  parseBaseUrl,
  parseChoice,
  parseContact,
  parseDatabaseUrl,
  parseEmailDomains,
  parseHost,
  parseIssuers,
  parseLogAddress,
  parseOperator,
  parseProviderIssuer,
  parseSecret,
  parseSwitch,
  parseText,
  parseTrial,
  parseTrustProxy,
  parseWholeNumber,
  parseWitnesses,
  SettingInvalid,
  type SettingParser,
} from './setting-parsers.ts';

export type Role = 'all' | 'api' | 'worker' | 'projector';

/** `api` serves people and partners. */
export const hasRole = (role: Role, part: 'api' | 'worker' | 'projector'): boolean =>
  role === 'all' || role === part;

/** Its type and its entry in docs/operate/configure.md follow from it. */
export interface Setting<T> {
  readonly name: string;
  readonly parse: SettingParser<T>;
  /** Missing if the value of an unset setting is `null`. */
  readonly default?: string;
  /** Markdown, if the default does not say it. */
  readonly ifUnset?: string;
  readonly about: readonly string[];
}

const ROLES: readonly Role[] = ['all', 'api', 'worker', 'projector'];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const LARGEST_PORT = 65_535;
const MAX_PER_MINUTE = 100_000_000;
const MAX_QUEUE_LENGTH = 100_000_000;
const MAX_REQUEST_SECONDS = 3_600;
const MAX_CHECKPOINT_SECONDS = 50;
const USUAL_HEADERS_SECONDS = 30;
/** Sessions end after this time in any case. */
const MAX_IDLE_MINUTES = 720;

/** In the order of the reference. */
export const SETTINGS = {
  'Address and proxy': {
    port: {
      name: 'PORT',
      parse: parseWholeNumber(0, LARGEST_PORT),
      default: '8080',
      about: ['Port to listen on.'],
    },
    host: {
      name: 'HOST',
      parse: parseHost,
      default: '127.0.0.1',
      about: ['Address of this machine to listen on, or its name.'],
    },
    /** Without a trailing slash. */
    baseUrl: {
      name: 'BASE_URL',
      parse: parseBaseUrl,
      ifUnset: '`http://HOST:PORT`',
      about: [
        'Public `http` or `https` address, without user name, query, or fragment.',
        'Passkeys belong to its host: if the host changes, none of them works.',
        'With a path, only the API works, because pages need the root of their host.',
      ],
    },
    trustProxy: {
      name: 'TRUST_PROXY',
      parse: parseTrustProxy,
      default: 'false',
      about: [
        'Proxies whose `X-Forwarded-For` counts: how many, or their addresses and networks, separated by commas.',
        'Set it behind a proxy: otherwise all people seem to have the address of the proxy, and share its limits.',
      ],
    },
    /** Plain http to another machine exposes passwords and births to everyone in between. */
    isHttpAllowed: {
      name: 'ALLOW_HTTP',
      parse: parseTrial,
      default: '',
      ifUnset: 'not set',
      about: [
        '`trial` allows an `http` address of another machine as BASE_URL.',
        'Passwords and births then travel unencrypted.',
      ],
    },
    supportContact: {
      name: 'SUPPORT_CONTACT',
      parse: parseContact,
      ifUnset: '`BASE_URL/docs`',
      about: [
        'Email or `https` address for questions of integrators, shown in `/openapi.json`.',
        'Name a function, not a person.',
      ],
    },
  },
  Stores: {
    dataDir: {
      name: 'DATA_DIR',
      parse: (text: string) => resolve(text),
      default: './.data',
      about: ['Directory of the embedded stores and of the generated secret.'],
    },
    databaseUrl: {
      name: 'DATABASE_URL',
      parse: parseDatabaseUrl,
      about: ['Your own Postgres instead of the embedded one; requires REGISTRY_SECRET.'],
    },
    eventstoreUrl: {
      name: 'EVENTSTORE_URL',
      parse: parseLogAddress,
      about: [
        'Your own EventStoreDB or KurrentDB instead of the embedded node.',
        '`esdb://HOST-1:2113,HOST-2:2113?…` lists the nodes, and `esdb+discover://NAME:2113?…` is one DNS name for all.',
      ],
    },
    eventstorePort: {
      name: 'EVENTSTORE_PORT',
      parse: parseWholeNumber(1, LARGEST_PORT),
      ifUnset: 'any free port',
      about: [
        'Fixed port of the embedded node on the loopback, which then asks for no password.',
        'Every account of the machine can then read and append.',
        'The service does not start with it once a practice is not a sandbox, unless EVENTSTORE_OPEN is set.',
      ],
    },
    isOpenForTrial: {
      name: 'EVENTSTORE_OPEN',
      parse: parseTrial,
      default: '',
      ifUnset: 'not set',
      about: [
        '`trial` allows EVENTSTORE_PORT with any practice; only for births that are not real.',
      ],
    },
    role: {
      name: 'ROLE',
      parse: parseChoice(ROLES),
      default: 'all',
      about: ['What this process does: `all`, `api`, `worker`, or `projector`.'],
    },
  },
  'Secrets and operators': {
    registrySecret: {
      name: 'REGISTRY_SECRET',
      parse: parseSecret,
      ifUnset: 'generated into DATA_DIR',
      about: ['Secret of at least 32 bytes that wraps the keys of the registry.'],
    },
    previousRegistrySecret: {
      name: 'PREVIOUS_REGISTRY_SECRET',
      parse: parseText,
      about: ['The previous secret, only for `rotate-secret`.'],
    },
    backupRecipients: {
      name: 'BACKUP_RECIPIENTS',
      parse: parseBackupRecipients,
      default: '',
      ifUnset: 'backups are not encrypted',
      about: [
        'age recipients, separated by commas, that backups are encrypted for.',
        'Recipients on the command line override them.',
      ],
    },
    operator: {
      name: 'REGISTRY_OPERATOR',
      parse: parseOperator,
      about: [
        'Name of the person who runs commands, for the log and the access log.',
        '`--by NAME` overrides it.',
      ],
    },
  },
  'People and sign-in': {
    sessionIdleMinutes: {
      name: 'SESSION_IDLE_MINUTES',
      parse: parseWholeNumber(2, MAX_IDLE_MINUTES),
      default: '15',
      about: ['Minutes without a request, from 2 to 720, after which a person is signed out.'],
    },
    isStaffFactorOptional: {
      name: 'STAFF_SECOND_FACTOR',
      parse: parseSwitch('required', 'optional'),
      default: 'required',
      about: ['`optional` lets the service staff work with a password alone, for trials.'],
    },
    oidcIssuer: {
      name: 'OIDC_ISSUER',
      parse: parseProviderIssuer,
      about: [
        'Issuer of the OpenID Connect provider of the whole service: `https`, or `http` on the loopback.',
        'Set all four `OIDC_` settings, or none.',
      ],
    },
    oidcClientId: {
      name: 'OIDC_CLIENT_ID',
      parse: parseText,
      about: ['Client ID of the registry at that provider.'],
    },
    oidcClientSecret: {
      name: 'OIDC_CLIENT_SECRET',
      parse: parseText,
      about: ['Its client secret.'],
    },
    oidcAllowedDomains: {
      name: 'OIDC_ALLOWED_DOMAINS',
      parse: parseEmailDomains,
      about: ['Email domains that may sign in there, separated by commas, each compared exactly.'],
    },
  },
  Intake: {
    // spec "Limits"
    rateLimitPerMinute: {
      name: 'RATE_LIMIT_PER_MINUTE',
      parse: parseWholeNumber(1, MAX_PER_MINUTE),
      default: `${USUAL_REQUESTS_PER_MINUTE}`,
      about: [
        'Requests a minute of an API key.',
        'Requests without a valid key share as many for each address.',
      ],
    },
    bufferTtlSeconds: {
      name: 'BUFFER_TTL_SECONDS',
      parse: parseWholeNumber(1, 31_536_000),
      default: '86400',
      about: ['Longest time that a submission waits in the queue; then it fails.'],
    },
    queueLimitRecords: {
      name: 'QUEUE_LIMIT_RECORDS',
      parse: parseWholeNumber(1, MAX_QUEUE_LENGTH),
      default: '500000',
      about: [
        'Most records in the queue.',
        'When it is full, pushes get 503 with `Retry-After`. One practice may fill 80 % of what others leave free.',
      ],
    },
    queueLimitMib: {
      name: 'QUEUE_LIMIT_MIB',
      parse: parseWholeNumber(1, MAX_QUEUE_LENGTH),
      default: '4096',
      about: ['Most space that the queue takes up in Postgres, in MiB.'],
    },
    headersWithinSeconds: {
      name: 'HEADERS_WITHIN_SECONDS',
      parse: parseWholeNumber(1, MAX_REQUEST_SECONDS),
      ifUnset: `${USUAL_HEADERS_SECONDS}`,
      about: ['A client that has not sent its headers by then loses the connection.'],
    },
    requestWithinSeconds: {
      name: 'REQUEST_WITHIN_SECONDS',
      parse: parseWholeNumber(1, MAX_REQUEST_SECONDS),
      default: '120',
      about: ['The same for a whole request, and for a client that does not read the response.'],
    },
    smartClientId: {
      name: 'SMART_CLIENT_ID',
      parse: parseText,
      ifUnset: 'launches get 503',
      about: ['Client ID of the registry at the EHRs that launch it, as a public client.'],
    },
    smartAllowedIssuers: {
      name: 'SMART_ALLOWED_ISSUERS',
      parse: parseIssuers,
      default: '',
      about: [
        'FHIR addresses of those EHRs, separated by commas, each compared exactly: `https`, or `http` on the loopback.',
      ],
    },
  },
  'Logs and proofs': {
    logLevel: {
      name: 'LOG_LEVEL',
      parse: parseChoice(LOG_LEVELS),
      default: 'info',
      about: ['`trace`, `debug`, `info`, `warn`, `error`, `fatal`, or `silent`.'],
    },
    logFormat: {
      name: 'LOG_FORMAT',
      parse: parseChoice(LOG_FORMATS),
      ifUnset: '`text` on a terminal, else `json`',
      about: ['`json` writes one JSON object on each line, `text` writes lines for people.'],
    },
    // A receipt must have its proof within a minute.
    checkpointSeconds: {
      name: 'CHECKPOINT_SECONDS',
      parse: parseWholeNumber(1, MAX_CHECKPOINT_SECONDS),
      default: '30',
      about: [
        'Seconds between signed checkpoints of the event log while events arrive, from 1 to 50.',
      ],
    },
    isLogPublic: {
      name: 'LOG_PUBLIC',
      parse: parseSwitch('false', 'true'),
      default: 'false',
      about: [
        '`true` lets anyone read checkpoints, tiles, and keys at `/log/…`.',
        'They contain no birth data.',
      ],
    },
    logWitnesses: {
      name: 'LOG_WITNESSES',
      parse: parseWitnesses,
      default: '',
      about: [
        'Witnesses that sign each checkpoint: the `https` address, a space, and the key of each, separated by commas.',
      ],
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>>;

type Subject = (typeof SETTINGS)[keyof typeof SETTINGS];
type Key<S = Subject> = S extends unknown ? keyof S : never;
type Value<S> = S extends { parse: SettingParser<infer T> }
  ? S extends { default: string }
    ? T
    : T | null
  : never;

type Values = { readonly [K in Key]: Value<Extract<Subject, Record<K, unknown>>[K]> };

/** @see docs/operate/configure.md */
export interface Settings
  extends Omit<Values, 'baseUrl' | 'headersWithinSeconds' | `oidc${string}` | 'isHttpAllowed'> {
  readonly baseUrl: string;
  readonly headersWithinSeconds: number;
  /** `null` if people sign in by password or with their practice's provider. */
  readonly oidc: OidcSettings | null;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Lower case, at least one. */
  readonly allowedDomains: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;

/** @throws SettingInvalid naming the variable; never its value */
export const readSettings = (env: Env): Settings => {
  const { isHttpAllowed, oidcIssuer, oidcClientId, oidcClientSecret, oidcAllowedDomains, ...rest } =
    readValues(env);
  if (rest.registrySecret === null && rest.databaseUrl !== null)
    throw new SettingInvalid(
      'REGISTRY_SECRET is not set. With DATABASE_URL none is generated: set one of at least 32 bytes, such as `openssl rand -base64 48` makes.',
    );
  const baseUrl = rest.baseUrl ?? buildAddress(rest.host, rest.port);
  const isOpen = rest.baseUrl?.startsWith('http:') && !isLoopback(new URL(rest.baseUrl).hostname);
  if (isOpen && !isHttpAllowed)
    throw new SettingInvalid(
      'BASE_URL is http, and its host is another machine than this one: passwords and births would be sent in the clear. Put a proxy with TLS in front and set an https address, or ALLOW_HTTP=trial where no birth is real.',
    );
  const headersWithinSeconds =
    rest.headersWithinSeconds ?? Math.min(USUAL_HEADERS_SECONDS, rest.requestWithinSeconds);
  // Node waits no longer for the headers than for the request.
  if (headersWithinSeconds > rest.requestWithinSeconds)
    throw new SettingInvalid(
      'HEADERS_WITHIN_SECONDS is more than REQUEST_WITHIN_SECONDS. Set it to no more than that.',
    );
  return {
    ...rest,
    baseUrl,
    headersWithinSeconds,
    oidc: combineOidc(oidcIssuer, oidcClientId, oidcClientSecret, oidcAllowedDomains),
  };
};

const readValues = (env: Env): Values =>
  Object.fromEntries(
    Object.values<Readonly<Record<string, Setting<unknown>>>>(SETTINGS)
      .flatMap((settings) => Object.entries(settings))
      .map(([key, { name, parse, default: otherwise = null }]) => {
        const text = env[name]?.trim() || otherwise;
        return [key, text === null ? null : parse(text, name)];
      }),
  ) as Values;

/** Without a trailing slash. */
export const buildAddress = (host: string, port: number): string =>
  `http://${isIP(host) === 6 ? `[${host.replace(/%.*$/, '')}]` : host}:${port}`;

const combineOidc = (
  issuer: string | null,
  clientId: string | null,
  clientSecret: string | null,
  allowedDomains: readonly string[] | null,
): OidcSettings | null => {
  if (issuer !== null && clientId !== null && clientSecret !== null && allowedDomains !== null)
    return { issuer, clientId, clientSecret, allowedDomains };
  const values = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_ALLOWED_DOMAINS: allowedDomains,
  };
  const names = Object.keys(values);
  const missing = Object.entries(values).flatMap(([name, value]) => (value === null ? [name] : []));
  if (missing.length === names.length) return null;
  throw new SettingInvalid(
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set. Single sign-on needs all of ${names.join(', ')}; to leave it off, set none of them.`,
  );
};

import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { findLogAddressProblem } from '../../adapters/private-parts/event-store-client/log-address.ts';
import { checkEmail, normalizeEmail } from '../../domain/account/credentials.ts';
import {
  describeAllTenants,
  findTenantAddress,
  MAX_ISSUER_LENGTH,
  parseDomains,
} from '../../domain/account/single-sign-on/decide.ts';
import { parseName } from '../../domain/text-input.ts';
import { parseKeyOfKind } from '../../transparency-log/signed-note.ts';
import type { TrustProxy } from '../http/client-address.ts';
import { isLoopback } from '../http/loopback.ts';
import { LOG_FORMATS, type LogFormat } from '../process/logging.ts';
import type { Witness } from '../transparency-log/ask-witnesses.ts';

/** Invalid setting; the message names it and its allowed values. */
export class SettingInvalid extends Error {
  override readonly name = 'SettingInvalid';
}

export type Role = 'all' | 'api' | 'worker' | 'projector';

/** True if a process with the role runs a part; `api` serves people and partners. */
export const hasRole = (role: Role, part: 'api' | 'worker' | 'projector'): boolean =>
  role === 'all' || role === part;

/** Settings of the service. @see docs/operate/configure.md */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Email or address of support for integrators; `null` if the contract names no contact. */
  readonly supportContact: string | null;
  readonly dataDir: string;
  /** `null` for the embedded Postgres. */
  readonly databaseUrl: string | null;
  /** `null` for the embedded node. */
  readonly eventstoreUrl: string | null;
  readonly eventstorePort: number | null;
  /**
   * Allows the embedded node to be open at that port even with practices that are not sandboxes.
   */
  readonly isOpenForTrial: boolean;
  /** Name of the person who runs commands, as recorded in the log; `null` for the shell. */
  readonly operator: string | null;
  /** `null` if generated into the data directory. */
  readonly registrySecret: string | null;
  /** Age recipients of backups; backups are not encrypted if empty. */
  readonly backupRecipients: readonly string[];
  /** Previous secret, only needed to rewrap the keys of the registry. */
  readonly previousRegistrySecret: string | null;
  readonly role: Role;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: TrustProxy;
  /** True if staff may work without a second factor, for trials. */
  readonly isStaffFactorOptional: boolean;
  /** Idle time after which a session of the pages ends. */
  readonly sessionIdleMinutes: number;
  /** Maximum number of requests per minute for an API token, or for an address without one. */
  readonly rateLimitPerMinute: number;
  readonly bufferTtlSeconds: number;
  /** Maximum number of records in the queue; beyond it, submissions are refused. */
  readonly queueLimitRecords: number;
  /** Maximum size of the queue in sealed MiB. */
  readonly queueLimitMib: number;
  /** Maximum time until the headers of a request have arrived. */
  readonly headersWithinSeconds: number;
  /** Maximum time until a request has arrived, and between reads of its response. */
  readonly requestWithinSeconds: number;
  /** Client id of the registry at every EHR; `null` disables launches. */
  readonly smartClientId: string | null;
  /** FHIR addresses of the EHRs that may launch, compared exactly. */
  readonly smartAllowedIssuers: readonly string[];
  /**
   * Identity provider of the whole service; if `null`, people sign in by password or with their
   * practice's provider.
   */
  readonly oidc: OidcSettings | null;
  /** Interval between checkpoints while events arrive. */
  readonly checkpointSeconds: number;
  /** True if checkpoints, tiles and keys of the log's tree are public. */
  readonly isLogPublic: boolean;
  /** Witnesses that cosign the checkpoints. */
  readonly logWitnesses: readonly Witness[];
  readonly logLevel: string;
  /** If `null`, text on a terminal and JSON lines elsewhere. */
  readonly logFormat: LogFormat | null;
}

/** Identity provider set up by the operator. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Lower case, at least one. */
  readonly allowedDomains: readonly string[];
}

const ROLES: readonly Role[] = ['all', 'api', 'worker', 'projector'];
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const MIN_SECRET_BYTES = 32;
const LARGEST_PORT = 65_535;
// spec "Limits"
const USUAL_PER_MINUTE = 120;
const MAX_PER_MINUTE = 100_000_000;
const MAX_QUEUE_LENGTH = 100_000_000;
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Reads the settings from environment variables.
 * @throws SettingInvalid naming the variable; never its value
 */
export const readSettings = (env: Readonly<Record<string, string | undefined>>): Settings => {
  const port = wholeNumber(env, 'PORT', 8080, 0, LARGEST_PORT);
  const host = hostIn(env);
  const databaseUrl = text(env, 'DATABASE_URL');
  if (databaseUrl !== null && !URL.canParse(databaseUrl))
    throw new SettingInvalid(
      'DATABASE_URL is no address of Postgres, which is like postgres://user:password@host:5432/database. Signs such as @ : / ? & % in the password are written as %40 and so on.',
    );
  const eventstoreUrl = text(env, 'EVENTSTORE_URL');
  const eventstoreProblem = eventstoreUrl === null ? null : findLogAddressProblem(eventstoreUrl);
  if (eventstoreProblem !== null) throw new SettingInvalid(`EVENTSTORE_URL ${eventstoreProblem}`);
  const registrySecret = text(env, 'REGISTRY_SECRET');
  if (registrySecret !== null && Buffer.byteLength(registrySecret) < MIN_SECRET_BYTES)
    throw new SettingInvalid(
      `REGISTRY_SECRET has fewer than ${MIN_SECRET_BYTES} bytes. Set a longer one, such as \`openssl rand -base64 48\` makes.`,
    );
  if (registrySecret === null && databaseUrl !== null)
    throw new SettingInvalid(
      'REGISTRY_SECRET is not set. With DATABASE_URL none is generated: set one of at least 32 bytes, such as `openssl rand -base64 48` makes.',
    );
  return {
    port,
    host,
    baseUrl: baseUrlIn(env) ?? buildAddress(host, port),
    supportContact: supportContact(env),
    dataDir: resolve(text(env, 'DATA_DIR') ?? './.data'),
    databaseUrl,
    eventstoreUrl,
    eventstorePort:
      text(env, 'EVENTSTORE_PORT') === null
        ? null
        : wholeNumber(env, 'EVENTSTORE_PORT', 0, 1, LARGEST_PORT),
    isOpenForTrial: isOpenForTrial(env),
    operator: operatorIn(env),
    registrySecret,
    backupRecipients: backupRecipients(env),
    previousRegistrySecret: text(env, 'PREVIOUS_REGISTRY_SECRET'),
    role: oneOf(env, 'ROLE', ROLES, 'all'),
    trustProxy: trustProxy(env),
    isStaffFactorOptional:
      oneOf(env, 'STAFF_SECOND_FACTOR', ['required', 'optional'], 'required') === 'optional',
    sessionIdleMinutes: wholeNumber(env, 'SESSION_IDLE_MINUTES', 15, 2, MAX_IDLE_MINUTES),
    rateLimitPerMinute: wholeNumber(
      env,
      'RATE_LIMIT_PER_MINUTE',
      USUAL_PER_MINUTE,
      1,
      MAX_PER_MINUTE,
    ),
    ...patience(env),
    smartClientId: text(env, 'SMART_CLIENT_ID'),
    smartAllowedIssuers: allowedIssuers(env),
    oidc: oidcIn(env),
    bufferTtlSeconds: wholeNumber(env, 'BUFFER_TTL_SECONDS', 86_400, 1, 31_536_000),
    queueLimitRecords: wholeNumber(env, 'QUEUE_LIMIT_RECORDS', 500_000, 1, MAX_QUEUE_LENGTH),
    queueLimitMib: wholeNumber(env, 'QUEUE_LIMIT_MIB', 4_096, 1, MAX_QUEUE_LENGTH),
    // A receipt must have its proof within a minute.
    checkpointSeconds: wholeNumber(env, 'CHECKPOINT_SECONDS', 30, 1, MAX_CHECKPOINT_SECONDS),
    isLogPublic: oneOf(env, 'LOG_PUBLIC', ['true', 'false'], 'false') === 'true',
    logWitnesses: logWitnesses(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    logFormat:
      text(env, 'LOG_FORMAT') === null ? null : oneOf(env, 'LOG_FORMAT', LOG_FORMATS, 'json'),
  };
};

const MAX_CHECKPOINT_SECONDS = 50;

/** Sessions end after this time in any case. */
const MAX_IDLE_MINUTES = 720;
const MAX_OPERATOR_LENGTH = 100;

/** Name of a person. @returns `null` if it is not a name of at most 100 characters in one line */
export const operatorName = (typed: string): string | null => {
  const name = parseName(typed, MAX_OPERATOR_LENGTH);
  return name.kind === 'named' ? name.name : null;
};

const operatorIn = (env: Env): string | null => {
  const typed = text(env, 'REGISTRY_OPERATOR');
  if (typed === null) return null;
  const name = operatorName(typed);
  if (name === null)
    throw new SettingInvalid(
      `REGISTRY_OPERATOR needs to be a name of up to ${MAX_OPERATOR_LENGTH} characters.`,
    );
  return name;
};

const USUAL_HEADERS_SECONDS = 30;
const USUAL_REQUEST_SECONDS = 120;
const MAX_REQUEST_SECONDS = 3_600;

/** Node waits no longer for the headers than for the request. */
const patience = (env: Env): Pick<Settings, 'headersWithinSeconds' | 'requestWithinSeconds'> => {
  const seconds = (name: string, otherwise: number) =>
    wholeNumber(env, name, otherwise, 1, MAX_REQUEST_SECONDS);
  const requestWithinSeconds = seconds('REQUEST_WITHIN_SECONDS', USUAL_REQUEST_SECONDS);
  const headersWithinSeconds = seconds(
    'HEADERS_WITHIN_SECONDS',
    Math.min(USUAL_HEADERS_SECONDS, requestWithinSeconds),
  );
  if (headersWithinSeconds > requestWithinSeconds)
    throw new SettingInvalid(
      'HEADERS_WITHIN_SECONDS is more than REQUEST_WITHIN_SECONDS. Set it to no more than that.',
    );
  return { headersWithinSeconds, requestWithinSeconds };
};

type Env = Readonly<Record<string, string | undefined>>;

const text = (env: Env, name: string): string | null => {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
};

const wholeNumber = (
  env: Env,
  name: string,
  otherwise: number,
  least: number,
  most: number,
): number => {
  const value = text(env, name);
  if (value === null) return otherwise;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new SettingInvalid(`${name} needs to be a whole number from ${least} to ${most}.`);
  return number;
};

const isOpenForTrial = (env: Env): boolean => {
  const value = text(env, 'EVENTSTORE_OPEN');
  if (value !== null && value !== 'trial')
    throw new SettingInvalid('EVENTSTORE_OPEN needs to be trial, or not set.');
  return value === 'trial';
};

const HOST_NAME = /^[\w-]+(?:\.[\w-]+)*\.?$/;

const hostIn = (env: Env): string => {
  const host = text(env, 'HOST') ?? '127.0.0.1';
  if (isIP(host) === 0 && !HOST_NAME.test(host))
    throw new SettingInvalid(
      'HOST needs to be an address of this machine, such as 127.0.0.1 or ::1, or its name; the port is a setting of its own.',
    );
  return host;
};

/** Address of a listener, without a trailing slash. */
export const buildAddress = (host: string, port: number): string =>
  `http://${isIP(host) === 6 ? `[${host.replace(/%.*$/, '')}]` : host}:${port}`;

/** Plain http to another machine exposes passwords and births to everyone in between. */
const isHttpTrial = (env: Env): boolean => {
  const value = text(env, 'ALLOW_HTTP');
  if (value !== null && value !== 'trial')
    throw new SettingInvalid('ALLOW_HTTP needs to be trial, or not set.');
  return value === 'trial';
};

/** Paths appended to a query or fragment would be lost, and a user name would be visible to all. */
const baseUrlIn = (env: Env): string | null => {
  const baseUrl = text(env, 'BASE_URL');
  if (baseUrl !== null && (!isBareAddress(baseUrl) || !/^https?:\/\//.test(baseUrl)))
    throw new SettingInvalid(
      'BASE_URL needs to be an http or https address, such as https://registry.example, without a user name, query or fragment.',
    );
  const isOpen = baseUrl?.startsWith('http:') === true && !isLoopback(new URL(baseUrl).hostname);
  if (!isHttpTrial(env) && isOpen)
    throw new SettingInvalid(
      'BASE_URL is http, and its host is another machine than this one: passwords and births would be sent in the clear. Put a proxy with TLS in front and set an https address, or ALLOW_HTTP=trial where no birth is real.',
    );
  return baseUrl?.replace(/\/+$/, '') ?? null;
};

/** True if the address has no user name, query or fragment, and needs no normalization. */
const isBareAddress = (address: string): boolean =>
  URL.canParse(address) && !/[?#@\s\\]/.test(address);

const supportContact = (env: Env): string | null => {
  const contact = text(env, 'SUPPORT_CONTACT');
  if (contact === null) return null;
  const isEmail = !contact.includes('/') && checkEmail(normalizeEmail(contact)) === null;
  if (!isEmail && !(isBareAddress(contact) && contact.startsWith('https://')))
    throw new SettingInvalid(
      'SUPPORT_CONTACT needs to be an email, or an https address without a user name, query or fragment.',
    );
  return contact;
};

const trustProxy = (env: Env): Settings['trustProxy'] => {
  const value = text(env, 'TRUST_PROXY') ?? 'false';
  if (value === 'false') return false;
  // Anyone could then claim any address.
  if (value === 'true')
    throw new SettingInvalid(
      'TRUST_PROXY takes the number of your proxies, or their addresses: with true everybody could claim any address.',
    );
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const networks = value.split(',').map((network) => network.trim());
  if (!networks.every(isNetwork))
    throw new SettingInvalid(
      `TRUST_PROXY needs to be false, a number of proxies, or addresses and networks separated by commas; a network is one like 10.0.0.0/8, or ${NAMED_NETWORKS.join(', ')}.`,
    );
  return networks;
};

const backupRecipients = (env: Env): readonly string[] => {
  const recipients = (text(env, 'BACKUP_RECIPIENTS') ?? '').split(/[\s,]+/).filter(Boolean);
  // Omits the value, which may be an identity pasted by mistake.
  if (!recipients.every((recipient) => /^age1[0-9a-z]+$/.test(recipient)))
    throw new SettingInvalid(
      'BACKUP_RECIPIENTS needs to be age recipients, which begin with age1, separated by commas.',
    );
  return recipients;
};

const allowedIssuers = (env: Env): readonly string[] => {
  const issuers = (text(env, 'SMART_ALLOWED_ISSUERS') ?? '')
    .split(',')
    .map((issuer) => issuer.trim())
    .filter((issuer) => issuer !== '');
  if (!issuers.every(isIssuer))
    throw new SettingInvalid(
      'SMART_ALLOWED_ISSUERS needs to be https addresses separated by commas, without user names, queries or fragments; http is for a loopback host only.',
    );
  return issuers;
};

const logWitnesses = (env: Env): readonly Witness[] => {
  const witnesses = (text(env, 'LOG_WITNESSES') ?? '')
    .split(',')
    .map((witness) => witness.trim())
    .filter((witness) => witness !== '')
    .map((witness): Witness | null => {
      const [url = '', keyText = '', ...rest] = witness.split(/\s+/);
      const key = parseKeyOfKind('cosignature', keyText);
      const isOne = key !== null && isIssuer(url) && rest.length === 0;
      return isOne ? { url: url.replace(/\/+$/, ''), key } : null;
    });
  if (witnesses.includes(null))
    throw new SettingInvalid(
      'LOG_WITNESSES needs to be the https address of each witness, a space, and its key, which looks like NAME+8 DIGITS+BASE64; commas separate witnesses. http is for a loopback host only.',
    );
  return witnesses.filter((witness) => witness !== null);
};

/** Requires all four settings, or none. */
const oidcIn = (env: Env): OidcSettings | null => {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ALLOWED_DOMAINS'];
  const missing = names.filter((name) => text(env, name) === null);
  if (missing.length === names.length) return null;
  if (missing.length > 0)
    throw new SettingInvalid(
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set. Single sign-on needs all of ${names.join(', ')}; to leave it off, set none of them.`,
    );
  const [issuer = '', clientId = '', clientSecret = '', domains = ''] = names.map(
    (name) => text(env, name) ?? '',
  );
  if (!isIssuer(issuer))
    throw new SettingInvalid(
      'OIDC_ISSUER needs to be an https address without user name, query or fragment; http is for a loopback host only.',
    );
  const tenantAddress = findTenantAddress(issuer);
  if (tenantAddress !== null)
    throw new SettingInvalid(`OIDC_ISSUER: ${describeAllTenants(tenantAddress)}`);
  const allowedDomains = parseDomains(domains);
  if (allowedDomains === null)
    throw new SettingInvalid(
      'OIDC_ALLOWED_DOMAINS needs to be domains of email addresses separated by commas, such as hospital.example.',
    );
  return { issuer, clientId, clientSecret, allowedDomains };
};

const isIssuer = (issuer: string): boolean => {
  if (issuer.length > MAX_ISSUER_LENGTH || !isBareAddress(issuer)) return false;
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

const isNetwork = (network: string): boolean => {
  const [, address = '', , bits] = /^([^/]+)(\/(\d{1,3}))?$/.exec(network) ?? [];
  const version = isIP(address);
  if (version === 0) return NAMED_NETWORKS.includes(network);
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128));
};

const oneOf = <T extends string>(env: Env, name: string, values: readonly T[], otherwise: T): T => {
  const value = text(env, name) ?? otherwise;
  const found = values.find((one) => one === value);
  if (found === undefined)
    throw new SettingInvalid(`${name} needs to be one of ${values.join(', ')}.`);
  return found;
};

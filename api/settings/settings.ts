import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { findLogAddressProblem } from '../../adapters/private-parts/event-store-client/log-address.ts';
import { checkEmail, normalizeEmail } from '../../domain/account/credentials.ts';
import { parseDomains } from '../../domain/account/single-sign-on/decide.ts';
import { parseLine } from '../../domain/text-input.ts';
import { parseKeyOfKind } from '../../transparency-log/signed-note.ts';
import type { TrustProxy } from '../http/client-address.ts';
import { isLoopback } from '../http/loopback.ts';
import { LOG_FORMATS, type LogFormat } from '../process/logging.ts';
import type { Witness } from '../transparency-log/ask-witnesses.ts';

/** A setting that cannot be used; the message says which and what it may be. */
export class SettingInvalid extends Error {
  override readonly name = 'SettingInvalid';
}

/** Parts of the service that a process runs. */
export type Role = 'all' | 'api' | 'worker' | 'projector';

/** Whether a process of the role plays a part: `api` answers people and partners. */
export const hasRole = (role: Role, part: 'api' | 'worker' | 'projector'): boolean =>
  role === 'all' || role === part;

/** Settings of the service. @see docs/settings.md */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Public address, without a slash at its end. */
  readonly baseUrl: string;
  /** Email or address of whom integrators ask; null: the contract names nobody. */
  readonly supportContact: string | null;
  readonly dataDir: string;
  /** Null: the embedded Postgres. */
  readonly databaseUrl: string | null;
  /** Null: the embedded node. */
  readonly eventstoreUrl: string | null;
  readonly eventstorePort: number | null;
  /** The embedded node at that port may answer everybody though practices are no sandboxes. */
  readonly isOpenForTrial: boolean;
  /** Who gives commands, as the log names them; null: the shell. */
  readonly operator: string | null;
  /** Null: generated into the data directory. */
  readonly registrySecret: string | null;
  /** For whom backups are encrypted: recipients of age. None: they are not. */
  readonly backupRecipients: readonly string[];
  /** The secret before the one of now: only for wrapping the registry's keys anew. */
  readonly previousRegistrySecret: string | null;
  readonly role: Role;
  /** Whom to believe what X-Forwarded-For says of where a request came from. */
  readonly trustProxy: TrustProxy;
  /** Whether the service staff may work without a second factor: for trials. */
  readonly isStaffFactorOptional: boolean;
  /** A session of the pages ends when nothing is asked of it for so long. */
  readonly sessionIdleMinutes: number;
  /** Requests that one API token, or one address without a token, may send in a minute. */
  readonly rateLimitPerMinute: number;
  readonly bufferTtlSeconds: number;
  /** Records that may wait in the queue before nothing more is taken. */
  readonly queueLimitRecords: number;
  /** The same by their sealed bytes. */
  readonly queueLimitMib: number;
  /** Within so long the headers of a request have to be there. */
  readonly headersWithinSeconds: number;
  /** Within so long a request has to be there, and more of its answer has to be read. */
  readonly requestWithinSeconds: number;
  /** The registry's name at every EHR; null: no launches. */
  readonly smartClientId: string | null;
  /** FHIR addresses of the EHRs that may launch, compared exactly. */
  readonly smartAllowedIssuers: readonly string[];
  /** The identity provider of the whole service; null: people sign in by password, or at that of their practice. */
  readonly oidc: OidcSettings | null;
  /** So often the log's tree is signed for while events come. */
  readonly checkpointSeconds: number;
  /** Whether checkpoints, tiles and keys of the log's tree are for everybody. */
  readonly isLogPublic: boolean;
  /** Those who are asked to sign the checkpoints too. */
  readonly logWitnesses: readonly Witness[];
  readonly logLevel: string;
  /** Null: for a person on a terminal, JSON lines elsewhere. */
  readonly logFormat: LogFormat | null;
}

/** An identity provider, as the operator has set it up. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Lower case; one at least. */
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
    // A receipt is promised its proof within a minute.
    checkpointSeconds: wholeNumber(env, 'CHECKPOINT_SECONDS', 30, 1, MAX_CHECKPOINT_SECONDS),
    isLogPublic: oneOf(env, 'LOG_PUBLIC', ['true', 'false'], 'false') === 'true',
    logWitnesses: logWitnesses(env),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    logFormat:
      text(env, 'LOG_FORMAT') === null ? null : oneOf(env, 'LOG_FORMAT', LOG_FORMATS, 'json'),
  };
};

const MAX_CHECKPOINT_SECONDS = 50;

/** A session is over then in any case. */
const MAX_IDLE_MINUTES = 720;
const MAX_OPERATOR_LENGTH = 100;

/** The name of a person as it is typed. @returns null if it is not one line of up to 100 characters */
export const operatorName = (typed: string): string | null => {
  const name = parseLine(typed, MAX_OPERATOR_LENGTH);
  return name.kind === 'line' ? name.line : null;
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

/** Node waits for the headers no longer than for the request. */
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

/** Address of what listens there, without a slash at its end. */
export const buildAddress = (host: string, port: number): string =>
  `http://${isIP(host) === 6 ? `[${host.replace(/%.*$/, '')}]` : host}:${port}`;

/** Plain http to another machine shows passwords and births to everybody in between. */
const isHttpTrial = (env: Env): boolean => {
  const value = text(env, 'ALLOW_HTTP');
  if (value !== null && value !== 'trial')
    throw new SettingInvalid('ALLOW_HTTP needs to be trial, or not set.');
  return value === 'trial';
};

/** What is put behind it would land in a query or a fragment; what stands before its host would be shown to all. */
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

/** Without a user name, a query or a fragment, and as it stands. */
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
  // Anybody could then say to come from anywhere.
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
  // Not the value: it may be an identity, typed by mistake.
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

/** All four, or none. */
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
  const allowedDomains = parseDomains(domains);
  if (allowedDomains === null)
    throw new SettingInvalid(
      'OIDC_ALLOWED_DOMAINS needs to be domains of email addresses separated by commas, such as hospital.example.',
    );
  return { issuer, clientId, clientSecret, allowedDomains };
};

const isIssuer = (issuer: string): boolean => {
  if (!isBareAddress(issuer)) return false;
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

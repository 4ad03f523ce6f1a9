import { isIP } from 'node:net';
import { findLogAddressProblem } from '../../adapters/package-internals/event-store-client/log-address.ts';
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
import type { Witness } from '../transparency-log/ask-witnesses.ts';

/** Names the setting and its allowed values. */
export class SettingInvalid extends Error {
  override readonly name = 'SettingInvalid';
}

/** @throws SettingInvalid naming the setting; never its value */
export type SettingParser<T> = (text: string, name: string) => T;

export const parseText = (text: string): string => text;

export const parseWholeNumber =
  (least: number, most: number): SettingParser<number> =>
  (text, name) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new SettingInvalid(`${name} needs to be a whole number from ${least} to ${most}.`);
    return number;
  };

export const parseChoice =
  <T extends string>(choices: readonly T[]): SettingParser<T> =>
  (text, name) => {
    const choice = choices.find((one) => one === text);
    if (choice === undefined)
      throw new SettingInvalid(`${name} needs to be one of ${choices.join(', ')}.`);
    return choice;
  };

/** True for the second word. */
export const parseSwitch =
  (off: string, on: string): SettingParser<boolean> =>
  (text, name) =>
    parseChoice([off, on])(text, name) === on;

/** Dangerous settings have to be called a trial. */
export const parseTrial: SettingParser<boolean> = (text, name) => {
  if (text !== '' && text !== 'trial')
    throw new SettingInvalid(`${name} needs to be trial, or not set.`);
  return text === 'trial';
};

const HOST_NAME = /^[\w-]+(?:\.[\w-]+)*\.?$/;

export const parseHost: SettingParser<string> = (host, name) => {
  if (isIP(host) === 0 && !HOST_NAME.test(host))
    throw new SettingInvalid(
      `${name} needs to be an address of this machine, such as 127.0.0.1 or ::1, or its name; the port is a setting of its own.`,
    );
  return host;
};

/** Paths appended to a query or fragment would be lost, and a user name would be visible to all. */
export const parseBaseUrl: SettingParser<string> = (baseUrl, name) => {
  if (!isBareAddress(baseUrl) || !/^https?:\/\//.test(baseUrl))
    throw new SettingInvalid(
      `${name} needs to be an http or https address, such as https://registry.example, without a user name, query or fragment.`,
    );
  return baseUrl.replace(/\/+$/, '');
};

const isBareAddress = (address: string): boolean =>
  URL.canParse(address) && !/[?#@\s\\]/.test(address);

export const parseContact: SettingParser<string> = (contact, name) => {
  const isEmail = !contact.includes('/') && checkEmail(normalizeEmail(contact)) === null;
  if (!isEmail && !(isBareAddress(contact) && contact.startsWith('https://')))
    throw new SettingInvalid(
      `${name} needs to be an email, or an https address without a user name, query or fragment.`,
    );
  return contact;
};

export const parseDatabaseUrl: SettingParser<string> = (address, name) => {
  if (!URL.canParse(address))
    throw new SettingInvalid(
      `${name} is no address of Postgres, which is like postgres://user:password@host:5432/database. Signs such as @ : / ? & % in the password are written as %40 and so on.`,
    );
  return address;
};

export const parseLogAddress: SettingParser<string> = (address, name) => {
  const problem = findLogAddressProblem(address);
  if (problem !== null) throw new SettingInvalid(`${name} ${problem}`);
  return address;
};

const MIN_SECRET_BYTES = 32;

export const parseSecret: SettingParser<string> = (secret, name) => {
  if (Buffer.byteLength(secret) < MIN_SECRET_BYTES)
    throw new SettingInvalid(
      `${name} has fewer than ${MIN_SECRET_BYTES} bytes. Set a longer one, such as \`openssl rand -base64 48\` makes.`,
    );
  return secret;
};

const MAX_OPERATOR_LENGTH = 100;

/** `null` if the text is not a name of at most 100 characters in one line. */
export const parseOperatorName = (typed: string): string | null => {
  const name = parseName(typed, MAX_OPERATOR_LENGTH);
  return name.kind === 'named' ? name.name : null;
};

export const parseOperator: SettingParser<string> = (typed, name) => {
  const operator = parseOperatorName(typed);
  if (operator === null)
    throw new SettingInvalid(
      `${name} needs to be a name of up to ${MAX_OPERATOR_LENGTH} characters.`,
    );
  return operator;
};

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

export const parseTrustProxy: SettingParser<TrustProxy> = (text, name) => {
  if (text === 'false') return false;
  // Anyone could then claim any address.
  if (text === 'true')
    throw new SettingInvalid(
      `${name} takes the number of your proxies, or their addresses: with true everybody could claim any address.`,
    );
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  if (!networks.every(isNetwork))
    throw new SettingInvalid(
      `${name} needs to be false, a number of proxies, or addresses and networks separated by commas; a network is one like 10.0.0.0/8, or ${NAMED_NETWORKS.join(', ')}.`,
    );
  return networks;
};

const isNetwork = (network: string): boolean => {
  const [, address = '', , bits] = /^([^/]+)(\/(\d{1,3}))?$/.exec(network) ?? [];
  const version = isIP(address);
  if (version === 0) return NAMED_NETWORKS.includes(network);
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128));
};

export const parseBackupRecipients: SettingParser<readonly string[]> = (text, name) => {
  const recipients = text.split(/[\s,]+/).filter(Boolean);
  // Omits the value, which may be an identity pasted by mistake.
  if (!recipients.every((recipient) => /^age1[0-9a-z]+$/.test(recipient)))
    throw new SettingInvalid(
      `${name} needs to be age recipients, which begin with age1, separated by commas.`,
    );
  return recipients;
};

const splitList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const parseIssuers: SettingParser<readonly string[]> = (text, name) => {
  const issuers = splitList(text);
  if (!issuers.every(isIssuer))
    throw new SettingInvalid(
      `${name} needs to be https addresses separated by commas, without user names, queries or fragments; http is for a loopback host only.`,
    );
  return issuers;
};

export const parseProviderIssuer: SettingParser<string> = (issuer, name) => {
  if (!isIssuer(issuer))
    throw new SettingInvalid(
      `${name} needs to be an https address without user name, query or fragment; http is for a loopback host only.`,
    );
  const tenantAddress = findTenantAddress(issuer);
  if (tenantAddress !== null)
    throw new SettingInvalid(`${name}: ${describeAllTenants(tenantAddress)}`);
  return issuer;
};

const isIssuer = (issuer: string): boolean => {
  if (issuer.length > MAX_ISSUER_LENGTH || !isBareAddress(issuer)) return false;
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

export const parseEmailDomains: SettingParser<readonly string[]> = (text, name) => {
  const domains = parseDomains(text);
  if (domains === null)
    throw new SettingInvalid(
      `${name} needs to be domains of email addresses separated by commas, such as hospital.example.`,
    );
  return domains;
};

export const parseWitnesses: SettingParser<readonly Witness[]> = (text, name) => {
  const witnesses = splitList(text).map((witness): Witness | null => {
    const [url = '', keyText = '', ...rest] = witness.split(/\s+/);
    const key = parseKeyOfKind('cosignature', keyText);
    const isOne = key !== null && isIssuer(url) && rest.length === 0;
    return isOne ? { url: url.replace(/\/+$/, ''), key } : null;
  });
  if (witnesses.includes(null))
    throw new SettingInvalid(
      `${name} needs to be the https address of each witness, a space, and its key, which looks like NAME+8 DIGITS+BASE64; commas separate witnesses. http is for a loopback host only.`,
    );
  return witnesses.filter((witness) => witness !== null);
};

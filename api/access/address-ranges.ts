import { BlockList, isIP, isIPv4 } from 'node:net';
import { normalizeAddress } from '../http/client-address.ts';

/** Whether a request may come from an address. */
export type AllowsAddress = (address: string) => boolean;

/** What was typed for the addresses of a key. */
export type TypedRanges =
  | { readonly kind: 'ranges'; readonly ranges: readonly string[] }
  /** Which of them cannot be read; the first is 1. */
  | { readonly kind: 'unreadable'; readonly at: number };

/** An address or a network that was read. */
interface Range {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

const BITS = { ipv4: 32, ipv6: 128 } as const;
/** An IPv4 address in the notation of IPv6 has so many bits before it. */
const MAPPED_BITS = 96;

/** Reads addresses and networks in CIDR notation, with spaces, commas or line breaks between them. */
export const parseRanges = (text: string): TypedRanges => {
  const typed = text.split(/[\s,;]+/).filter((one) => one !== '');
  const read = typed.map(rangeIn);
  const at = read.indexOf(null);
  if (at >= 0) return { kind: 'unreadable', at: at + 1 };
  const ranges = read.flatMap((range) => (range === null ? [] : [textOf(range)]));
  return { kind: 'ranges', ranges: [...new Set(ranges)] };
};

/** @returns null for no ranges: every address is allowed. @param ranges as {@link parseRanges} gave them */
export const createAllowsAddress = (ranges: readonly string[]): AllowsAddress | null => {
  if (ranges.length === 0) return null;
  const list = new BlockList();
  for (const range of ranges.map(rangeIn))
    if (range !== null) list.addSubnet(range.address, range.prefix, range.family);
  return (address) => {
    const from = rangeIn(address.replace(/%.*$/, ''));
    return from !== null && list.check(from.address, from.family);
  };
};

const RANGE = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i;

/** Null for invalid input. A range that allows everybody is also invalid: leave the field empty instead. */
const rangeIn = (typed: string): Range | null => {
  const [, address = '', bits] = RANGE.exec(typed) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const prefix = bits === undefined ? BITS[family] : Number(bits);
  if (prefix < 1 || prefix > BITS[family]) return null;
  const plain = normalizeAddress(address);
  const isMapped = family === 'ipv6' && isIPv4(plain);
  if (!isMapped) return { address: plain, family, prefix };
  return prefix <= MAPPED_BITS
    ? null
    : { address: plain, family: 'ipv4', prefix: prefix - MAPPED_BITS };
};

const textOf = ({ address, family, prefix }: Range): string =>
  prefix === BITS[family] ? address : `${address}/${prefix}`;

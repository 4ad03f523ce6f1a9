import { BlockList, isIP, isIPv4 } from 'node:net';
import { normalizeAddress } from '../http/client-address.ts';

export type AllowsAddress = (address: string) => boolean;

export type TypedRanges =
  | { readonly kind: 'ranges'; readonly ranges: readonly string[] }
  /** `at` counts from 1. */
  | { readonly kind: 'unreadable'; readonly at: number };

interface Range {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

const BITS = { ipv4: 32, ipv6: 128 } as const;
/** Length of the IPv6 prefix of a mapped IPv4 address. */
const MAPPED_BITS = 96;

/** Parses CIDR notation, separated by spaces, commas, semicolons or line breaks. */
export const parseRanges = (text: string): TypedRanges => {
  const typed = text.split(/[\s,;]+/).filter((one) => one !== '');
  const read = typed.map(parseRange);
  const at = read.indexOf(null);
  if (at >= 0) return { kind: 'unreadable', at: at + 1 };
  const ranges = read.flatMap((range) => (range === null ? [] : [formatRange(range)]));
  return { kind: 'ranges', ranges: [...new Set(ranges)] };
};

/** `null` for no ranges, which allow every address. */
export const createAllowsAddress = (ranges: readonly string[]): AllowsAddress | null => {
  if (ranges.length === 0) return null;
  const list = new BlockList();
  for (const range of ranges.map(parseRange))
    if (range !== null) list.addSubnet(range.address, range.prefix, range.family);
  return (address) => {
    const from = parseRange(address.replace(/%.*$/, ''));
    return from !== null && list.check(from.address, from.family);
  };
};

const RANGE = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i;

/** `null` for invalid input, or a range of all addresses: an empty field means that. */
const parseRange = (typed: string): Range | null => {
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

const formatRange = ({ address, family, prefix }: Range): string =>
  prefix === BITS[family] ? address : `${address}/${prefix}`;

import { readFileSync } from 'node:fs';
import { parseRanges } from '../../api/access/address-ranges.ts';
import { SCOPES, type Scope } from '../../domain/api-key/events.ts';
import { normalizeInstant } from '../../domain/course/stamps.ts';
import { WrongUsage } from '../wrong-usage.ts';
import type { Values } from './command-line.ts';

/** Value of an option; `null` if missing or empty. */
export const optional = (values: Values, name: string): string | null => {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/**
 * Value of a required option.
 * @throws WrongUsage
 */
export const required = (values: Values, name: string): string => {
  const value = optional(values, name);
  if (value === null) throw new WrongUsage(`--${name} is missing.`);
  return value;
};

/** Values of a repeatable option; empty if missing. */
export const several = (values: Values, name: string): readonly string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((one) => one !== '') : [];
};

/**
 * Text of the file that an option names.
 * @throws WrongUsage if it cannot be read
 */
export const textOf = (file: string, name: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new WrongUsage(`The file of --${name} cannot be read.`, { cause });
  }
};

/**
 * Value of an option with fixed choices; `null` if missing.
 * @throws WrongUsage
 */
export const oneOf = <Choice extends string>(
  values: Values,
  name: string,
  choices: readonly Choice[],
): Choice | null => {
  const value = values[name];
  if (value === undefined) return null;
  const choice = choices.find((known) => known === value);
  if (choice === undefined) throw new WrongUsage(`--${name} takes one of: ${choices.join(', ')}.`);
  return choice;
};

/**
 * Boolean value of an option; `null` if missing.
 * @throws WrongUsage
 */
export const claim = (values: Values, name: string): boolean | null => {
  const value = oneOf(values, name, ['true', 'false']);
  return value === null ? null : value === 'true';
};

/**
 * Refuses a command that would set nothing.
 * @throws WrongUsage
 */
export const requireOneOf = (values: Values, ...names: readonly string[]): void => {
  if (names.every((name) => values[name] === undefined))
    throw new WrongUsage(
      `There is nothing to set. Give ${names.map((name) => `--${name}`).join(' or ')}.`,
    );
};

/**
 * Addresses and networks, separated by commas; empty if missing.
 * @throws WrongUsage
 */
export const addressesIn = (values: Values): readonly string[] => {
  const read = parseRanges(optional(values, 'addresses') ?? '');
  if (read.kind === 'unreadable')
    throw new WrongUsage(
      `--addresses takes addresses and networks separated by commas, such as 203.0.113.7,2001:db8::/32. Entry ${read.at} is neither.`,
    );
  return read.ranges;
};

/**
 * Scopes of a new key.
 * @throws WrongUsage
 */
export const scopesIn = (values: Values): readonly Scope[] =>
  [
    ...new Set(
      required(values, 'scopes')
        .split(',')
        .map((one) => one.trim()),
    ),
  ].map((one) => {
    const scope = SCOPES.find((known) => known === one);
    if (scope === undefined)
      throw new WrongUsage(`--scopes takes one or several of: ${SCOPES.join(',')}.`);
    return scope;
  });

/**
 * Instant; `null` if missing. Without an offset it is UTC, regardless of the machine's time zone,
 * like timestamps in Bundles.
 * @throws WrongUsage
 */
export const instant = (values: Values, name: string): Date | null => {
  const value = optional(values, name);
  if (value === null) return null;
  // Not `new Date(value)`, which reads `5` as a month, and rolls invalid days over to the next
  // month.
  const inUtc = normalizeInstant(value);
  if (inUtc === null)
    throw new WrongUsage(
      `--${name} takes a possible ISO 8601 date and time, such as 2026-05-12T14:03:00Z or 2026-05-12T09:03:00-05:00.`,
    );
  return new Date(inUtc);
};

/**
 * Four-digit year; `null` if missing.
 * @throws WrongUsage
 */
export const yearIn = (values: Values): number | null => {
  const value = optional(values, 'year');
  if (value === null) return null;
  if (!/^\d{4}$/.test(value)) throw new WrongUsage('--year takes a year such as 2026.');
  return Number(value);
};

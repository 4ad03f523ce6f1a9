import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readTextUpTo } from '../../adapters/files/read-file.ts';
import { parseRanges } from '../../api/access/address-ranges.ts';
import { SCOPES, type Scope } from '../../domain/api-key/events.ts';
import { normalizeInstant } from '../../domain/course/stamps.ts';
import { parseKeyOfKind, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { WrongUsage } from '../wrong-usage.ts';

const MAX_FILE_BYTES = 1024 * 1024;

/** @throws WrongUsage if the file cannot be read */
export const readTextFile = async (file: string, name: string): Promise<string> => {
  const text = await readTextUpTo(file, MAX_FILE_BYTES).catch((cause: unknown) => {
    throw new WrongUsage(`The file of --${name} cannot be read.`, { cause });
  });
  if (text === null) throw new WrongUsage(`The file of --${name} is too large.`);
  return text;
};

/**
 * Data of people does not go to standard output: nothing there says if it is complete.
 * @throws InvalidArgumentError
 */
export const parseNewPath = (text: string): string => {
  if (text === '-')
    throw new InvalidArgumentError('It takes a path, and does not write to standard output.');
  return text;
};

/** @throws InvalidArgumentError */
export const parseBackupKey = (text: string): VerifierKey => {
  const key = parseKeyOfKind('note', text);
  if (key === null)
    throw new InvalidArgumentError('It takes the key that the backup printed: registry-backup+….');
  return key;
};

/** @throws InvalidArgumentError */
export const parseBoolean = (text: string): boolean => {
  if (text !== 'true' && text !== 'false')
    throw new InvalidArgumentError('Allowed choices are true, false.');
  return text === 'true';
};

/** Separated by commas. @throws InvalidArgumentError */
export const parseAddresses = (text: string): readonly string[] => {
  const read = parseRanges(text);
  if (read.kind === 'unreadable')
    throw new InvalidArgumentError(
      `It takes addresses and networks separated by commas, such as 203.0.113.7,2001:db8::/32. Entry ${read.at} is neither.`,
    );
  return read.ranges;
};

/** Separated by commas. @throws InvalidArgumentError */
export const parseScopes = (text: string): readonly Scope[] =>
  [...new Set(text.split(',').map((one) => one.trim()))].map((one) => {
    const scope = SCOPES.find((known) => known === one);
    if (scope === undefined)
      throw new InvalidArgumentError(`It takes one or several of ${SCOPES.join(',')}.`);
    return scope;
  });

/**
 * `undefined` if empty. Without an offset it is UTC, like timestamps in Bundles.
 * @throws InvalidArgumentError
 */
export const parseInstant = (text: string): Date | undefined => {
  if (text === '') return undefined;
  // Not `new Date(text)`, which reads `5` as a month, and rolls invalid days over.
  const inUtc = normalizeInstant(text);
  if (inUtc === null)
    throw new InvalidArgumentError(
      'It takes a possible ISO 8601 date and time, such as 2026-05-12T14:03:00Z or 2026-05-12T09:03:00-05:00.',
    );
  return new Date(inUtc);
};

/** `undefined` if empty. @throws InvalidArgumentError */
export const parseYear = (text: string): number | undefined => {
  if (text === '') return undefined;
  if (!/^\d{4}$/.test(text)) throw new InvalidArgumentError('It takes a year such as 2026.');
  return Number(text);
};

import { hasUnusableCharacters } from '../unusable-characters.ts';
import { type JsonObject, objectIn } from './json.ts';

const MAX_LENGTH = 255;

/**
 * The record's chart number, `Bundle.identifier.value`: trimmed, else exact. `absent` when it is
 * blank or no string, `unusable` over 255 UTF-16 units, with control characters, or with an
 * unpaired surrogate, which no store keeps as it is.
 * @see spec "Chart number"
 */
export const chartNumberOf = (
  bundle: JsonObject,
): { kind: 'absent' } | { kind: 'unusable' } | { kind: 'chart number'; value: string } => {
  const submitted = objectIn(bundle['identifier'])['value'];
  const value = typeof submitted === 'string' ? submitted.trim() : '';
  if (value === '') return { kind: 'absent' };
  if (value.length > MAX_LENGTH || hasUnusableCharacters(value)) return { kind: 'unusable' };
  return { kind: 'chart number', value };
};

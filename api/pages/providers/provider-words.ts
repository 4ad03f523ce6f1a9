import type { AttributedPart, ProviderRole } from '../../../domain/provider/details.ts';
import type { CareerPart, ShownProvider } from '../../../projections/lists/providers.ts';
import { dateInWords } from '../words/dates-in-words.ts';

/** Roles in words. */
export const ROLE_WORDS: Readonly<Record<ProviderRole, string>> = {
  midwife: 'Midwife',
  physician: 'Physician',
  doula: 'Doula',
  nurse: 'Nurse',
  assistant: 'Assistant',
  other: 'Not recorded',
};

/** Parts of a provider in one record: "Attended and certified". */
export const partWords = (parts: readonly AttributedPart[]): string => {
  if (parts.length > 1) return 'Attended and certified';
  return parts[0] === 'certifier' ? 'Certified' : 'Attended';
};

/** Current parts of a provider in a record. */
export const presentParts = (parts: readonly CareerPart[]): readonly AttributedPart[] =>
  parts.flatMap(({ part, replacedAt }) => (replacedAt === null ? part : []));

/** Precedes the date on which another provider replaced this one. */
export const describeReplaced = (part: AttributedPart): string => `replaced as ${part} on`;

/**
 * Current and former parts of a provider in a record: "Certified; replaced as attendant on May 12,
 * 2026".
 */
export const careerWords = (parts: readonly CareerPart[], timeZone: string): string => {
  const present = presentParts(parts);
  const past = parts.flatMap(({ part, replacedAt }) =>
    replacedAt === null
      ? []
      : `${describeReplaced(part)} ${dateInWords(dayOf(replacedAt, timeZone))}`,
  );
  if (present.length > 0) return [partWords(present), ...past].join('; ');
  const text = past.join('; ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Name of a provider, or the partner's id. */
export const nameOf = ({ name, identity }: Pick<ShownProvider, 'name' | 'identity'>): string =>
  name ?? `Without a name (${identity})`;

/** Names of a merge's two providers, distinct even if both have the same name. */
export const namesOf = (
  absorbed: Pick<ShownProvider, 'name' | 'identity'>,
  survivor: Pick<ShownProvider, 'name' | 'identity'>,
): { readonly goes: string; readonly stays: string } => {
  const [goes, stays] = [nameOf(absorbed), nameOf(survivor)];
  return goes === stays
    ? { goes: `${goes} (${absorbed.identity})`, stays: `${stays} (${survivor.identity})` }
    : { goes, stays };
};

/**
 * Date of an instant in a time zone, `YYYY-MM-DD`.
 * @param timeZone IANA name
 */
export const dayOf = (at: Date, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  }).formatToParts(at);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
};

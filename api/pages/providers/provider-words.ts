import type { AttributedPart, ProviderRole } from '../../../domain/provider/details.ts';
import type { CareerPart, ShownProvider } from '../../../projections/lists/providers.ts';
import { dateInWords } from '../words/dates-in-words.ts';

/** Roles as people say them. */
export const ROLE_WORDS: Readonly<Record<ProviderRole, string>> = {
  midwife: 'Midwife',
  physician: 'Physician',
  doula: 'Doula',
  nurse: 'Nurse',
  assistant: 'Assistant',
  other: 'Not recorded',
};

/** The parts that a provider has in one record: "Attended and certified". */
export const partWords = (parts: readonly AttributedPart[]): string => {
  if (parts.length > 1) return 'Attended and certified';
  return parts[0] === 'certifier' ? 'Certified' : 'Attended';
};

/** The parts that a provider has in a record now. */
export const presentParts = (parts: readonly CareerPart[]): readonly AttributedPart[] =>
  parts.flatMap(({ part, replacedAt }) => (replacedAt === null ? part : []));

/** Says that another provider has a part now, before the day since when. */
export const describeReplaced = (part: AttributedPart): string => `replaced as ${part} on`;

/**
 * The parts that a provider has in a record, and those that it had: "Certified; replaced as
 * attendant on May 12, 2026".
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

/** A provider by name, else by the partner's own id. */
export const nameOf = ({ name, identity }: Pick<ShownProvider, 'name' | 'identity'>): string =>
  name ?? `Without a name (${identity})`;

/** Two providers of a merge so that one can tell them apart, also where both have one name. */
export const namesOf = (
  absorbed: Pick<ShownProvider, 'name' | 'identity'>,
  survivor: Pick<ShownProvider, 'name' | 'identity'>,
): { readonly goes: string; readonly stays: string } => {
  const [goes, stays] = [nameOf(absorbed), nameOf(survivor)];
  return goes === stays
    ? { goes: `${goes} (${absorbed.identity})`, stays: `${stays} (${survivor.identity})` }
    : { goes, stays };
};

/** The day of a moment in a zone, `YYYY-MM-DD`. @param timeZone IANA name */
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

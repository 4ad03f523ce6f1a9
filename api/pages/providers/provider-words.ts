import type { AttributedPart } from '../../../domain/course-of-care/events.ts';
import type { ProviderRole } from '../../../domain/provider/details.ts';
import type { ShownProvider } from '../../../domain/provider/shown-provider.ts';

/** Roles as people say them. */
export const ROLE_WORDS: Readonly<Record<ProviderRole, string>> = {
  midwife: 'Midwife',
  physician: 'Physician',
  doula: 'Doula',
  nurse: 'Nurse',
  assistant: 'Assistant',
  other: 'Not stated',
};

/** The parts that a provider has in one record: "Attended and certified". */
export const partWords = (parts: readonly AttributedPart[]): string => {
  if (parts.length > 1) return 'Attended and certified';
  return parts[0] === 'certifier' ? 'Certified' : 'Attended';
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
    ...{ day: '2-digit', month: '2-digit', year: 'numeric' },
  }).formatToParts(at);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
};

import { numberInWords } from '../../../domain/format-measures.ts';
import type { AttributedPart, ProviderDetails } from '../../../domain/provider/details.ts';
import type { CareerPart, ProviderListing } from '../../../projections/lists/providers.ts';
import { formatDate } from '../text/format-dates.ts';
import { capitalize } from '../text/text-case.ts';

export const ROLE_TEXT: Readonly<Record<ProviderDetails['role'], string>> = {
  midwife: 'Midwife',
  physician: 'Physician',
  doula: 'Doula',
  nurse: 'Nurse',
  assistant: 'Assistant',
  other: 'Not recorded',
};

/** Role of a provider, with the original credentials if they add to it. */
export const ProviderRole = ({
  role,
  credentials,
}: Pick<ProviderDetails, 'role' | 'credentials'>) => {
  const words = ROLE_TEXT[role];
  const saysMore = credentials !== null && credentials.toLowerCase() !== words.toLowerCase();
  return (
    <>
      {words}
      {saysMore && <span class="beneath">{credentials}</span>}
    </>
  );
};

/** Parts of a provider in one record: "Attended and certified". */
export const formatPart = (parts: readonly AttributedPart[]): string => {
  if (parts.length > 1) return 'Attended and certified';
  return parts[0] === 'certifier' ? 'Certified' : 'Attended';
};

export const listPresentParts = (parts: readonly CareerPart[]): readonly AttributedPart[] =>
  parts.flatMap(({ part, replacedAt }) => (replacedAt === null ? part : []));

/** "Certified; replaced as attendant on May 12, 2026". */
export const formatCareer = (parts: readonly CareerPart[], timeZone: string): string => {
  const present = listPresentParts(parts);
  const past = parts.flatMap(({ part, replacedAt }) =>
    replacedAt === null
      ? []
      : `replaced as ${part} on ${formatDate(formatDay(replacedAt, timeZone))}`,
  );
  if (present.length > 0) return [formatPart(present), ...past].join('; ');
  return capitalize(past.join('; '));
};

/** Name of a provider, or the partner's id. */
export const formatProviderName = ({
  name,
  identity,
}: Pick<ProviderListing, 'name' | 'identity'>): string => name ?? `Unnamed provider (${identity})`;

const MAX_IDENTITIES = 20;

/** Identities with their names; the first ones and the number of the others. */
export const formatIdentities = (
  providers: readonly Pick<ProviderListing, 'name' | 'identity'>[],
): string =>
  [
    ...providers
      .slice(0, MAX_IDENTITIES)
      .map(({ name, identity }) => `${name ?? 'no name'} (${identity})`),
    ...(providers.length > MAX_IDENTITIES
      ? [`and ${numberInWords(providers.length - MAX_IDENTITIES)} more`]
      : []),
  ].join(', ');

/** Names of a merge's two providers, distinct even if both have the same name. */
export const listNames = (
  absorbed: Pick<ProviderListing, 'name' | 'identity'>,
  survivor: Pick<ProviderListing, 'name' | 'identity'>,
): { readonly absorbedName: string; readonly survivorName: string } => {
  const [absorbedName, survivorName] = [formatProviderName(absorbed), formatProviderName(survivor)];
  return absorbedName === survivorName
    ? {
        absorbedName: `${absorbedName} (${absorbed.identity})`,
        survivorName: `${survivorName} (${survivor.identity})`,
      }
    : { absorbedName, survivorName };
};

/** `YYYY-MM-DD`. @param timeZone IANA name */
export const formatDay = (at: Date, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
  }).formatToParts(at);
  const getPart = (partType: string) => parts.find(({ type }) => type === partType)?.value;
  return `${getPart('year')}-${getPart('month')}-${getPart('day')}`;
};

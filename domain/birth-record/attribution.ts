import { ATTRIBUTED_PARTS, type NamedProvider } from '../provider/details.ts';
import type { AttributionRepointed, SubmissionItemId } from './events.ts';
import type { BirthRecord } from './state.ts';

/** Lets a record name the survivors of the providers that it names. */
export interface RepointAttribution {
  /** Returns the survivor after all merges; the provider itself if it was never absorbed. */
  readonly resolveSurvivor: (providerId: string) => string;
  readonly mark: SubmissionItemId | null;
}

/**
 * Repoints a record, live or voided, to the survivors of merged providers. One that names none of them
 * absorbed is left unchanged. Versions do not change.
 * @see spec "Provider identity (partner lane only)"
 */
export const repointAttribution = (
  { resolveSurvivor: survivorOf, mark }: RepointAttribution,
  state: BirthRecord,
): readonly AttributionRepointed[] => {
  if (state.status === 'none') return [];
  const { submissionUuid, practiceId, course } = state;
  return ATTRIBUTED_PARTS.flatMap((part): AttributionRepointed[] => {
    const from = course[part];
    if (from === null) return [];
    const to = survivorOf(from);
    return to === from
      ? []
      : [
          {
            type: 'AttributionRepointed',
            data: { submissionUuid, practiceId, part, from, to, mark },
          },
        ];
  });
};

/** Each provider once, as the first mention has it. */
export const removeRepeatedProviders = (
  providers: readonly NamedProvider[],
): readonly NamedProvider[] =>
  providers.filter(
    ({ providerId }, at) => providers.findIndex((one) => one.providerId === providerId) === at,
  );

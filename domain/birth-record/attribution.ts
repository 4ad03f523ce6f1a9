import { ATTRIBUTED_PARTS, type NamedProvider } from '../provider/details.ts';
import type { BirthRecordEvent, SubmissionItemId } from './events.ts';
import type { BirthRecord } from './state.ts';

export interface RepointAttribution {
  /** Returns the survivor after all merges, or the provider itself if it was never absorbed. */
  readonly resolveSurvivor: (providerId: string) => string;
  readonly mark: SubmissionItemId | null;
}

/** The version does not change. @see spec "Provider identity (partner lane only)" */
export const repointAttribution = (
  { resolveSurvivor, mark }: RepointAttribution,
  state: BirthRecord,
): readonly BirthRecordEvent<'AttributionRepointed'>[] => {
  if (state.status === 'none') return [];
  const { submissionUuid, practiceId, course } = state;
  return ATTRIBUTED_PARTS.flatMap((part): BirthRecordEvent<'AttributionRepointed'>[] => {
    const from = course[part];
    if (from === null) return [];
    const to = resolveSurvivor(from);
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

export const removeRepeatedProviders = (
  providers: readonly NamedProvider[],
): readonly NamedProvider[] =>
  providers.filter(
    ({ providerId }, at) => providers.findIndex((one) => one.providerId === providerId) === at,
  );

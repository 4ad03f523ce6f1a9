export const DAYS_PER_WEEK = 7;

export const toWeeksAndDays = (
  inDays: number,
): { readonly weeks: number; readonly days: number } => ({
  weeks: Math.floor(inDays / DAYS_PER_WEEK),
  days: inDays % DAYS_PER_WEEK,
});

/** Returns `null` if the gestational age is unknown. */
export const toGestationDays = (child: {
  readonly gestational_age_weeks: number | null;
  readonly gestational_age_days: number | null;
}): number | null =>
  child.gestational_age_weeks === null
    ? null
    : child.gestational_age_weeks * DAYS_PER_WEEK + (child.gestational_age_days ?? 0);

/**
 * Whether a practice has a record that is not voided, as the read tables know it, or births in the
 * queue that may become one.
 */
export type HasLiveRecords = (practiceId: string) => Promise<boolean>;

/**
 * Formats the end of an ingestion for its receipt: ISO 8601 with an offset. Our choice: the offset
 * is always written `+00:00`.
 * @see spec "Ingestion receipt"
 */
export const formatCompletedAt = (now: Date): string => now.toISOString().replace('Z', '+00:00');

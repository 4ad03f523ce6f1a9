export const MS_IN_SECOND = 1_000;
export const BYTES_IN_MIB = 1_048_576;
/** Status of a push that was taken. */
export const ACCEPTED = 202;

/** The largest file that is read, in megabytes as people count them. */
export const MOST_FILE_MEGABYTES = 20;

/** The same in bytes. */
export const MOST_FILE_BYTES = MOST_FILE_MEGABYTES * 1024 * 1024;

/** The most filled rows of one file. */
export const MOST_ROWS = 10_000;

/** The same as people write it: `10,000`. */
export const MOST_ROWS_IN_WORDS = MOST_ROWS.toLocaleString('en-US');

/** The most that the read parts of a workbook may unpack to, in megabytes. */
export const MOST_UNPACKED_MEGABYTES = 100;

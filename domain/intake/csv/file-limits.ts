/** The largest file that is read, in megabytes as people count them. */
export const MAX_FILE_MEGABYTES = 20;

/** The same in bytes. */
export const MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1024 * 1024;

/** The most filled rows of one file. */
export const MAX_ROWS = 10_000;

/** The same as people write it: `10,000`. */
export const MAX_ROWS_TEXT = MAX_ROWS.toLocaleString('en-US');

/** The most that the read parts of a workbook may unpack to, in megabytes. */
export const MAX_UNPACKED_MEGABYTES = 100;

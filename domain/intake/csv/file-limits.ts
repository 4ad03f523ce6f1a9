export const MAX_FILE_MEGABYTES = 20;

export const MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1024 * 1024;

export const MAX_ROWS = 10_000;

/** Formatted for people: `10,000`. */
export const MAX_ROWS_TEXT = MAX_ROWS.toLocaleString('en-US');

/** Maximum unpacked size of the relevant parts of a workbook. */
export const MAX_UNPACKED_MEGABYTES = 100;

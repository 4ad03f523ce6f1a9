export const MAX_FILE_MEGABYTES = 20;

export const MAX_FILE_BYTES = MAX_FILE_MEGABYTES * 1024 * 1024;

export const MAX_ROWS = 10_000;

export const MAX_ROWS_TEXT = MAX_ROWS.toLocaleString('en-US');

/** Maximum number of cells with a text: more than a file of `MAX_ROWS` births fills. */
export const MAX_CELLS = 2_000_000;

/** Number of rows in a sheet of Excel. Nearly all of them are empty. */
export const MAX_SHEET_ROWS = 1_048_576;

/** Maximum unpacked size of the relevant parts of a workbook. */
export const MAX_UNPACKED_MEGABYTES = 100;

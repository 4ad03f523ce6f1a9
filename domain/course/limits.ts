export const MAX_CHILDREN = 20;

/**
 * Maximum size of one course of care, as compact JSON text in UTF-8.
 * Our choice: far more than a birth without attachments needs.
 */
export const MAX_COURSE_BYTES = 5 * 1024 * 1024;

export const MAX_ENTRIES = 10_000;

export const MAX_LIST = 1000;

export const MAX_TRANSFERS = 10;

export const MAX_GIVEN_NAMES = 10;

/** As many lines as the certificate has beside an answer about race. */
export const MAX_WRITE_INS = 2;

export const MAX_NAME = 150;

export const MAX_TEXT = 300;

/** Maximum number of children in one course of care. */
export const MAX_CHILDREN = 20;

/**
 * Maximum size of one course of care, as compact JSON text in UTF-8.
 * Our choice: far more than a birth without attachments needs.
 */
export const MAX_COURSE_BYTES = 5 * 1024 * 1024;

/** Maximum number of entries in one course of care. Our choice: far more than any birth has. */
export const MAX_ENTRIES = 10_000;

/** Maximum number of elements in any other list that is read. Our choice: far more than any has. */
export const MAX_LIST = 1000;

/** Maximum number of transfers in one course of care. Our choice: far more than any birth has. */
export const MAX_TRANSFERS = 10;

/** Maximum number of given names per person. Our choice: more than any certificate has room for. */
export const MAX_GIVEN_NAMES = 10;

/** Maximum length of a name, identifier, or part of an address, in UTF-16 units. */
export const MAX_NAME = 150;

/** Maximum length of the text of a coded value, street, or site of care, in UTF-16 units. */
export const MAX_TEXT = 300;

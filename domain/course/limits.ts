/** The most children one course of care may hold. */
export const MAX_CHILDREN = 20;

/** The most transfers one course of care may hold. Our choice: far more than one birth has. */
export const MAX_TRANSFERS = 10;

/** The most given names of one person. Our choice: more than any certificate has room for. */
export const MAX_GIVEN_NAMES = 10;

/** The longest name, identifier or address part that is kept, in UTF-16 units. */
export const MAX_NAME = 150;

/** The longest text of a coded value, and of a street or a site of care, in UTF-16 units. */
export const MAX_TEXT = 300;

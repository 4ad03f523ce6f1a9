// No column has so long a name, and normalizing takes a time that grows with its square.
const MAX_NAME_LENGTH = 500;

/**
 * A column's name as it is compared: lower case, anything between words is one underscore; '' for a
 * text that is too long to name a column.
 */
export const comparable = (header: string): string =>
  header.length > MAX_NAME_LENGTH
    ? ''
    : header
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '_')
        .replace(/^_+|_+$/g, '');

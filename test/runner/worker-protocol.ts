/** Sent instead of the path of a bundle when there are no more files. */
export const NO_MORE_FILES = '';

/** Ends what a test file printed. */
export const END_OF_FILE = '\u001e end of the test file';

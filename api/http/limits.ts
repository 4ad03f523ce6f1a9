/** Maximum nesting of a body, with the top object as 1. Our choice. */
export const MAX_NESTING = 64;

/** Maximum number of values in a body. Our choice: twice as many as the largest real Bundles contain. */
export const MAX_VALUES = 2_000_000;

/** Maximum size of a body after decompression. Our choice. */
export const MAX_BODY_MIB = 20;
export const MAX_BODY_BYTES = MAX_BODY_MIB * 1024 * 1024;

/** Requests a minute of an API key, unless the operator sets another limit. @see spec "Limits" */
export const USUAL_REQUESTS_PER_MINUTE = 120;

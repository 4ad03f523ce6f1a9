import { RequestProblem } from '../http/request-problem.ts';

/** Returns a function, so that each error has a stack of its own. */
const createBodyProblem =
  (diagnostics: string, expression = 'Bundle.resourceType') =>
  (): RequestProblem =>
    new RequestProblem(400, 'structure', diagnostics, [expression]);

/** Maximum nesting of a body, with the top object as 1. Our choice. */
export const MAX_NESTING = 64;

/** Maximum number of values in a body. Our choice: twice as many as 20 MiB of real Bundles contain. */
export const MAX_VALUES = 2_000_000;

export const bodyNotJson = createBodyProblem(
  'The body is not JSON. Send the Bundle as JSON in UTF-8.',
);

/** The body is JSON, but not an object with the resource type Bundle. */
export const bodyNotABundle = createBodyProblem(
  'The body is not a FHIR Bundle. Send a JSON object whose resourceType is Bundle.',
);

/** A parser would keep the last of the two values, and drop the other in silence. */
export const bodyNameTwice = createBodyProblem(
  'An object of the body has the same property name twice, so one of the two values would be lost. Send each name once.',
  // The object may be anywhere in it.
  'Bundle',
);

/** Parsing this many values would block other requests. */
export const bodyTooManyValues = (): RequestProblem =>
  new RequestProblem(
    413,
    'too-long',
    `The body holds more than ${MAX_VALUES.toLocaleString('en-US')} values. Send the courses of care in several Bundles.`,
  );

/** Nesting exceeds anything FHIR needs. */
export const bodyNestedTooDeep = createBodyProblem(
  `The body is nested deeper than ${MAX_NESTING} levels. Look for a loop in what builds the Bundle.`,
);

/** The Content-Encoding is gzip, but the body is not. */
export const bodyNotGzip = createBodyProblem(
  'The body is not gzip, or it is damaged. Compress it again, or send it without Content-Encoding.',
);

/** The connection ended before the body did. */
export const bodyEndedEarly = createBodyProblem(
  'The body ends early. Send the request again, with the same Idempotency-Key if it has one.',
);

/** The Content-Encoding is neither gzip nor identity. */
export const encodingNotSupported = createBodyProblem(
  'The Content-Encoding is not supported. Send the body as it is, or with gzip.',
);

/** The body exceeds the limit, which applies after decompression. */
export const bodyTooLong = (): RequestProblem =>
  new RequestProblem(
    413,
    'too-long',
    'The body has more than 20 MiB. Send the courses of care in several Bundles.',
  );

/** Reading the body takes more time or memory than that of any real one. */
export const bodyTooCostly = (): RequestProblem =>
  new RequestProblem(
    413,
    'too-costly',
    'The body takes too long to read. Send the courses of care in several Bundles, without attachments and narrative.',
  );

const BUSY_RETRY_SECONDS = 10;

/** Other long bodies are received and read first. */
export const bodyWaitsForOthers = (): RequestProblem =>
  new RequestProblem(
    503,
    'transient',
    `The registry is reading other long Bundles, and nothing of this one was taken. Send it again in ${BUSY_RETRY_SECONDS} s, or send fewer at a time.`,
    [],
    { 'Retry-After': String(BUSY_RETRY_SECONDS) },
  );

/** Others waited for the memory that a slow sender held. */
export const bodyTooSlow = (): RequestProblem =>
  new RequestProblem(
    503,
    'transient',
    `The body arrived so slowly that it had to make room for others, and nothing of it was taken. Send it again in ${BUSY_RETRY_SECONDS} s without pauses, or a batch in parts.`,
    [],
    { 'Retry-After': String(BUSY_RETRY_SECONDS) },
  );

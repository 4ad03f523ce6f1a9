import type { IssueSource } from '../http/operation-outcome.ts';
import { TOO_MANY_REQUESTS, TOO_MANY_REQUESTS_PAGE } from '../http/rate-limiter.ts';
import { buildOutcomes, type Example } from './examples.ts';
import {
  ALLOW,
  CORRELATION,
  EVERYWHERE,
  IF_COUNTED,
  RETRY_AFTER,
  RETRY_UNTIL_PROVED,
  WWW_AUTHENTICATE,
} from './headers.ts';
import { REQUEST_PROBLEMS } from './request-problems.ts';

/** Content of a response that is an OperationOutcome. */
export const buildOutcomeContent = (examples: Readonly<Record<string, Example>>) => ({
  'application/fhir+json': {
    schema: { $ref: '#/components/schemas/OperationOutcome' },
    examples,
  },
});

type Headers = Readonly<Record<string, { readonly $ref: string }>>;

const refuse = (
  description: string,
  problems: Readonly<Record<string, IssueSource>>,
  headers: Headers = {},
) => refuseUncounted(description, problems, { ...EVERYWHERE, ...headers });

/** Builds a response without the headers of the rate limit. */
const refuseUncounted = (
  description: string,
  problems: Readonly<Record<string, IssueSource>>,
  headers: Headers,
) => ({ description, headers, content: buildOutcomeContent(buildOutcomes(problems)) });

const forbid = (scope: string, id: 'scope-missing-write' | 'scope-missing-read') =>
  refuse(
    `The key lacks the scope ${scope}, or it may not be used from the address of the request, or it is a partner feed key, and the partner is outside the partner-EHR beta or its contract status is not Active.`,
    {
      scope: REQUEST_PROBLEMS[id],
      elsewhere: REQUEST_PROBLEMS['used-elsewhere'],
      outsideBeta: REQUEST_PROBLEMS['partner-outside-beta'],
      pending: REQUEST_PROBLEMS['partner-pending'],
      suspended: REQUEST_PROBLEMS['partner-suspended'],
    },
  );

const ONLY_GET = 'Another method than GET or HEAD was used at this address.';
const EXPECTATION = 'The header Expect asks for something else than 100-continue.';

/** Error responses, by the names that operations refer to. */
export const RESPONSES = {
  NotABundle: refuse(
    'The body is not a JSON FHIR Bundle. A used Idempotency-Key changes nothing about it.',
    {
      notJson: REQUEST_PROBLEMS['not-json'],
      notABundle: REQUEST_PROBLEMS['not-a-bundle'],
      nestedTooDeep: REQUEST_PROBLEMS['nested-too-deep'],
      notGzip: REQUEST_PROBLEMS['not-gzip'],
      encoding: REQUEST_PROBLEMS['encoding-not-supported'],
    },
  ),
  Malformed: refuse('The address cannot be decoded.', {
    malformed: REQUEST_PROBLEMS['malformed-address'],
  }),
  Unauthenticated: refuse(
    'The key is missing, invalid or revoked.',
    { keyNeeded: REQUEST_PROBLEMS['key-needed'] },
    WWW_AUTHENTICATE,
  ),
  MayNotWrite: forbid('ingest:write', 'scope-missing-write'),
  MayNotRead: forbid('ingest:read', 'scope-missing-read'),
  NoSuchIngestion: refuse('The practice has no ingestion with this id.', {
    noSuchIngestion: REQUEST_PROBLEMS['no-such-ingestion'],
  }),
  NoProof: refuse(
    'The practice has no ingestion with this id, or there is no proof of its end yet.',
    {
      noProofYet: REQUEST_PROBLEMS['no-proof-yet'],
      noSuchIngestion: REQUEST_PROBLEMS['no-such-ingestion'],
    },
    RETRY_UNTIL_PROVED,
  ),
  OnlyPost: refuse(
    'Another method than POST was used at this address.',
    { onlyPost: REQUEST_PROBLEMS['only-post'] },
    ALLOW,
  ),
  OnlyGet: refuse(ONLY_GET, { onlyGet: REQUEST_PROBLEMS['only-get'] }, ALLOW),
  OnlyGetUncounted: refuseUncounted(
    ONLY_GET,
    { onlyGet: REQUEST_PROBLEMS['only-get'] },
    { ...CORRELATION, ...ALLOW },
  ),
  TooLong: refuse('The body has more than 20 MiB after gzip is undone, or too many values.', {
    bodyTooLong: REQUEST_PROBLEMS['body-too-long'],
    bodyTooManyValues: REQUEST_PROBLEMS['too-many-values'],
  }),
  TooSlow: refuseUncounted(
    'The headers took more than 30 seconds to arrive, or the whole request more than two minutes, unless the operator set other times. The connection is closed.',
    { tooSlow: REQUEST_PROBLEMS['too-slow'] },
    IF_COUNTED,
  ),
  ExpectationFailed: refuse(EXPECTATION, {
    expectationUnknown: REQUEST_PROBLEMS['expectation-unknown'],
  }),
  ExpectationFailedUncounted: refuseUncounted(
    EXPECTATION,
    { expectationUnknown: REQUEST_PROBLEMS['expectation-unknown'] },
    { ...IF_COUNTED, ...CORRELATION },
  ),
  HeadersTooLong: refuseUncounted(
    'Address and headers have more than 16 KiB together. The connection is closed.',
    { headersTooLong: REQUEST_PROBLEMS['headers-too-long'] },
    IF_COUNTED,
  ),
  TooManyRequests: {
    description:
      'The bucket is empty. Not an OperationOutcome: JSON if Accept names a JSON media type, else a page. Branch on the status and Retry-After.',
    headers: { ...EVERYWHERE, ...RETRY_AFTER },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/TooManyRequests' },
        examples: { tooMany: { summary: 'As JSON', value: { message: TOO_MANY_REQUESTS } } },
      },
      'text/html': {
        schema: { type: 'string' },
        examples: { tooMany: { summary: 'As a page', value: TOO_MANY_REQUESTS_PAGE } },
      },
    },
  },
  Fault: refuse('Internal error.', { fault: REQUEST_PROBLEMS['internal-fault'] }),
  Starting: refuseUncounted(
    'The service is starting.',
    { starting: REQUEST_PROBLEMS.starting },
    { ...CORRELATION, ...RETRY_AFTER },
  ),
  Away: refuse(
    'The registry cannot take or show records right now: nothing is answered with 202 that is not stored durably.',
    { unavailable: REQUEST_PROBLEMS.unavailable, starting: REQUEST_PROBLEMS.starting },
    RETRY_AFTER,
  ),
};

/** Reference to an error response. */
export const referToResponse = (name: keyof typeof RESPONSES) => ({
  $ref: `#/components/responses/${name}`,
});

/** Error responses sent before the operation is known. */
export const BEFORE_ANY_OPERATION = {
  408: referToResponse('TooSlow'),
  417: referToResponse('ExpectationFailedUncounted'),
  431: referToResponse('HeadersTooLong'),
};

/** Error responses of every operation behind a rate limit. */
export const COUNTED = {
  ...BEFORE_ANY_OPERATION,
  417: referToResponse('ExpectationFailed'),
  429: referToResponse('TooManyRequests'),
  500: referToResponse('Fault'),
  503: referToResponse('Away'),
};

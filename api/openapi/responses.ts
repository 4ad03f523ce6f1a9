import { MAX_BODY_MIB } from '../http/limits.ts';
import type { IssueSource } from '../http/operation-outcome.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
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

const refuseUncounted = (
  description: string,
  problems: Readonly<Record<string, IssueSource>>,
  headers: Headers,
) => ({ description, headers, content: buildOutcomeContent(buildOutcomes(problems)) });

const forbid = (
  scope: string,
  id: 'scope-missing-write' | 'scope-missing-read',
  others: Readonly<Record<string, IssueSource>> = {},
) =>
  refuse(
    `The key lacks the scope ${scope}, may not be used from this address, or is a partner feed key of a partner that is outside the partner-EHR beta or whose contract is not Active.`,
    {
      scope: REQUEST_PROBLEMS[id],
      elsewhere: REQUEST_PROBLEMS['used-elsewhere'],
      outsideBeta: REQUEST_PROBLEMS['partner-outside-beta'],
      pending: REQUEST_PROBLEMS['partner-pending'],
      suspended: REQUEST_PROBLEMS['partner-suspended'],
      ...others,
    },
  );

const ONLY_GET = 'The method is not GET or HEAD.';
const EXPECTATION = 'The header Expect has another value than 100-continue.';

export const RESPONSES = {
  NotABundle: refuse(
    'The body is not a JSON FHIR Bundle, even if the Idempotency-Key was used before.',
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
    'The key is missing, invalid, or revoked.',
    { keyNeeded: REQUEST_PROBLEMS['key-needed'] },
    WWW_AUTHENTICATE,
  ),
  MayNotWrite: forbid('ingest:write', 'scope-missing-write'),
  MayNotRead: forbid('ingest:read', 'scope-missing-read'),
  MayNotProve: forbid('ingest:read', 'scope-missing-read', {
    otherSender: REQUEST_PROBLEMS['proof-of-another-sender'],
  }),
  NoSuchIngestion: refuse('The practice has no ingestion with this id.', {
    noSuchIngestion: REQUEST_PROBLEMS['no-such-ingestion'],
  }),
  NoProof: refuse(
    'The practice has no ingestion with this id, or its proof is not ready.',
    {
      noProofYet: REQUEST_PROBLEMS['no-proof-yet'],
      noSuchIngestion: REQUEST_PROBLEMS['no-such-ingestion'],
    },
    RETRY_UNTIL_PROVED,
  ),
  OnlyPost: refuse('The method is not POST.', { onlyPost: REQUEST_PROBLEMS['only-post'] }, ALLOW),
  OnlyGet: refuse(ONLY_GET, { onlyGet: REQUEST_PROBLEMS['only-get'] }, ALLOW),
  OnlyGetUncounted: refuseUncounted(
    ONLY_GET,
    { onlyGet: REQUEST_PROBLEMS['only-get'] },
    { ...CORRELATION, ...ALLOW },
  ),
  TooLong: refuse(
    `The body has more than ${MAX_BODY_MIB} MiB after decompression, too many values, or takes too long to read.`,
    {
      bodyTooLong: REQUEST_PROBLEMS['body-too-long'],
      bodyTooManyValues: REQUEST_PROBLEMS['too-many-values'],
      bodyTooCostly: REQUEST_PROBLEMS['body-too-costly'],
    },
  ),
  TooSlow: refuseUncounted(
    'The headers took more than 30 seconds, or the request more than two minutes, unless the operator set other times. The connection is closed.',
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
    'The address and headers have more than 16 KiB. The connection is closed.',
    { headersTooLong: REQUEST_PROBLEMS['headers-too-long'] },
    IF_COUNTED,
  ),
  TooManyRequests: {
    description:
      'The key or address sent too many requests. Not an OperationOutcome: JSON if Accept names a JSON media type, else a page.',
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
    'The registry cannot accept or show records now.',
    { unavailable: REQUEST_PROBLEMS.unavailable, starting: REQUEST_PROBLEMS.starting },
    RETRY_AFTER,
  ),
};

export const referToResponse = (name: keyof typeof RESPONSES) => ({
  $ref: `#/components/responses/${name}`,
});

export const BEFORE_ANY_OPERATION = {
  408: referToResponse('TooSlow'),
  417: referToResponse('ExpectationFailedUncounted'),
  431: referToResponse('HeadersTooLong'),
};

export const COUNTED = {
  ...BEFORE_ANY_OPERATION,
  417: referToResponse('ExpectationFailed'),
  429: referToResponse('TooManyRequests'),
  500: referToResponse('Fault'),
  503: referToResponse('Away'),
};

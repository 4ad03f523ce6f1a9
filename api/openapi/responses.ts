import { checkGate } from '../../domain/partner/gate.ts';
import { TOO_MANY_REQUESTS, TOO_MANY_REQUESTS_PAGE } from '../http/rate-limiter.ts';
import {
  expectationUnknown,
  headersTooLong,
  internalFault,
  malformed,
  methodNotSupported,
  type RequestProblem,
  serviceStarting,
  tooSlow,
  unavailable,
} from '../http/request-problem.ts';
import {
  bodyNestedTooDeep,
  bodyNotABundle,
  bodyNotGzip,
  bodyNotJson,
  bodyTooLong,
  bodyTooManyValues,
  encodingNotSupported,
  ipNotAllowed,
  keyNeeded,
  noProofYet,
  noSuchIngestion,
  partnerGateClosed,
  scopeMissing,
} from '../push/problems.ts';
import { type Example, outcomesOf } from './examples.ts';
import {
  ALLOW,
  CORRELATION,
  EVERYWHERE,
  IF_COUNTED,
  RETRY_AFTER,
  RETRY_UNTIL_PROVED,
  WWW_AUTHENTICATE,
} from './headers.ts';

/** Content of a response that is an OperationOutcome. */
export const outcome = (examples: Readonly<Record<string, Example>>) => ({
  'application/fhir+json': {
    schema: { $ref: '#/components/schemas/OperationOutcome' },
    examples,
  },
});

const refusal = (
  description: string,
  problems: Readonly<Record<string, RequestProblem>>,
  headers: Readonly<Record<string, { readonly $ref: string }>> = {},
) => ({
  description,
  headers: { ...EVERYWHERE, ...headers },
  content: outcome(outcomesOf(problems)),
});

const partner = { status: 'known', partnerId: 'maple', name: 'Maple EHR' } as const;

const closed = (beta: boolean, contract: 'Pending' | 'Suspended' | 'Active'): RequestProblem => {
  const gate = checkGate({ ...partner, beta, contract });
  return partnerGateClosed(gate.kind === 'closed' ? gate.reason : '');
};

const GATE = {
  outsideBeta: closed(false, 'Active'),
  pending: closed(true, 'Pending'),
  suspended: closed(true, 'Suspended'),
};

const forbidden = (scope: string) =>
  refusal(
    `The key lacks the scope ${scope}, or it may not be used from the address of the request, or it is a partner feed key, and the partner is outside the partner-EHR beta or its contract status is not Active.`,
    { scope: scopeMissing(scope), elsewhere: ipNotAllowed(), ...GATE },
  );

const EXPECTATION = { expectationUnknown: expectationUnknown() };

/** Error responses, by the names that operations refer to. */
export const RESPONSES = {
  NotABundle: refusal(
    'The body is not a JSON FHIR Bundle. A used Idempotency-Key changes nothing about it.',
    {
      notJson: bodyNotJson(),
      notABundle: bodyNotABundle(),
      nestedTooDeep: bodyNestedTooDeep(),
      notGzip: bodyNotGzip(),
      encoding: encodingNotSupported(),
    },
  ),
  Malformed: refusal('The address cannot be decoded.', { malformed: malformed(400) }),
  Unauthenticated: refusal(
    'The key is missing, invalid or revoked.',
    { keyNeeded: keyNeeded() },
    WWW_AUTHENTICATE,
  ),
  MayNotWrite: forbidden('ingest:write'),
  MayNotRead: forbidden('ingest:read'),
  NoSuchIngestion: refusal('The practice has no ingestion with this id.', {
    noSuchIngestion: noSuchIngestion(),
  }),
  NoProof: refusal(
    'The practice has no ingestion with this id, or there is no proof of its end yet.',
    { noProofYet: noProofYet(), noSuchIngestion: noSuchIngestion() },
    RETRY_UNTIL_PROVED,
  ),
  OnlyPost: refusal(
    'Another method than POST was used at this address.',
    { onlyPost: methodNotSupported('POST') },
    ALLOW,
  ),
  OnlyGet: refusal(
    'Another method than GET or HEAD was used at this address.',
    { onlyGet: methodNotSupported('GET, HEAD') },
    ALLOW,
  ),
  OnlyGetUncounted: {
    description: 'Another method than GET or HEAD was used at this address.',
    headers: { ...CORRELATION, ...ALLOW },
    content: outcome(outcomesOf({ onlyGet: methodNotSupported('GET, HEAD') })),
  },
  TooLong: refusal('The body has more than 20 MiB after gzip is undone, or too many values.', {
    bodyTooLong: bodyTooLong(),
    bodyTooManyValues: bodyTooManyValues(),
  }),
  TooSlow: {
    description:
      'The headers took more than 30 seconds to arrive, or the whole request more than two minutes, unless the operator set other times. The connection is closed.',
    headers: IF_COUNTED,
    content: outcome(outcomesOf({ tooSlow: tooSlow() })),
  },
  ExpectationFailed: refusal(
    'The header Expect asks for something else than 100-continue.',
    EXPECTATION,
  ),
  ExpectationFailedUncounted: {
    description: 'The header Expect asks for something else than 100-continue.',
    headers: { ...IF_COUNTED, ...CORRELATION },
    content: outcome(outcomesOf(EXPECTATION)),
  },
  HeadersTooLong: {
    description: 'Address and headers have more than 16 KiB together. The connection is closed.',
    headers: IF_COUNTED,
    content: outcome(outcomesOf({ headersTooLong: headersTooLong() })),
  },
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
  Fault: refusal('Internal error.', { fault: internalFault() }),
  Starting: {
    description: 'The service is starting.',
    headers: { ...CORRELATION, ...RETRY_AFTER },
    content: outcome(outcomesOf({ starting: serviceStarting() })),
  },
  Away: refusal(
    'The registry cannot take or show records right now: nothing is answered with 202 that is not stored durably.',
    { unavailable: unavailable(), starting: serviceStarting() },
    RETRY_AFTER,
  ),
};

/** Reference to an error response. */
export const response = (name: keyof typeof RESPONSES) => ({
  $ref: `#/components/responses/${name}`,
});

/** Error responses sent before the operation is known. */
export const BEFORE_ANY_OPERATION = {
  408: response('TooSlow'),
  417: response('ExpectationFailedUncounted'),
  431: response('HeadersTooLong'),
};

/** Error responses of every operation behind a rate limit. */
export const COUNTED = {
  ...BEFORE_ANY_OPERATION,
  417: response('ExpectationFailed'),
  429: response('TooManyRequests'),
  500: response('Fault'),
  503: response('Away'),
};

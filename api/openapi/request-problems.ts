import { checkGate } from '../../domain/partner/gate.ts';
import type { IssueSource } from '../http/operation-outcome.ts';
import { TOO_MANY_REQUESTS } from '../http/rate-limiter.ts';
import {
  expectationUnknown,
  headersTooLong,
  internalFault,
  malformed,
  methodNotSupported,
  nothingHere,
  serviceStarting,
  tooSlow,
  unavailable,
} from '../http/request-problem.ts';
import {
  ipNotAllowed,
  keyNeeded,
  noProofYet,
  noSuchIngestion,
  nothingAtBase,
  partnerGateClosed,
  practiceShareUsed,
  queueFull,
  scopeMissing,
} from '../push/problems.ts';
import {
  bodyEndedEarly,
  bodyNameTwice,
  bodyNestedTooDeep,
  bodyNotABundle,
  bodyNotGzip,
  bodyNotJson,
  bodyTooCostly,
  bodyTooLong,
  bodyTooManyValues,
  bodyTooSlow,
  bodyWaitsForOthers,
  encodingNotSupported,
  MAX_NESTING,
  MAX_VALUES,
} from '../reading/body-problems.ts';
import { exampleBirth } from './example-bundles.ts';

/** Conditions outside the request. */
export type Circumstance =
  | 'starting'
  | 'a store is away'
  | 'the queue is full'
  | 'the practice has filled its share'
  | 'other long bodies are read'
  | 'others wait for a slow body'
  | 'reading takes too long'
  | 'a fault'
  | 'the connection breaks'
  | 'the connection is slow'
  | 'a header is endless'
  | 'a header expects something';

/** An HTTP request. With `times`, the last of this many triggers the case. */
export interface RequestExample {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The whole body if `body` is only an excerpt, with a note if the omitted part matters. */
  readonly whole?: { readonly note: string | null; readonly body: () => string };
  readonly times?: number;
  readonly while?: Circumstance;
}

/** API keys of the examples; real keys never look like these. */
export const EXAMPLE_KEYS = {
  writeAndRead: 'rgk_example-write-and-read',
  writeOnly: 'rgk_example-write-only',
  readOnly: 'rgk_example-read-only',
  revoked: 'rgk_example-revoked',
  bound: 'rgk_example-bound',
  partner: 'rgk_example-partner',
} as const;

/** Id of the example practice's only ingestion. */
export const EXAMPLE_INGESTION = 'V1StGXR8_Z5jdHi6B-myT';

const BUNDLE = '/api/registry/fhir/Bundle';
const STATUS = `/api/registry/fhir/ingestions/${EXAMPLE_INGESTION}`;
const BODY = JSON.stringify(exampleBirth());
const SHOWN_BODY = '{"resourceType":"Bundle","type":"document","entry":[…]}';
const TWENTY_MEBIBYTES = 20 * 1024 * 1024;
const ONE_MEBIBYTE = 1024 * 1024;
const LIMIT = 120;

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const submission = (
  changes: Partial<RequestExample> = {},
  headers: RequestExample['headers'] = {},
): RequestExample => ({
  method: 'POST',
  path: BUNDLE,
  headers: {
    ...bearer(EXAMPLE_KEYS.writeAndRead),
    'Content-Type': 'application/fhir+json',
    ...headers,
  },
  body: SHOWN_BODY,
  ...(changes.body === undefined ? { whole: { note: null, body: () => BODY } } : {}),
  ...changes,
});

const poll = (token: string = EXAMPLE_KEYS.writeAndRead, path = STATUS): RequestExample => ({
  method: 'GET',
  path,
  headers: bearer(token),
});

interface Advice {
  readonly happens: string;
  readonly remedy: string;
}

/** Builds an entry, whose fixed example is a plain submission unless given. */
const describe = <Code extends string | null>(
  problem: Omit<IssueSource, 'code'> & { readonly status: number; readonly code: Code },
  entry: Advice & { readonly failing: RequestExample; readonly fixed?: RequestExample },
) => ({
  status: problem.status,
  code: problem.code,
  diagnostics: problem.diagnostics,
  expression: problem.expression,
  fixed: submission(),
  ...entry,
});

const describeClosedGate = (
  beta: boolean,
  contract: 'Pending' | 'Suspended' | 'Active',
  entry: Advice,
) => {
  const partner = { status: 'known', partnerId: 'maple', name: 'Maple EHR' } as const;
  const gate = checkGate({ ...partner, beta, contract });
  return describe(partnerGateClosed(gate.kind === 'closed' ? gate.reason : ''), {
    ...entry,
    failing: submission({}, bearer(EXAMPLE_KEYS.partner)),
  });
};

/**
 * Requests answered with an error, by anchor and in order of status: the page and the contract are
 * built from them. @see spec "Errors"
 */
export const REQUEST_PROBLEMS = {
  'not-json': describe(bodyNotJson(), {
    happens:
      'The body is empty, cut off, XML, not in UTF-8, or not JSON for another reason. The Content-Type does not matter.',
    remedy: 'Send the Bundle as JSON in UTF-8.',
    failing: submission({ body: '<Bundle xmlns="http://hl7.org/fhir"/>' }),
  }),
  'not-a-bundle': describe(bodyNotABundle(), {
    happens:
      'The body is JSON, but not an object with the resourceType Bundle: it is a single resource, or an array of Bundles.',
    remedy: 'Wrap the resources into a Bundle. Several births go into a Bundle of Bundles.',
    failing: submission({ body: '{"resourceType":"Patient"}' }),
  }),
  'nested-too-deep': describe(bodyNestedTooDeep(), {
    happens: `Objects and arrays of the body are nested deeper than ${MAX_NESTING} levels, which no FHIR resource needs.`,
    remedy: 'Look for a loop in what builds the Bundle.',
    failing: submission({
      body: '{"resourceType":"Bundle","entry":[[[[',
      whole: {
        note: `and so on, ${MAX_NESTING} levels`,
        body: () =>
          `{"resourceType":"Bundle","entry":${'['.repeat(MAX_NESTING)}${']'.repeat(MAX_NESTING)}}`,
      },
    }),
  }),
  'name-twice-in-body': describe(bodyNameTwice(), {
    happens:
      'An object of the body has the same property name twice, which FHIR does not allow: a reader keeps one of the two values. In a batch, only the record that has it is rejected.',
    remedy: 'Send each name once. Of several values, send an array where FHIR allows one.',
    failing: submission({
      body: '{"resourceType":"Bundle","type":"document","type":"collection"}',
    }),
  }),
  'not-gzip': describe(bodyNotGzip(), {
    happens: 'Content-Encoding says gzip, but the body is not, or it is damaged.',
    remedy: 'Compress the body, or leave the header out.',
    failing: submission({}, { 'Content-Encoding': 'gzip' }),
  }),
  'encoding-not-supported': describe(encodingNotSupported(), {
    happens: 'The body has another Content-Encoding than gzip.',
    remedy: 'Send it with gzip, or as it is.',
    failing: submission({}, { 'Content-Encoding': 'br' }),
  }),
  'body-ended-early': describe(bodyEndedEarly(), {
    happens: 'The connection broke before the whole body had arrived.',
    remedy: 'Send the request again, with the same Idempotency-Key if it had one.',
    failing: submission({ while: 'the connection breaks' }),
  }),
  'malformed-address': describe(malformed(400), {
    happens:
      'The address cannot be decoded: a percent sign is not followed by two hexadecimal digits.',
    remedy: 'Take the address from Content-Location as it is.',
    failing: poll(EXAMPLE_KEYS.writeAndRead, '/api/registry/fhir/ingestions/%ZZ'),
    fixed: poll(),
  }),
  'key-needed': describe(keyNeeded(), {
    happens:
      'The request has no API key, or one that is unknown, revoked, or expired. The answer has the header WWW-Authenticate: Bearer.',
    remedy:
      'Send Authorization: Bearer, a space and the key as it was shown when it was minted. A lost key cannot be shown again: a practice Admin mints a new one.',
    failing: submission({}, bearer(EXAMPLE_KEYS.revoked)),
  }),
  'scope-missing-write': describe(scopeMissing('ingest:write'), {
    happens: 'The key is valid, but may not submit.',
    remedy: 'Use a key with the scope ingest:write. Scopes of a key do not change: mint another.',
    failing: submission({}, bearer(EXAMPLE_KEYS.readOnly)),
    fixed: submission({}, bearer(EXAMPLE_KEYS.writeOnly)),
  }),
  'scope-missing-read': describe(scopeMissing('ingest:read'), {
    happens: 'The key is valid, but may not read receipts.',
    remedy: 'Poll with a key of the same practice that has the scope ingest:read.',
    failing: poll(EXAMPLE_KEYS.writeOnly),
    fixed: poll(EXAMPLE_KEYS.readOnly),
  }),
  'used-elsewhere': describe(ipNotAllowed(), {
    happens:
      'The key is valid, but only for certain addresses, and the request comes from another one. It is refused before its body is read.',
    remedy:
      'Send it from an allowed address. If the sender moved, a practice Admin adds the new address. For a partner feed key, the service staff do. The key stays the same.',
    failing: submission({}, bearer(EXAMPLE_KEYS.bound)),
  }),
  'partner-outside-beta': describeClosedGate(false, 'Active', {
    happens:
      'The key is a partner feed key, and the partner organization is not in the partner-EHR beta.',
    remedy: 'Ask the service staff. Native keys of the practice are not affected.',
  }),
  'partner-pending': describeClosedGate(true, 'Pending', {
    happens: 'The contract status of the partner organization is still Pending.',
    remedy: 'The key works as soon as the status is Active; no new one is needed.',
  }),
  'partner-suspended': describeClosedGate(true, 'Suspended', {
    happens: 'The contract of the partner organization is suspended.',
    remedy: 'The key works again once the partner is back to Active.',
  }),
  'no-such-ingestion': describe(noSuchIngestion(), {
    happens:
      'No ingestion of the key’s practice has this id. The answer is the same if another practice has it.',
    remedy: 'Poll the address in Content-Location with a key of the practice that submitted.',
    failing: poll(EXAMPLE_KEYS.writeAndRead, '/api/registry/fhir/ingestions/V1StGXR8'),
    fixed: poll(),
  }),
  'no-proof-yet': describe(noProofYet(), {
    happens: 'The ingestion has not ended, or no checkpoint of the log covers its end yet.',
    remedy: 'Ask again after the seconds in Retry-After.',
    failing: poll(
      EXAMPLE_KEYS.writeAndRead,
      '/api/registry/fhir/ingestions/V1StGXR8_Z5jdHi6B-myT/proof',
    ),
    fixed: poll(),
  }),
  'nothing-at-base': describe(nothingAtBase(), {
    happens:
      'The request went to the FHIR base, where many FHIR clients send transactions, batches, and searches.',
    remedy: `Submit to ${BUNDLE}, whatever the type of the Bundle is.`,
    failing: submission({ path: '/api/registry/fhir' }),
  }),
  'nothing-here': describe(nothingHere(), {
    happens: 'Nothing is at this address. There is nothing to list or query.',
    remedy: `Submit to ${BUNDLE}, poll /api/registry/fhir/ingestions/{id}, which has its proof at /proof.`,
    failing: poll(EXAMPLE_KEYS.writeAndRead, '/api/registry/fhir/Patient'),
    fixed: poll(),
  }),
  'only-post': describe(methodNotSupported('POST'), {
    happens:
      'The request tried to put, patch, or list Bundles. The header Allow names the methods that work.',
    remedy: 'Amend a record by a POST with the same chart number.',
    failing: submission({ method: 'PUT' }),
  }),
  'only-get': describe(methodNotSupported('GET, HEAD'), {
    happens: 'The request tried to change a receipt, which can only be read.',
    remedy: 'Use GET. A record is retracted by a Bundle, not by deleting its ingestion.',
    failing: submission({ path: STATUS }),
    fixed: poll(),
  }),
  'body-too-long': describe(bodyTooLong(), {
    happens: 'The body has more than 20 MiB, counted after decompression.',
    remedy: 'Split the batch; leave out attachments, which the registry does not keep.',
    failing: submission({
      whole: { note: 'with more than 20 MiB', body: () => BODY.padEnd(TWENTY_MEBIBYTES + 1) },
    }),
  }),
  'too-many-values': describe(bodyTooManyValues(), {
    happens: `The body holds more than ${MAX_VALUES.toLocaleString('en-US')} values, far more than Bundles of its size do.`,
    remedy: 'Split the batch; look for a loop in what builds the Bundle.',
    failing: submission({
      body: '{"resourceType":"Bundle","entry":[[],[],[]',
      whole: {
        note: `and so on, more than ${MAX_VALUES.toLocaleString('en-US')} values`,
        body: () => `{"resourceType":"Bundle","entry":[${'[],'.repeat(MAX_VALUES)}[]]}`,
      },
    }),
  }),
  'body-too-costly': describe(bodyTooCostly(), {
    happens:
      'Reading the body was ended, because it took more time or memory than any real Bundle needs. Nothing was accepted.',
    remedy: 'Split the batch, and look for lists with thousands of elements.',
    failing: submission({
      whole: { note: 'with lists of many thousands', body: () => BODY.padEnd(ONE_MEBIBYTE) },
      while: 'reading takes too long',
    }),
  }),
  'too-many-requests': describe(
    { status: 429, code: null, diagnostics: TOO_MANY_REQUESTS, expression: [] },
    {
      happens: `More than ${LIMIT} requests in a minute, submissions and polls together, with one API key, or from one address without a key. The body is not an OperationOutcome: it is JSON with a message if Accept asks for JSON, or else a page.`,
      remedy:
        'Wait as long as Retry-After says. Put births into batches, and poll when the Retry-After of the 202 says so. X-RateLimit-Remaining shows what is left.',
      failing: {
        ...poll(),
        headers: { ...bearer(EXAMPLE_KEYS.writeAndRead), Accept: 'application/json' },
        times: LIMIT + 1,
      },
      fixed: poll(),
    },
  ),
  'internal-fault': describe(internalFault(), {
    happens: 'The registry has a fault. The request may be correct.',
    remedy:
      'Send the request again, with the same Idempotency-Key if it had one; if it fails again, give the X-Correlation-Id to support.',
    failing: submission({ while: 'a fault' }),
  }),
  'too-slow': describe(tooSlow(), {
    happens:
      'The headers took more than 30 seconds to arrive, or the whole request more than two minutes. The connection is closed, and nothing was accepted.',
    remedy:
      'Send the request again without pauses, or a batch in parts. With an Idempotency-Key it is taken once.',
    failing: submission({ while: 'the connection is slow' }),
  }),
  'headers-too-long': describe(headersTooLong(), {
    happens: 'The address and the headers of the request have more than 16 KiB together.',
    remedy: 'Send a shorter Idempotency-Key, and leave out headers that are not needed.',
    failing: submission({ while: 'a header is endless' }),
  }),
  'expectation-unknown': describe(expectationUnknown(), {
    happens: 'The header Expect has another value than 100-continue.',
    remedy: 'Send the request without the header.',
    failing: submission({ while: 'a header expects something' }),
  }),
  unavailable: describe(unavailable(), {
    happens:
      'The database is unavailable, or the event log is, and the registry needs it to check the key. A 202 always means that the Bundle is stored.',
    remedy:
      'Send the request again after Retry-After. With an Idempotency-Key it is taken once, however often it is sent.',
    failing: submission({ while: 'a store is away' }),
  }),
  'queue-full': describe(queueFull(60), {
    happens:
      'Too many records are waiting to be processed: the event log was unavailable for a long time, or more records arrive than the registry can process.',
    remedy: 'Send the request again after Retry-After. What had its 202 before is safe.',
    failing: submission({ while: 'the queue is full' }),
  }),
  'practice-share-used': describe(practiceShareUsed(60), {
    happens:
      'Too many records of the practice are waiting to be processed, from all its keys and files together. A practice may fill 80 % of what the other practices leave free in the queue.',
    remedy:
      'Send the request again after Retry-After. Other practices are not affected, and what had its 202 before is safe.',
    failing: submission({ while: 'the practice has filled its share' }),
  }),
  'body-waits': describe(bodyWaitsForOthers(), {
    happens:
      'Long bodies, from 256 KiB, share one part of the registry’s memory, of which one practice may use half, and are read one at a time. Too many arrived at once.',
    remedy:
      'Send the request again after Retry-After, with the same Idempotency-Key if it had one. Send large batches one after the other.',
    failing: submission({
      whole: { note: 'with more than 256 KiB', body: () => BODY.padEnd(ONE_MEBIBYTE) },
      while: 'other long bodies are read',
    }),
  }),
  'body-too-slow': describe(bodyTooSlow(), {
    happens:
      'A long body arrived more slowly than 1 MiB in a second, and others waited for the memory that it held.',
    remedy:
      'Send the request again after Retry-After, with the same Idempotency-Key if it had one, or send a batch in parts.',
    failing: submission({
      whole: { note: 'with more than 256 KiB', body: () => BODY.padEnd(ONE_MEBIBYTE) },
      while: 'others wait for a slow body',
    }),
  }),
  starting: describe(serviceStarting(), {
    happens: 'The service has just started and is not ready yet.',
    remedy: 'Send the request again after Retry-After.',
    failing: submission({ while: 'starting' }),
  }),
};

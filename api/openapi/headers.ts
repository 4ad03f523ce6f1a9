import { USUAL_REQUESTS_PER_MINUTE } from '../http/limits.ts';
import { INGESTION_ID } from './examples.ts';

const seconds = { type: 'integer', minimum: 1 };
const count = { type: 'integer', minimum: 0 };

export const buildHeaders = (baseUrl: string) => ({
  ContentLocation: {
    required: true,
    schema: { type: 'string', format: 'uri' },
    description: 'Address of the receipt, absolute: the status URL.',
    example: `${baseUrl}/api/registry/fhir/ingestions/${INGESTION_ID}`,
  },
  RetryAfter: {
    required: true,
    schema: seconds,
    description: 'Whole seconds after which to ask again.',
    example: 2,
  },
  RetryAfterWhileUnfinished: {
    required: false,
    schema: seconds,
    description: 'Whole seconds after which to poll again; only while queued or processing.',
    example: 2,
  },
  RetryAfterUntilProved: {
    required: false,
    schema: seconds,
    description: 'Whole seconds after which to ask again; only if there is no proof yet.',
    example: 10,
  },
  IdempotentReplayed: {
    required: false,
    schema: { type: 'string', const: 'true' },
    description:
      'Only if the Idempotency-Key was used before at this practice: nothing new was queued, and Content-Location is that of the first request.',
    example: 'true',
  },
  WwwAuthenticate: {
    required: true,
    schema: { type: 'string', const: 'Bearer' },
    description: 'How to authenticate: by an API key as bearer token.',
    example: 'Bearer',
  },
  Location: {
    required: true,
    schema: { type: 'string' },
    description: 'Where to go on.',
    example: '/registry/capture/prefill?id=4dcd95e8-db62-4e86-9fe0-6b90d96f023d',
  },
  Allow: {
    required: true,
    schema: { type: 'string' },
    description: 'The methods that this address supports.',
    example: 'POST',
  },
  RateLimitLimit: {
    required: true,
    schema: count,
    description: 'Requests that the key may make in a minute; without a valid key, the IP address.',
    example: USUAL_REQUESTS_PER_MINUTE,
  },
  RateLimitRemaining: {
    required: true,
    schema: count,
    description:
      'Requests left in the current minute. 0 with a 503: while requests cannot be counted, none is let through.',
    example: USUAL_REQUESTS_PER_MINUTE - 3,
  },
  RateLimitLimitIfCounted: {
    required: false,
    schema: count,
    description:
      'Requests that the key may make in a minute; without a valid key, the IP address. Missing if the request did not arrive far enough to be counted.',
    example: USUAL_REQUESTS_PER_MINUTE,
  },
  RateLimitRemainingIfCounted: {
    required: false,
    schema: count,
    description: 'Requests left in the current minute; missing as X-RateLimit-Limit is.',
    example: USUAL_REQUESTS_PER_MINUTE - 3,
  },
  RateLimitReset: {
    required: false,
    schema: count,
    description: 'When the next minute begins, in seconds since 1970.',
    example: 1773482460,
  },
  CorrelationIdIfArrived: {
    required: false,
    schema: { type: 'string' },
    description:
      'Names this request in the logs of the registry. Missing if its headers did not arrive.',
    example: 'tq3FRHXQ1lbc8m7n2Zs0a',
  },
  CorrelationId: {
    required: false,
    schema: { type: 'string' },
    description:
      'Names this request in the logs of the registry: give it to support. After a request with a valid traceparent (W3C Trace Context) it begins with its trace id and parent id. Missing only while the service starts.',
    example: 'tq3FRHXQ1lbc8m7n2Zs0a',
  },
});

const reference = (name: keyof ReturnType<typeof buildHeaders>) => ({
  $ref: `#/components/headers/${name}`,
});

export const EVERYWHERE = {
  'X-RateLimit-Limit': reference('RateLimitLimit'),
  'X-RateLimit-Remaining': reference('RateLimitRemaining'),
  'X-RateLimit-Reset': reference('RateLimitReset'),
  'X-Correlation-Id': reference('CorrelationId'),
};

/** For a response that may be sent before the request is counted. */
export const IF_COUNTED = {
  'X-RateLimit-Limit': reference('RateLimitLimitIfCounted'),
  'X-RateLimit-Remaining': reference('RateLimitRemainingIfCounted'),
  'X-RateLimit-Reset': reference('RateLimitReset'),
  'X-Correlation-Id': reference('CorrelationIdIfArrived'),
};

export const CORRELATION = { 'X-Correlation-Id': reference('CorrelationId') };

export const CONTENT_LOCATION = { 'Content-Location': reference('ContentLocation') };
export const IDEMPOTENT_REPLAYED = { 'Idempotent-Replayed': reference('IdempotentReplayed') };
export const RETRY_AFTER = { 'Retry-After': reference('RetryAfter') };
export const RETRY_WHILE_UNFINISHED = { 'Retry-After': reference('RetryAfterWhileUnfinished') };
export const RETRY_UNTIL_PROVED = { 'Retry-After': reference('RetryAfterUntilProved') };
export const WWW_AUTHENTICATE = { 'WWW-Authenticate': reference('WwwAuthenticate') };
export const LOCATION = { Location: reference('Location') };
export const ALLOW = { Allow: reference('Allow') };

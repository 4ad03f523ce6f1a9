/** A request that cannot be served: becomes a 4xx or 5xx with an OperationOutcome. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly status: number;
  readonly code: string;
  readonly diagnostics: string;
  readonly expression: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** True if the settings cause it: a 5xx that is no fault. */
  readonly isExpected: boolean = false;

  /**
   * @param code issue code of the OperationOutcome
   * @param diagnostics problem and remedy, without any submitted value
   */
  constructor(
    status: number,
    code: string,
    diagnostics: string,
    expression: readonly string[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(diagnostics);
    this.status = status;
    this.code = code;
    this.diagnostics = diagnostics;
    this.expression = expression;
    this.headers = headers;
  }
}

const RETRY_SECONDS = 2;

/** The log or the database is unavailable; a hanging store may have stored the request. */
export const unavailable = (): RequestProblem =>
  new RequestProblem(
    503,
    'transient',
    'The registry cannot take or show records right now. Send the request again shortly; with an Idempotency-Key it is taken once, whatever became of this attempt.',
    [],
    { 'Retry-After': String(RETRY_SECONDS) },
  );

/** Response until every part of the service is running. */
export const serviceStarting = (): RequestProblem =>
  new RequestProblem(
    503,
    'transient',
    'The service is starting. Send the request again shortly.',
    [],
    { 'Retry-After': '1' },
  );

/** Express rejected the request itself, for example because its address cannot be decoded. */
export const malformed = (status: number): RequestProblem =>
  new RequestProblem(
    status,
    'invalid',
    'The request cannot be read. Check its address and its headers, then send it again.',
  );

/** The headers exceed Node's limit of 16 KiB. */
export const headersTooLong = (): RequestProblem =>
  new RequestProblem(
    431,
    'too-long',
    'The headers of the request are longer than 16 KiB. Shorten them, then send it again.',
  );

/** The request arrived too slowly. @see docs/design/requests.md#slow-and-pipelined-requests */
export const tooSlow = (): RequestProblem =>
  new RequestProblem(
    408,
    'timeout',
    'The request did not arrive in time. Send it again, over a faster connection or in smaller parts.',
  );

export const expectationUnknown = (): RequestProblem =>
  new RequestProblem(
    417,
    'not-supported',
    'The header Expect asks for something else than 100-continue. Send the request without it.',
  );

export const nothingHere = (): RequestProblem =>
  new RequestProblem(
    404,
    'not-found',
    'There is nothing at this address. The contract at /openapi.json lists the addresses.',
  );

/** @param methods that the address supports, as in the header Allow */
export const methodNotSupported = (methods: string): RequestProblem =>
  new RequestProblem(
    405,
    'not-supported',
    `This address does not support the method of the request. It takes ${methods}.`,
    [],
    {
      Allow: methods,
    },
  );

export const internalFault = (): RequestProblem =>
  new RequestProblem(
    500,
    'exception',
    'Internal error. Send the request again; if it fails again, give the X-Correlation-Id of this response to support.',
  );

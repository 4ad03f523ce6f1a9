/** A request that cannot be served as it is: becomes a 4xx or 5xx with an OperationOutcome. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';
  readonly status: number;
  readonly code: string;
  readonly diagnostics: string;
  readonly expression: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param code issue code of the OperationOutcome
   * @param diagnostics what happened and what to do, without any submitted value
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

/** The log or the database is away. Whether a hung store has taken the request nobody can tell. */
export const unavailable = (): RequestProblem =>
  new RequestProblem(
    503,
    'transient',
    'The registry cannot take or show records right now. Send the request again shortly; with an Idempotency-Key it is taken once, whatever became of this attempt.',
    [],
    { 'Retry-After': String(RETRY_SECONDS) },
  );

/** Answer to a request that cannot be served. */
export interface ProblemSource {
  readonly status: number;
  /** Issue code of the OperationOutcome. */
  readonly code: string;
  /** Problem and remedy, without any submitted value. */
  readonly diagnostics: string;
  readonly expression?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that cannot be served: becomes a 4xx or 5xx with an OperationOutcome. */
export class RequestProblem extends Error implements Required<ProblemSource> {
  override readonly name = 'RequestProblem';
  readonly status: number;
  readonly code: string;
  readonly diagnostics: string;
  readonly expression: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** True if the settings cause it: a 5xx that is no fault. */
  readonly isExpected: boolean = false;

  constructor({ status, code, diagnostics, expression = [], headers = {} }: ProblemSource) {
    super(diagnostics);
    this.status = status;
    this.code = code;
    this.diagnostics = diagnostics;
    this.expression = expression;
    this.headers = headers;
  }
}

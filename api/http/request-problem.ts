export interface ProblemSource {
  readonly status: number;
  readonly code: string;
  /** No submitted value. */
  readonly diagnostics: string;
  readonly expression?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

export class RequestProblem extends Error implements Required<ProblemSource> {
  override readonly name = 'RequestProblem';
  readonly status: number;
  readonly code: string;
  readonly diagnostics: string;
  readonly expression: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** True for a 5xx that the settings cause. */
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

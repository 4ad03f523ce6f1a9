import type { Rejection } from '../../domain/course/rejections.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { Failure } from '../../domain/submission/decide.ts';
import type { Problem } from '../http/problems.ts';

interface Advice {
  /** Must never change. */
  readonly id: string;
  readonly happens: string;
  readonly remedy: string;
}

/** The last Bundle triggers the case. */
export interface RecordExample {
  /** Bundles sent before, and accepted. */
  readonly priorBundles?: readonly JsonObject[];
  readonly bundle: JsonObject;
  /** Note on the omitted part, and the whole Bundle, if `bundle` is only an excerpt. */
  readonly whole?: { readonly note: string; readonly bundle: () => JsonObject };
}

export interface RecordEntry extends Advice {
  readonly kind: 'record';
  readonly rejection: Rejection;
  readonly failing: RecordExample;
  readonly fixed: RecordExample;
}

/** A request answered with an error. `code` is `null` if the body is not an OperationOutcome. */
export interface RequestEntry extends Advice, Problem<string | null> {
  readonly kind: 'request';
}

export interface IngestionEntry extends Advice {
  readonly kind: 'ingestion';
  readonly failure: Failure;
  readonly failing: JsonObject;
  readonly fixed: JsonObject;
}

export type DiagnosticsEntry = RecordEntry | IngestionEntry | RequestEntry;

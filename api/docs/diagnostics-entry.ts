import type { Rejection } from '../../domain/course/rejections.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { Failure } from '../../domain/submission/decide.ts';

/** What every entry of the catalog tells. */
interface Told {
  /** Anchor on the page: addresses that stay. */
  readonly id: string;
  readonly happens: string;
  readonly remedy: string;
}

/** Bundles sent to a practice that holds nothing, the last of which shows the case. */
export interface RecordExample {
  /** Sent before, and accepted. */
  readonly held?: readonly JsonObject[];
  readonly bundle: JsonObject;
  /** Where `bundle` shows only the beginning: what is left out, and the whole. */
  readonly whole?: { readonly note: string; readonly bundle: () => JsonObject };
}

/** A rejection that a completed receipt holds. */
export interface RecordEntry extends Told {
  readonly kind: 'record';
  readonly rejection: Rejection;
  readonly failing: RecordExample;
  readonly fixed: RecordExample;
}

/** What is the matter besides the request itself. */
export type Circumstance =
  | 'starting'
  | 'a store is away'
  | 'the queue is full'
  | 'a fault'
  | 'the connection breaks'
  | 'the connection is slow'
  | 'a header is endless'
  | 'a header expects something';

/** One HTTP request; `times` of them where the last shows the case. */
export interface RequestExample {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Where `body` shows only a part: what is left out if that matters, and the whole. */
  readonly whole?: { readonly note: string | null; readonly body: () => string };
  readonly times?: number;
  readonly while?: Circumstance;
}

/** A request that is answered with an error. A code of null: the body is no OperationOutcome. */
export interface RequestEntry extends Told {
  readonly kind: 'request';
  readonly status: number;
  readonly code: string | null;
  readonly diagnostics: string;
  readonly expression: readonly string[];
  readonly failing: RequestExample;
  readonly fixed: RequestExample;
}

/** A receipt with the status failed. */
export interface IngestionEntry extends Told {
  readonly kind: 'ingestion';
  readonly failure: Failure;
  readonly failing: JsonObject;
  readonly fixed: JsonObject;
}

/** One text that the push lane emits. */
export type DiagnosticsEntry = RecordEntry | IngestionEntry | RequestEntry;

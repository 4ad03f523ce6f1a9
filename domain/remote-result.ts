/** Why an EHR gave no usable answer. Never holds what it said. */
export interface RemoteFailure {
  /** Too late; not to be reached; an answer that cannot be used; or a no. */
  readonly why: 'timeout' | 'unreachable' | 'invalid-response' | 'refused';
  /** For the log's note of class and frames; null where nothing was thrown. */
  readonly cause: unknown;
}

/** Answer of another system, or the reason there is none. */
export type RemoteResult<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'trouble'; readonly trouble: RemoteFailure };

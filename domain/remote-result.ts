/** Reason that a remote system returned no usable response. Never contains the response itself. */
export interface RemoteFailure {
  readonly why: 'timeout' | 'unreachable' | 'invalid-response' | 'refused';
  /** Error whose class and stack frames are logged; `null` if nothing was thrown. */
  readonly cause: unknown;
}

export type RemoteResult<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'failure'; readonly failure: RemoteFailure };

import type { BackgroundMetrics } from '../health/metrics.ts';
import type { Settings } from '../settings/settings.ts';
import type { AttachedStores } from '../stores/stores.ts';

/** What the thread behind the door is given when it starts. */
export interface BackgroundData {
  readonly settings: Settings;
  /** Where it sees how busy the door is. */
  readonly intakeMemory: SharedArrayBuffer;
}

/** What it receives. */
export type ToBackground =
  /** The stores are open, and the read tables are of this version: begin. */
  | { readonly kind: 'start'; readonly stores: AttachedStores }
  | { readonly kind: 'look' }
  /** Something was queued. */
  | { readonly kind: 'queued' }
  /** Take no more work; requests that wait for the read tables still get them. */
  | { readonly kind: 'stop-work' }
  | { readonly kind: 'stop' };

/** What it tells. */
export type FromBackground =
  /** The read tables hold the log up to here. */
  | { readonly kind: 'advanced'; readonly position: bigint; readonly epoch: string }
  | { readonly kind: 'caught-up' }
  /** Null before its stores are open. */
  | { readonly kind: 'looked'; readonly snapshot: Omit<BackgroundMetrics, 'busySeconds'> | null };

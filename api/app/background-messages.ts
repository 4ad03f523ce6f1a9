import type { WakeTopic } from '../../adapters/postgres/connection/wakeups.ts';
import type { BackgroundMetrics } from '../health/metrics.ts';
import type { Settings } from '../settings/settings.ts';
import type { AttachedStores } from '../stores/stores.ts';

export interface BackgroundData {
  readonly settings: Settings;
}

export type ToBackground =
  /** The stores are open and the read tables are of this version, so work can begin. */
  | { readonly kind: 'start'; readonly stores: AttachedStores }
  | { readonly kind: 'look' }
  | { readonly kind: 'wake'; readonly topics: readonly WakeTopic[] }
  /** Start no new work, but keep the read tables current for waiting requests. */
  | { readonly kind: 'stop-work' }
  | { readonly kind: 'stop' };

export type FromBackground =
  /** The read tables contain the log up to this position. */
  | { readonly kind: 'advanced'; readonly position: bigint; readonly epoch: string }
  | { readonly kind: 'caught-up' }
  /** `null` before its stores are open. */
  | { readonly kind: 'looked'; readonly snapshot: Omit<BackgroundMetrics, 'busySeconds'> | null };

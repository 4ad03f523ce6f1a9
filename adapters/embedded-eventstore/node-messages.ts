import type { Holder } from './store/connections.ts';

/** What the host tells the process of the node. */
export type HostMessage =
  | {
      readonly kind: 'start';
      readonly databaseUrl: string;
      readonly holder: Holder;
      /** What callers have to show; null: nothing. */
      readonly authorization: string | null;
      /** 0 for any free port. */
      readonly port: number;
      /** False when another port will do if this one is taken. */
      readonly isPortFixed: boolean;
    }
  | { readonly kind: 'stop' };

/** What the process of the node tells its host. */
export type NodeMessage =
  | { readonly kind: 'listening'; readonly port: number }
  /** Another node holds the log. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly error: string; readonly code?: string }
  | { readonly kind: 'log'; readonly line: object };

import type { HostKind } from './store/connections.ts';

export type HostMessage =
  | {
      readonly kind: 'start';
      readonly databaseUrl: string;
      readonly hostKind: HostKind;
      /** Required `authorization` of callers, or `null` if none is required. */
      readonly authorization: string | null;
      /** 0 for any free port. */
      readonly port: number;
      /** False if another port will do when this one is taken. */
      readonly isPortFixed: boolean;
    }
  | { readonly kind: 'stop' };

export type NodeMessage =
  | { readonly kind: 'listening'; readonly port: number }
  /** Another node has the lock. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly error: string; readonly code?: string }
  | { readonly kind: 'log'; readonly line: object };

import type { Writable } from 'node:stream';

/** Process of a command for senders and auditors, which needs no registry. */
export interface OfflineProcess {
  readonly args: readonly string[];
  readonly stdout: Writable;
  readonly stderr: Writable;
}

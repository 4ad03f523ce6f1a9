import { createHash } from 'node:crypto';
import { encodeBase64 } from './base64.ts';

export interface LeafEvent {
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface PlacedLeaf extends LeafEvent {
  readonly position: bigint;
}

const VERSION = 'birth-registry-event/v1';

/** Each part ends with a line feed: easy to reproduce with `printf` and `sha256sum`. */
export const formatLeafEntry = (event: LeafEvent): Buffer =>
  Buffer.from(
    `${VERSION}\n${event.stream}\n${event.revision}\n${event.id}\n${event.type}\n${encodeBase64(event.data)}\n${encodeBase64(event.metadata)}\n`,
  );

const LEAF = Uint8Array.of(0);

/** SHA-256 of the byte 0x00 and the entry. @see RFC 6962 section 2.1 */
export const hashLeaf = (entry: Uint8Array): Buffer =>
  createHash('sha256').update(LEAF).update(entry).digest();

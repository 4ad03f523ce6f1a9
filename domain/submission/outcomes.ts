import { COURSES_PER_CHUNK } from './decide.ts';
import type { AcceptedEntry, RejectedEntry } from './events.ts';

export interface ChunkOutcomes {
  readonly chunk: number;
  readonly accepted: readonly AcceptedEntry[];
  readonly rejected: readonly RejectedEntry[];
  /** Positions of the rejected entries in the submission; absent in older chunks. */
  readonly rejectedAt?: readonly number[];
}

export type RecordedOutcome =
  | { readonly kind: 'accepted'; readonly position: number; readonly entry: AcceptedEntry }
  | { readonly kind: 'rejected'; readonly position: number; readonly entry: RejectedEntry };

/** In a chunk without `rejectedAt`, the rejected entries come last. */
export function* listOutcomes({
  chunk,
  accepted,
  rejected,
  rejectedAt = [],
}: ChunkOutcomes): Generator<RecordedOutcome> {
  const rejectedPositions = new Set(rejectedAt);
  const [nextAccepted, nextRejected] = [accepted.values(), rejected.values()];
  const start = chunk * COURSES_PER_CHUNK;
  const end = start + accepted.length + rejected.length;
  for (let position = start; position < end; position += 1) {
    const acceptedEntry = rejectedPositions.has(position) ? undefined : nextAccepted.next().value;
    if (acceptedEntry !== undefined) yield { kind: 'accepted', position, entry: acceptedEntry };
    else {
      const { value: entry } = nextRejected.next();
      if (entry !== undefined) yield { kind: 'rejected', position, entry };
    }
  }
}

import { listConsistencyRanges } from './merkle-tree.ts';
import { hashRange, type ReadTile } from './tiles.ts';
import { formatPath } from './tlog-proof.ts';

/** Request to a witness to sign a checkpoint. @see C2SP tlog-witness */
export interface WitnessRequest {
  /** Size of the last checkpoint that the witness is known to have signed; 0 if none. */
  readonly old: number;
  readonly proof: readonly Uint8Array[];
  /** The checkpoint as a signed note. */
  readonly note: string;
}

export const formatWitnessRequest = ({ old, proof, note }: WitnessRequest): string =>
  [`old ${old}`, ...formatPath(proof), '', note].join('\n');

/** Collects the hashes that prove that a tree extends an earlier one. @param old size of that one, from 0 to `size` */
export const proveExtension = async (
  old: number,
  size: number,
  readTile: ReadTile,
): Promise<readonly Uint8Array[]> => {
  const proof: Uint8Array[] = [];
  if (old > 0)
    for (const range of listConsistencyRanges(old, size))
      proof.push(await hashRange(range, readTile));
  return proof;
};

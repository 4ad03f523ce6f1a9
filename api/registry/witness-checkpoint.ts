import { openWitnessKey } from '../../adapters/eventstore/checkpoint-keys.ts';
import { witnessIn } from '../../adapters/postgres/transparency-log/witnessed-logs.ts';
import { cosign } from '../../transparency-log/cosignature.ts';
import { formatSignature } from '../../transparency-log/signed-note.ts';
import {
  findOrigin,
  parseWitnessRequest,
  type WitnessAnswer,
  witnessCheckpoint,
} from '../../transparency-log/witness.ts';
import type { CheckpointStores } from './sign-checkpoint.ts';

/** What the registry answers as a witness: a line to be added to the note, or why there is none. */
export type Witnessed =
  | { readonly kind: 'signed'; readonly line: string }
  | Exclude<WitnessAnswer, { readonly kind: 'signs' }>;

/**
 * Signs a checkpoint of another log as a witness, if that log is known and the checkpoint extends the last one.
 * @param text the request, as C2SP tlog-witness has it
 */
export const witnessWith =
  ({ db, log, secret }: CheckpointStores, now: () => Date) =>
  async (text: string): Promise<Witnessed> => {
    const asked = parseWitnessRequest(text);
    const origin = asked === null ? null : findOrigin(asked);
    if (asked === null || origin === null) return { kind: 'malformed' };
    const answer = await witnessIn(db, origin, (known) => witnessCheckpoint(asked, known));
    if (answer.kind !== 'signs') return answer;
    const { verifier, signingKey } = await openWitnessKey(log, secret);
    return {
      kind: 'signed',
      line: formatSignature(cosign(answer.text, verifier, signingKey, now())),
    };
  };

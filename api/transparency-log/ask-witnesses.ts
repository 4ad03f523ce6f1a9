import { cappedFetch } from '../../adapters/egress/capped-fetch.ts';
import { openConnectionsTo } from '../../adapters/egress/guarded-connections.ts';
import { createFindTablesVersion } from '../../adapters/postgres/projector/tables-version.ts';
import { addCosignature, findLastCheckpoint } from '../../adapters/transparency-log/checkpoints.ts';
import { loadTree } from '../../adapters/transparency-log/log-tree.ts';
import { parseStatedTime } from '../../domain/stated-time.ts';
import type { StoredCheckpoint } from '../../transparency-log/checkpoint.ts';
import { type Cosignature, findCosignature } from '../../transparency-log/cosignature.ts';
import { parseNote, type VerifierKey } from '../../transparency-log/signed-note.ts';
import type { ReadTile } from '../../transparency-log/tiles.ts';
import { formatWitnessRequest, proveExtension } from '../../transparency-log/witness.ts';
import type { CheckpointStores } from './sign-checkpoint.ts';

export interface Witness {
  /** Without a trailing slash. */
  readonly url: string;
  readonly key: VerifierKey;
}

const WITHIN_MS = 5_000;
const MAX_BYTES = 16 * 1024;

/** @returns a sentence for each witness that refused */
export type AskWitnesses = (over: AbortSignal) => Promise<readonly string[]>;

/** Skips witnesses that have already signed. @see C2SP tlog-witness */
export const createAskWitnesses = (
  { db }: Pick<CheckpointStores, 'db'>,
  witnesses: readonly Witness[],
): AskWitnesses => {
  const known = new Map<Witness, Pick<StoredCheckpoint, 'originNumber' | 'size'>>();

  const askOne = async (
    witness: Witness,
    checkpoint: StoredCheckpoint,
    readTile: ReadTile,
    over: AbortSignal,
  ): Promise<string | null> => {
    const { size, note, originNumber } = checkpoint;
    const signed = known.get(witness);
    const old = signed?.originNumber === originNumber ? Math.min(signed.size, size) : 0;
    const ask = async (from: number): Promise<Answered> => {
      const proof = await proveExtension(from, size, readTile);
      return answerOf(witness, formatWitnessRequest({ old: from, proof, note }), note, over);
    };
    let answered = await ask(old);
    // Only the witness knows the size it last signed.
    if (answered.kind === 'conflict' && answered.size !== old && answered.size <= size)
      answered = await ask(answered.size);
    if (answered.kind === 'signed') {
      known.set(witness, { originNumber, size });
      await addCosignature(db, { originNumber, size }, witness.key, answered.cosignature);
      return null;
    }
    return refusalOf(witness, answered, size);
  };

  return async (over) => {
    if (witnesses.length === 0) return [];
    const last = await findLastCheckpoint(db);
    const note = parseNote(last?.note ?? '');
    if (last === null || note === null) return [];
    const pending = witnesses.filter(({ key }) => findCosignature(note, key) === null);
    if (pending.length === 0) return [];
    if ((await createFindTablesVersion(db)()) !== 'same') return [];
    const tree = await loadTree(db);
    // Tables that are still being filled cannot prove it yet.
    if (tree.size < last.size) return [];
    const refusals = await Promise.all(
      pending.map((witness) => askOne(witness, last, tree.readTile, over)),
    );
    return refusals.filter((refusal) => refusal !== null);
  };
};

type Answered =
  | { readonly kind: 'signed'; readonly cosignature: Cosignature }
  | { readonly kind: 'conflict'; readonly size: number }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'not-signed' }
  /** The checkpoint is from the future by the clock of the witness. */
  | { readonly kind: 'from-future' }
  | { readonly kind: 'no-answer'; readonly cause: unknown };

const MS_PER_SECOND = 1_000;
const SIZE = /^(?:0|[1-9]\d*)\n?$/;

const answerOf = async (
  { url, key }: Witness,
  body: string,
  note: string,
  over: AbortSignal,
): Promise<Answered> => {
  try {
    const answer = await cappedFetch(`${url}/add-checkpoint`, {
      connections: openConnectionsTo('anywhere'),
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body,
      withinMs: WITHIN_MS,
      over,
      mostBytes: MAX_BYTES,
    });
    const text = answer.body.toString('utf8');
    if (answer.status === 409 && SIZE.test(text)) return { kind: 'conflict', size: Number(text) };
    if (answer.status !== 200) return { kind: 'refused', status: answer.status };
    const signed = parseNote(`${note}${text}`);
    // An empty line in the response would change the text of the note.
    const isSameText = signed?.text === parseNote(note)?.text;
    const cosignature = signed && isSameText ? findCosignature(signed, key) : null;
    if (cosignature === null) return { kind: 'not-signed' };
    const seenAt = parseStatedTime(cosignature.seenAt.getTime() / MS_PER_SECOND, new Date());
    return seenAt === null ? { kind: 'from-future' } : { kind: 'signed', cosignature };
  } catch (cause) {
    return { kind: 'no-answer', cause };
  }
};

const WHY: Readonly<Record<number, string>> = {
  403: 'it does not know the key that the checkpoint is signed with. Give it the key that `/log/key` shows',
  404: 'it is no witness of this log yet. Give it the key that `/log/key` shows',
  422: 'by its account the log does not extend the checkpoint that it signed last. Run `birth-registry verify`',
};

const refusalOf = (
  { key: { name } }: Witness,
  answered: Exclude<Answered, { readonly kind: 'signed' }>,
  size: number,
): string => {
  const no = (why: string) => `The witness ${name} has not signed: ${why}.`;
  switch (answered.kind) {
    case 'conflict':
      return answered.size > size
        ? no(
            `it has signed for ${answered.size} events, and the log was signed for only ${size}. Events were lost: restore the newer log`,
          )
        : no(
            `it has signed another checkpoint for ${answered.size} events. The log was changed, or two logs have its name: run \`birth-registry verify\``,
          );
    case 'refused':
      return no(WHY[answered.status] ?? `it answered with status ${answered.status}`);
    case 'not-signed':
      return no('its answer holds no good signature of the key in LOG_WITNESSES');
    case 'from-future':
      return no('it has signed for a time to come. Compare its clock with the registry’s');
    case 'no-answer':
      return no(`it did not answer in time, or cannot be reached${codeOf(answered.cause)}`);
  }
};

/** ECONNREFUSED, for example. */
const codeOf = (fault: unknown): string => {
  const { cause } = fault as { readonly cause?: NodeJS.ErrnoException };
  return cause?.code === undefined ? '' : ` (${cause.code})`;
};

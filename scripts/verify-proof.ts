import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkEventProof } from '../transparency-log/event-proof.ts';
import { parseKeyOfKind } from '../transparency-log/signed-note.ts';
import { EXIT_STATUS } from './exit-status.ts';

/**
 * Checks a proof of the registry offline, and prints one line. Exit codes: 0 if the event is in the
 * log of the key and each given witness has signed for it, 3 if that is not proved, 1 if the file
 * cannot be read, 2 for wrong usage.
 */

const USAGE =
  'Usage: npm run --silent verify-proof -- FILE --key VERIFIER_KEY [--witness VERIFIER_KEY]...';

interface Answer {
  readonly status: number;
  readonly line: string;
}

const answer = (): Answer => {
  const wrongUsage: Answer = { status: EXIT_STATUS.wrongUsage, line: USAGE };
  let file: string | undefined;
  let keyText: string | undefined;
  let witnessTexts: readonly string[];
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { key: { type: 'string' }, witness: { type: 'string', multiple: true } },
    });
    witnessTexts = values.witness ?? [];
    [file, keyText] = [positionals.length === 1 ? positionals[0] : undefined, values.key];
  } catch {
    return wrongUsage;
  }
  if (file === undefined || keyText === undefined) return wrongUsage;
  const key = parseKeyOfKind('note', keyText);
  const witnesses = witnessTexts.flatMap((text) => parseKeyOfKind('cosignature', text) ?? []);
  if (key === null || witnesses.length < witnessTexts.length)
    return {
      status: EXIT_STATUS.wrongUsage,
      line: 'Not checked: --key takes the verifier key of a log, and --witness that of a witness. They look like NAME+8 DIGITS+BASE64.',
    };
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { status: EXIT_STATUS.notDone, line: 'Not checked: the file cannot be read.' };
  }
  const files = proofsIn(parsed(text));
  const proofs = files.map((file) => checkEventProof(file, key, witnesses));
  for (const [at, proof] of proofs.entries())
    if (proof.kind === 'not-proved') {
      const which = proofs.length === 1 ? '' : `proof ${at + 1} of ${proofs.length}: `;
      return { status: EXIT_STATUS.foundFault, line: `Not proved: ${which}${proof.why}.` };
    }
  const proved = proofs.filter((proof) => proof.kind === 'proved');
  const [first] = proved;
  if (first === undefined)
    return { status: EXIT_STATUS.foundFault, line: 'Not proved: it holds no proof.' };
  const { event, index, size } = first;
  const streams = [...new Set(proved.map((proof) => proof.event.stream))].join(' and ');
  const what =
    proofs.length === 1
      ? `${event.type}, revision ${event.revision} of ${event.stream}, is number ${index + 1} of`
      : `${proofs.length} events of ${streams} are among`;
  const seen =
    witnesses.length === 0 ? '' : `, as seen by ${witnesses.map(({ name }) => name).join(' and ')}`;
  return {
    status: EXIT_STATUS.done,
    line: `Proved: ${what} the ${size} events in the log ${key.name}${seen}.`,
  };
};

/** Proofs of a receipt, its own first, or of a record's history. */
const proofsIn = (file: unknown): readonly unknown[] => {
  const { event, proofs } = (file ?? {}) as { readonly event?: unknown; readonly proofs?: unknown };
  const listed: readonly unknown[] = Array.isArray(proofs) ? proofs : [];
  return event !== undefined || listed.length === 0 ? [file, ...listed] : listed;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const { status, line } = answer();
process.stdout.write(`${line}\n`);
process.exitCode = status;

import { InvalidArgumentError } from '@commander-js/extra-typings';
import { readTextUpTo } from '../../adapters/files/read-file.ts';
import { checkEventProof } from '../../transparency-log/event-proof.ts';
import { parseKeyOfKind, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { createProgram } from '../create-program.ts';
import { EXIT_STATUS } from '../exit-status.ts';
import { WrongUsage } from '../wrong-usage.ts';
import type { OfflineProcess } from './offline-process.ts';

interface Answer {
  readonly status: number;
  readonly line: string;
}

const createKeyParser = (kind: 'note' | 'cosignature') => (text: string) => {
  const key = parseKeyOfKind(kind, text);
  if (key === null)
    throw new InvalidArgumentError(
      `It takes the verifier key of a ${kind === 'note' ? 'log' : 'witness'}: NAME+8 DIGITS+BASE64.`,
    );
  return key;
};

const parseWitness = createKeyParser('cosignature');

/** @throws WrongUsage */
const readCommandLine = (args: readonly string[]) => {
  const program = createProgram('npm run --silent verify-proof --')
    .usage('FILE --key KEY [--witness KEY]...')
    .description(
      'Checks a proof of the registry offline, and prints one line.\nA KEY looks like NAME+8 DIGITS+BASE64.',
    )
    .showHelpAfterError(false)
    .argument('<FILE>')
    .requiredOption('--key <KEY>', 'verifier key of the log', createKeyParser('note'))
    .option(
      '--witness <KEY>',
      'verifier key of a witness that must have signed, too',
      (text, witnesses: readonly VerifierKey[] = []) => [...witnesses, parseWitness(text)],
    )
    .parse(args, { from: 'user' });
  return { file: program.processedArgs[0], witnesses: [], ...program.opts() };
};

/** More than the proofs of any record. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

const buildUnchecked = (why: string): Answer => ({
  status: EXIT_STATUS.notDone,
  line: `Not checked: ${why}.`,
});

const answer = async (args: readonly string[]): Promise<Answer> => {
  const { file, key, witnesses } = readCommandLine(args);
  const text = await readTextUpTo(file, MAX_FILE_BYTES).catch(() => undefined);
  if (text === undefined) return buildUnchecked('the file cannot be read');
  if (text === null) return buildUnchecked('the file is larger than any of proofs');
  if (text.trim() === '') return buildUnchecked('the file is empty');
  const content = parseJson(text);
  if (!isProofFile(content))
    return buildUnchecked('the file is not a proof, as the registry gives it in JSON');
  const files = listProofs(content);
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

const isProofFile = (file: unknown): file is object =>
  typeof file === 'object' && file !== null && ('event' in file || 'proofs' in file);

const listProofs = (file: object): readonly unknown[] => {
  const { event, proofs } = file as { readonly event?: unknown; readonly proofs?: unknown };
  const listed: readonly unknown[] = Array.isArray(proofs) ? proofs : [];
  return event !== undefined || listed.length === 0 ? [file, ...listed] : listed;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const answerOrRefuse = async (args: readonly string[]): Promise<Answer> => {
  try {
    return await answer(args);
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error;
    return { status: EXIT_STATUS.wrongUsage, line: error.message };
  }
};

/**
 * @returns exit status: 0 if the event is in the log of the key and each given witness has signed
 * for it, 3 if that is not proved, 1 for an unusable file, 2 for wrong usage
 */
export const verifyProof = async ({ args, stdout }: OfflineProcess): Promise<number> => {
  const { status, line } = await answerOrRefuse(args);
  stdout.write(`${line}\n`);
  return status;
};

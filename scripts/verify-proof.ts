import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkEventProof } from '../domain/transparency-log/event-proof.ts';
import { readVerifierKey } from '../domain/transparency-log/signed-note.ts';

/**
 * Checks a proof of the registry without the registry: prints one line and ends with 0 if the event is in
 * the log of the key, else with 1.
 */

const USAGE = 'Usage: npm run --silent verify-proof -- FILE --key VERIFIER_KEY';

const answer = (): { readonly isProved: boolean; readonly line: string } => {
  const no = (line: string) => ({ isProved: false, line });
  let file: string | undefined;
  let keyText: string | undefined;
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { key: { type: 'string' } },
    });
    [file, keyText] = [positionals.length === 1 ? positionals[0] : undefined, values.key];
  } catch {
    return no(USAGE);
  }
  if (file === undefined || keyText === undefined) return no(USAGE);
  const key = readVerifierKey(keyText);
  if (key === null)
    return no('Not checked: the key is not a verifier key. It looks like NAME+8 DIGITS+BASE64.');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return no('Not checked: the file cannot be read.');
  }
  const proof = checkEventProof(parsed(text), key);
  if (proof.kind === 'not-proved') return no(`Not proved: ${proof.why}.`);
  const { event, index, size } = proof;
  return {
    isProved: true,
    line: `Proved: ${event.type}, revision ${event.revision} of ${event.stream}, is number ${index + 1} of the ${size} events in the log ${key.name}.`,
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const { isProved, line } = answer();
process.stdout.write(`${line}\n`);
process.exitCode = isProved ? 0 : 1;

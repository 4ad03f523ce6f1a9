import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { WrongUsage } from '../wrong-usage.ts';

export interface PasswordInput extends NodeJS.ReadableStream {
  /** True if a person types: the command prompts, and hides the input. */
  readonly isTTY?: boolean;
}

/** Exceeds any password, but stops reading a wrong file. */
const MAX_READ_BYTES = 100_000;

/** @throws WrongUsage */
export const readPassword = (input: PasswordInput = process.stdin): Promise<string> =>
  input.isTTY === true ? promptPassword(input) : readPiped(input);

const promptPassword = async (input: NodeJS.ReadableStream): Promise<string> => {
  process.stderr.write('Password, which is not shown: ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  // The library's promise never settles if the input ends.
  const ended = new Promise<never>((_resolve, reject) => {
    lines.once('close', () => reject(new WrongUsage('No password was given.')));
  });
  try {
    return await Promise.race([lines.question(''), ended]);
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
};

/** Reads everything, without the trailing line break that tools add. */
const readPiped = async (input: NodeJS.ReadableStream): Promise<string> => {
  let text = '';
  input.setEncoding('utf8');
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > MAX_READ_BYTES) break;
  }
  const password = text.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
  if (password === '') throw new WrongUsage('Standard input holds no password.');
  if (/[\r\n]/.test(password))
    throw new WrongUsage('Standard input holds several lines. Give the password alone.');
  return password;
};

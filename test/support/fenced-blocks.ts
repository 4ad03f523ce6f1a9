import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';

/** A fenced block of a document. */
interface FencedBlock {
  readonly language: string;
  readonly text: string;
}

const FENCE = /^```(\w+)\n(.*?)^```$/gms;

/** The fenced blocks of a section of a document, in their order. */
const blocksUnder = (document: string, heading: string): readonly FencedBlock[] => {
  const section = document.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`There is no section "${heading}".`);
  return [...section.matchAll(FENCE)].map(([, language = '', text = '']) => ({ language, text }));
};

/** What a block shows, where `…` stands for anything. */
const patternOf = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .trim()
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[\\s\\S]*?')}$`,
  );

const BETWEEN = '--- the next block ---';

/**
 * Runs the `sh` blocks of a section one after the other in one shell, as somebody types them, and
 * compares what each prints with the block that follows it, if that shows output.
 * @param adapted makes of a block what is typed here: other ports and directories
 * @param path PATH of the shell
 */
export const runTour = async (
  document: string,
  heading: string,
  adapted: (text: string) => string,
  path: string,
): Promise<void> => {
  const blocks = blocksUnder(document, heading);
  const typed = blocks.filter(({ language }) => language === 'sh');
  assert.ok(typed.length > 0, 'the tour has no commands');
  const script = typed.map(({ text }) => `${adapted(text)}\necho '${BETWEEN}'\n`).join('');
  const { stdout } = await promisify(execFile)('sh', ['-ec', script], {
    env: { ...process.env, PATH: path },
  });
  const printed = stdout.replaceAll('\r', '').split(`${BETWEEN}\n`);
  let block = -1;
  for (const { language, text } of blocks) {
    if (language === 'sh') block += 1;
    else assert.match((printed[block] ?? '').trim(), patternOf(adapted(text)));
  }
};

import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { accessSync, chmodSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';

/** A fenced block of a guide. */
export interface GuideBlock {
  /** First word after the fence: `sh`, `ts`, `json`, `text`, `yaml` … */
  readonly language: string;
  /** What follows it: `not-run: why`, `exits=1`, or `needs=PROGRAM`. */
  readonly note: string;
  readonly text: string;
  /** Where it stands: `docs/integrator.md:12`. */
  readonly at: string;
}

const FENCE = /^```(\S*) ?(.*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a document, in the order of the page. */
export const blocksIn = (file: string): readonly GuideBlock[] =>
  blocksOf(readFileSync(file, 'utf8'), file);

const blocksOf = (page: string, file: string): readonly GuideBlock[] =>
  [...page.matchAll(FENCE)].map(({ index, 1: language = '', 2: note = '', 3: text = '' }) => ({
    language,
    note,
    text,
    at: `${file}:${page.slice(0, index).split('\n').length}`,
  }));

/** A document without its fenced blocks. */
export const proseOf = (file: string): string => readFileSync(file, 'utf8').replace(FENCE, '');

/** What a block printed, errors among it, and how its last command ended. */
export interface Printed {
  readonly output: string;
  readonly status: number;
}

/** A shell in which the blocks of one guide are run, one after the other. */
export interface GuideShell {
  run(text: string): Promise<Printed>;
  close(): Promise<void>;
}

/**
 * Starts a shell: what one block sets, the next one has.
 * @param cwd the files of a guide are written there
 */
export const openShell = (cwd: string, env: NodeJS.ProcessEnv): GuideShell => {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  let output = '';
  let look = (): void => undefined;
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
    look();
  });
  child.stdin.write('exec 2>&1\nset -u -o pipefail\n');
  return {
    run: (text) =>
      new Promise((resolve, reject) => {
        const mark = `end-${randomUUID()}`;
        output = '';
        look = () => {
          const [, before = '', status = ''] =
            new RegExp(`^([\\s\\S]*)${mark} (\\d+)\\n`).exec(output) ?? [];
          if (status !== '') resolve({ output: before, status: Number(status) });
        };
        void ended.then(() => reject(new Error(`The shell has ended.\n${output}`)));
        child.stdin.write(`${text}\nprintf '%s %s\\n' ${mark} $?\n`);
      }),
    async close() {
      child.stdin.end();
      await ended;
    },
  };
};

/**
 * Whether something was printed as a guide shows it. `…` stands for anything; in JSON white space
 * does not count, elsewhere not how much there is.
 */
export const isAsShown = (printed: string, { language, text }: GuideBlock): boolean => {
  const space = language === 'json' ? '' : ' ';
  const plain = (some: string) => some.replace(/\s+/g, space).trim();
  const escaped = (some: string) => some.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = plain(text).split('…').map(escaped).join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(plain(printed));
};

/** The anchors that the headings of a document give, as GitHub makes them. */
export const anchorsIn = (file: string): ReadonlySet<string> =>
  new Set(
    [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

/** The fenced blocks of a section of a document, in their order. */
const blocksUnder = (document: string, heading: string): readonly GuideBlock[] => {
  const section = document.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`There is no section "${heading}".`);
  return blocksOf(section, heading);
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

const STAND_IN = fileURLToPath(new URL('../harness/curl.mjs', import.meta.url));

/** Whether a program is in the PATH. */
export const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/**
 * The PATH of a shell that runs what guides show: where no curl is installed, with a stand-in.
 * @param directory of the test's own; the stand-in is put there
 */
export const pathWithCurl = (directory: string): string => {
  const path = process.env['PATH'] ?? '';
  if (isInstalled('curl')) return path;
  const programs = join(directory, 'programs');
  mkdirSync(programs, { recursive: true });
  const curl = join(programs, 'curl');
  writeFileSync(curl, `#!/bin/sh\nexec '${process.execPath}' '${STAND_IN}' "$@"\n`);
  chmodSync(curl, 0o755);
  return `${programs}${delimiter}${path}`;
};

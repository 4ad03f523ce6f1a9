import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A fenced block of a guide. */
export interface GuideBlock {
  /** First word after the fence: `sh`, `ts`, `json`, `text`, `yaml` … */
  readonly language: string;
  /** What follows it: `not-run: why`, `exits=1`, or the name under which a file is saved. */
  readonly note: string;
  readonly text: string;
  /** Where it stands: `docs/integrator.md:12`. */
  readonly at: string;
}

const FENCE = /^```(\S*) ?(.*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a document, in the order of the page. */
export const blocksIn = (file: string): readonly GuideBlock[] => {
  const page = readFileSync(file, 'utf8');
  return [...page.matchAll(FENCE)].map(
    ({ index, 1: language = '', 2: note = '', 3: text = '' }) => ({
      language,
      note,
      text,
      at: `${file}:${page.slice(0, index).split('\n').length}`,
    }),
  );
};

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

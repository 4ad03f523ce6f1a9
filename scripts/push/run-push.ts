import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { isLoopbackHost } from '../../adapters/egress/egress-policy.ts';
import { readTextUpTo } from '../../adapters/files/read-file.ts';
import { formatFault } from '../../api/app/fault-messages.ts';
import { RequestProblem } from '../../api/http/request-problem.ts';
import { createPreview, type PreviewSubmission } from '../../api/push/preview-submission.ts';
import { parseBundle } from '../../api/reading/parse-bundle.ts';
import { readSettings } from '../../api/settings/settings.ts';
import { countInWords } from '../../domain/format-measures.ts';
import { createProgram } from '../create-program.ts';
import { EXIT_STATUS } from '../exit-status.ts';
import { type Style, styleFor } from '../operator/for-people/style.ts';
import { createTable } from '../operator/for-people/tables.ts';
import type { CommandProcess } from '../operator/run-operator.ts';
import { showProgress } from '../show-progress.ts';
import { writeOut } from '../write-out.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { OutboxUnusable, openOutbox } from './outbox.ts';
import { type PushedItem, pushItems, TOO_LARGE } from './push-items.ts';
import { InputUnusable, openInput, type PushInput, type PushItem } from './read-items.ts';
import { createRegistryClient, RegistryRefused } from './registry-client.ts';

export interface PushProcess extends Omit<CommandProcess, 'yieldToService'> {
  readonly stdin: Readable;
  readonly createStopSignal: (says: string) => AbortSignal;
}

interface PushOrder {
  readonly path: string;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Public address of the registry, without a trailing slash; `null` if not given. */
  readonly baseUrl: string | null;
  /** Destination; `null` for a dry run. */
  readonly recipient: { readonly baseUrl: string; readonly apiKey: string } | null;
}

interface PushSummary {
  accepted: number;
  rejected: number;
  failed: number;
  notSent: number;
  readonly problems: PushedItem[];
}

const MAX_PROBLEMS = 100;
/** Long enough for a restart or setup of the registry. */
const PATIENCE = { firstMs: 15_000, laterMs: 10 * 60_000, queuedMs: 10 * 60_000 };
const MAX_KEY_FILE_BYTES = 64 * 1024;
const READABLE_BY_OTHERS = 0o044;
const STOPPED =
  'Stopped. What was sent is noted in the outbox. Run the same command again: it sends the rest.';

/** @throws WrongUsage */
const parseCommandLine = async ({
  args,
  stderr,
}: Pick<PushProcess, 'args' | 'stderr'>): Promise<PushOrder> => {
  const program = createProgram('npx --no birth-registry push')
    .usage('FILE|DIRECTORY|- --url URL --key-file FILE [options]')
    .description(
      [
        'Pushes the Bundles of a file (one, or one on each line), of the .json and .ndjson files of a directory, or of standard input (-), and waits for their receipts.',
        'What was sent is kept in an outbox next to the input. After an interruption, run the same command again: it sends the rest. Nothing is sent twice.',
      ].join('\n'),
    )
    .argument('<FILE|DIRECTORY|->')
    .option(
      '--url <URL>',
      'address of the registry, such as https://registry.example',
      parseBaseUrl,
    )
    .option('--key-file <FILE>', 'file that holds the API key')
    .option('--allow-http', 'sends over http, where anyone between can read the key and the births')
    .option('--dry-run', 'sends nothing: prints what the registry would reject')
    .option('--json', 'prints one JSON object')
    .option('--quiet', 'hides progress')
    .parse(args, { from: 'user' });
  const { url: baseUrl, keyFile, allowHttp, dryRun, json, quiet } = program.opts();
  const isSent = baseUrl !== undefined && keyFile !== undefined;
  if (!dryRun && !isSent)
    program.error('--url or --key-file is missing. Without them, --dry-run checks Bundles.');
  if (isSent && !dryRun && !allowHttp && isReadableOnTheWay(baseUrl))
    program.error(
      'The address begins with http, so anyone between could read the key and the births. Use https. If the network is yours alone, add --allow-http.',
    );
  return {
    path: program.processedArgs[0],
    isJson: json === true,
    isQuiet: quiet === true || json === true,
    baseUrl: baseUrl ?? null,
    recipient:
      isSent && !dryRun
        ? { baseUrl, apiKey: await readApiKey(keyFile, stderr, (reason) => program.error(reason)) }
        : null,
  };
};

/** Accepts the address of a registry, its FHIR base, or its intake. */
const parseBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError(
      'It takes the address of a registry, as https://registry.example.',
    );
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError(
      'An address must hold no name or password: --key-file is all that the registry needs.',
    );
  if (url.search !== '' || url.hash !== '' || url.pathname.includes('//'))
    throw new InvalidArgumentError(
      'An address must hold no ?, #, or //: it looks like https://registry.example.',
    );
  return url.href.replace(/\/(api\/registry\/fhir(\/Bundle)?)?\/?$/, '');
};

const isReadableOnTheWay = (baseUrl: string): boolean => {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopbackHost(hostname);
};

const readApiKey = async (
  file: string,
  stderr: Writable,
  refuse: (reason: string) => never,
): Promise<string> => {
  const read = await readTextUpTo(file, MAX_KEY_FILE_BYTES).catch(() =>
    refuse('The file of --key-file cannot be read.'),
  );
  const key = read?.trim() ?? '';
  if (!/^[\x21-\x7e]{1,4096}$/.test(key))
    return refuse('The file of --key-file must hold the API key and nothing else.');
  const found = await stat(file);
  // Windows has no such modes.
  if (process.platform !== 'win32' && found.isFile() && (found.mode & READABLE_BY_OTHERS) !== 0)
    stderr.write(
      'Others on this machine can read the file of --key-file. Change that with chmod 600.\n',
    );
  return key;
};

/** Knows earlier Bundles of this run, but no records of the practice. */
const preview = ({ name, content }: PushItem, submit: PreviewSubmission): PushedItem => {
  const buildItem = (
    outcome: 'accepted' | 'rejected',
    diagnostics: readonly string[],
  ): PushedItem => ({ name, outcome, receipt: null, diagnostics });
  if (content === null) return buildItem('rejected', [TOO_LARGE]);
  try {
    const { rejected } = submit(parseBundle(content), new Date().toISOString());
    const diagnostics = rejected.flatMap(({ outcome }) =>
      outcome.issue.flatMap((issue) => issue.diagnostics ?? []),
    );
    return buildItem(rejected.length === 0 ? 'accepted' : 'rejected', diagnostics);
  } catch (error) {
    if (error instanceof RequestProblem) return buildItem('rejected', [error.diagnostics]);
    throw error;
  }
};

const previewAll = async (
  baseUrl: string,
  input: PushInput,
  onOutcome: (item: PushedItem) => void,
): Promise<void> => {
  const submit = createPreview('native', baseUrl);
  for await (const item of input.items()) onOutcome(preview(item, submit));
};

const pushAll = async (
  { baseUrl, apiKey }: NonNullable<PushOrder['recipient']>,
  input: PushInput,
  onOutcome: (item: PushedItem) => void,
  onWait: (reason: string) => void,
  stop: AbortSignal,
): Promise<void> => {
  const outbox = await openOutbox(input.outbox, [baseUrl, apiKey]);
  try {
    const client = createRegistryClient(baseUrl, apiKey, PATIENCE, onWait, stop);
    await pushItems(input.items(), outbox, client, onOutcome, { patience: PATIENCE, onWait, stop });
    if (stop.aborted) throw new RegistryRefused(STOPPED);
  } catch (error) {
    throw stop.aborted ? new RegistryRefused(STOPPED, { cause: error }) : error;
  } finally {
    await outbox.close();
  }
};

const describe = (summary: PushSummary, isDryRun: boolean, style: Style): string => {
  const { rejected, failed, notSent, problems } = summary;
  const nothing = isDryRun
    ? 'The registry would accept all of them.'
    : 'All of them were accepted.';
  const showProblems = createTable<PushedItem>(nothing, {
    Bundle: ({ name }) => name,
    Outcome: ({ outcome }) => outcome,
    Why: ({ diagnostics }) => [...new Set(diagnostics)].join(' '),
  });
  const showCounts = createTable<readonly [outcome: string, count: number]>('', {
    Outcome: ([outcome]) => outcome,
    Bundles: ([, count]) => count,
  });
  const counts = [
    ['accepted', summary.accepted],
    ['rejected', rejected],
    ['failed', failed],
    ['not sent', notSent],
  ] as const;
  const left = rejected + failed - problems.length;
  return [
    ...(notSent > 0 && problems.length === 0 ? [] : [showProblems(problems, style)]),
    ...(left > 0 ? [`and ${countInWords(left, 'other')}`] : []),
    '',
    showCounts(
      counts.filter(([outcome, count]) => count > 0 || outcome === 'accepted'),
      style,
    ),
  ].join('\n');
};

const run = async (
  { path, isJson, isQuiet, baseUrl, recipient }: PushOrder,
  { environment, stdin, stdout, stderr, createStopSignal }: PushProcess,
): Promise<number> => {
  const input = await openInput(path, stdin);
  const display = showProgress(stderr, isQuiet);
  const summary: PushSummary = { accepted: 0, rejected: 0, failed: 0, notSent: 0, problems: [] };
  let done = 0;
  let lastReason = '';
  const onOutcome = (item: PushedItem): void => {
    summary[item.outcome] += 1;
    done += 1;
    if (item.outcome !== 'accepted' && summary.problems.length < MAX_PROBLEMS)
      summary.problems.push(item);
    display.progress({
      work: recipient === null ? 'Checking' : 'Pushing',
      done,
      total: input.total ?? done,
      unit: 'Bundles',
      isEstimate: input.total === null,
    });
  };
  const onWait = (reason: string): void => {
    if (reason !== lastReason) display.step(reason);
    lastReason = reason;
  };
  let fault: RegistryRefused | null = null;
  try {
    if (recipient === null)
      await previewAll(baseUrl ?? readSettings(environment).baseUrl, input, onOutcome);
    else {
      const stop = createStopSignal(STOPPED);
      stop.addEventListener('abort', () => stdin.destroy());
      await pushAll(recipient, input, onOutcome, onWait, stop);
    }
  } catch (error) {
    if (!(error instanceof RegistryRefused)) throw error;
    fault = error;
    // For standard input, the remaining number is unknown, but at least one.
    summary.notSent = Math.max((input.total ?? 0) - done, 1);
  } finally {
    display.end();
  }
  if (fault !== null) stderr.write(`${fault.message}\n`);
  await writeOut(
    stdout,
    `${isJson ? JSON.stringify(summary) : describe(summary, recipient === null, styleFor(stdout))}\n`,
  );
  if (summary.notSent > 0) return EXIT_STATUS.notDone;
  return summary.rejected + summary.failed > 0 ? EXIT_STATUS.foundFault : EXIT_STATUS.done;
};

/**
 * @returns exit status: 0 if all were accepted, 3 if some were rejected, 1 if some were not sent, 2
 * for wrong usage
 */
export const runPush = async (command: PushProcess): Promise<number> => {
  const { stderr } = command;
  try {
    return await run(await parseCommandLine(command), command);
  } catch (error) {
    if (error instanceof WrongUsage) {
      stderr.write(`${error.message}\n`);
      return EXIT_STATUS.wrongUsage;
    }
    const isSaid = error instanceof InputUnusable || error instanceof OutboxUnusable;
    stderr.write(`Not everything was sent. ${isSaid ? error.message : formatFault(error)}\n`);
    return EXIT_STATUS.notDone;
  }
};

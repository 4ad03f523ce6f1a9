import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { faultInWords } from '../api/composition/fault-in-words.ts';
import { readSettings } from '../api/composition/settings.ts';
import { registryCodeSystemsAt } from '../api/docs/code-groups.ts';
import { RequestProblem } from '../api/http/request-problem.ts';
import { countInWords } from '../api/pages/words/measures-in-words.ts';
import { parseBundle } from '../api/push/parse-bundle.ts';
import { createPreview, type PreviewSubmission } from '../api/push/preview-submission.ts';
import { EXIT_STATUS } from './exit-status.ts';
import { styleFor } from './operator/for-people/style.ts';
import { tableOf } from './operator/for-people/tables.ts';
import { type Outbox, OutboxUnusable, openOutbox } from './push/outbox.ts';
import { type PushedItem, pushItems, TOO_LARGE } from './push/push-items.ts';
import { InputUnusable, openInput, type PushInput, type PushItem } from './push/read-items.ts';
import { createRegistryClient, RegistryRefused } from './push/registry-client.ts';
import { showProgress } from './show-progress.ts';
import { writeOut } from './write-out.ts';

/**
 * Pushes Bundles to a registry and reads their receipts. Ends with 0 if all were accepted, 3 if some were
 * rejected, 1 if some were not sent, 2 for wrong usage.
 */

const USAGE = `Usage: npx registry push FILE|DIRECTORY|- --url URL --key-file FILE [options]

Pushes the Bundles of a file (one, or one on each line), of the .json and .ndjson
files of a directory, or of standard input (-), and waits for their receipts.
What was sent is kept in an outbox beside the input: give the same command again,
and it goes on where it was. Nothing is sent twice.

  --url URL        address of the registry, as https://registry.example
  --key-file FILE  file that holds the API key
  --dry-run        sends nothing: prints what the registry would reject
  --json           prints one JSON object
  --quiet          no progress on standard error
  --help           this text`;

class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

interface PushOrder {
  readonly path: string;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly url: URL | null;
  readonly keyFile: string | null;
}

/** What was pushed, as `--json` prints it. */
interface PushSummary {
  accepted: number;
  rejected: number;
  failed: number;
  notSent: number;
  /** The first that were not accepted. */
  readonly problems: PushedItem[];
}

const MAX_PROBLEMS = 100;
/** A registry that is being restarted or set up is waited for. */
const PATIENCE = { firstMs: 15_000, laterMs: 10 * 60_000 };
const OPTIONS = {
  url: { type: 'string' },
  'key-file': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** `null`: only help is asked for. @throws WrongUsage */
const parseCommandLine = (args: string[]): PushOrder | null => {
  const { values, positionals } = readArguments(args);
  if (values.help) return null;
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0)
    throw new WrongUsage('Give one file, one directory, or - for standard input.');
  const isDryRun = values['dry-run'];
  const { url: address, 'key-file': keyFile } = values;
  if (!isDryRun && (address === undefined || keyFile === undefined))
    throw new WrongUsage('--url and --key-file are missing. With --dry-run nothing is sent.');
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : null;
  if (address !== undefined && !/^https?:$/.test(url?.protocol ?? ''))
    throw new WrongUsage('--url takes the address of a registry, as https://registry.example.');
  return {
    path,
    isDryRun,
    isJson: values.json,
    isQuiet: values.quiet || values.json,
    url,
    keyFile: keyFile ?? null,
  };
};

const readArguments = (args: string[]) => {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw new WrongUsage('An option is unknown or lacks its value.', { cause });
  }
};

const readApiKey = async (file: string): Promise<string> => {
  const key = (
    await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new WrongUsage('The file of --key-file cannot be read.', { cause });
    })
  ).trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key;
  throw new WrongUsage('The file of --key-file must hold the API key and nothing else.');
};

/** What the registry would answer to a Bundle. It knows the Bundles before it, and no record of the practice. */
const preview = ({ name, content }: PushItem, submit: PreviewSubmission): PushedItem => {
  const judged = (
    outcome: 'accepted' | 'rejected',
    diagnostics: readonly string[],
  ): PushedItem => ({ name, outcome, receipt: null, diagnostics });
  if (content === null) return judged('rejected', [TOO_LARGE]);
  try {
    const { rejected } = submit(parseBundle(content), new Date().toISOString());
    const diagnostics = rejected.flatMap(({ outcome }) =>
      outcome.issue.flatMap((issue) => issue.diagnostics ?? []),
    );
    return judged(rejected.length === 0 ? 'accepted' : 'rejected', diagnostics);
  } catch (error) {
    if (error instanceof RequestProblem) return judged('rejected', [error.diagnostics]);
    throw error;
  }
};

const previewAll = async (
  { url }: PushOrder,
  input: PushInput,
  onOutcome: (item: PushedItem) => void,
): Promise<void> => {
  const baseUrl = url?.href.replace(/\/$/, '') ?? readSettings(process.env).baseUrl;
  const submit = createPreview('native', registryCodeSystemsAt(baseUrl));
  for await (const item of input.items()) onOutcome(preview(item, submit));
};

const pushAll = async (
  order: PushOrder,
  input: PushInput,
  onOutcome: (item: PushedItem) => void,
  onWait: (reason: string) => void,
): Promise<void> => {
  const { url, keyFile } = order;
  if (url === null || keyFile === null) throw new WrongUsage('--url and --key-file are missing.');
  const apiKey = await readApiKey(keyFile);
  const outbox: Outbox = await openOutbox(input.outbox, [url.href, apiKey]);
  try {
    const client = createRegistryClient(url, apiKey, PATIENCE, onWait);
    await pushItems(input.items(), outbox, client, onOutcome);
  } finally {
    await outbox.close();
  }
};

const describe = (summary: PushSummary, isDryRun: boolean): string => {
  const { accepted, rejected, failed, notSent, problems } = summary;
  const style = styleFor(process.stdout);
  const table = tableOf(
    [
      { heading: 'Bundle', cell: ({ name }: PushedItem) => name },
      { heading: 'Outcome', cell: ({ outcome }) => outcome },
      { heading: 'Why', cell: ({ diagnostics }) => [...new Set(diagnostics)].join(' ') },
    ],
    problems,
    style,
    isDryRun ? 'The registry would accept all of them.' : 'All of them were accepted.',
  );
  const left = rejected + failed - problems.length;
  return [
    ...(notSent > 0 && problems.length === 0 ? [] : [table]),
    ...(left > 0 ? [`and ${countInWords(left, 'other')}`] : []),
    '',
    tableOf(
      [
        { heading: 'Outcome', cell: ([outcome]: readonly [string, number]) => outcome },
        { heading: 'Bundles', cell: ([, count]) => count, isFigure: true },
      ],
      (
        [
          ['accepted', accepted],
          ['rejected', rejected],
          ['failed', failed],
          ['not sent', notSent],
        ] as const
      ).filter(([outcome, count]) => count > 0 || outcome === 'accepted'),
      style,
      '',
    ),
  ].join('\n');
};

const run = async (order: PushOrder): Promise<number> => {
  const input = await openInput(order.path, process.stdin);
  const shown = showProgress(process.stderr, order.isQuiet);
  const summary: PushSummary = { accepted: 0, rejected: 0, failed: 0, notSent: 0, problems: [] };
  let done = 0;
  let lastReason = '';
  const onOutcome = (item: PushedItem): void => {
    summary[item.outcome] += 1;
    done += 1;
    if (item.outcome !== 'accepted' && summary.problems.length < MAX_PROBLEMS)
      summary.problems.push(item);
    shown.progress({
      work: order.isDryRun ? 'Checking' : 'Pushing',
      done,
      total: input.total ?? done,
      unit: 'Bundles',
      isEstimate: input.total === null,
    });
  };
  const onWait = (reason: string): void => {
    if (reason !== lastReason) shown.step(reason);
    lastReason = reason;
  };
  let fault: RegistryRefused | null = null;
  try {
    if (order.isDryRun) await previewAll(order, input, onOutcome);
    else await pushAll(order, input, onOutcome, onWait);
  } catch (error) {
    if (!(error instanceof RegistryRefused)) throw error;
    fault = error;
    // Of standard input nobody knows how many were still to come: at least one.
    summary.notSent = Math.max((input.total ?? 0) - done, 1);
  } finally {
    shown.end();
  }
  if (fault !== null) process.stderr.write(`${fault.message}\n`);
  await writeOut(
    process.stdout,
    `${order.isJson ? JSON.stringify(summary) : describe(summary, order.isDryRun)}\n`,
  );
  if (summary.notSent > 0) return EXIT_STATUS.notDone;
  return summary.rejected + summary.failed > 0 ? EXIT_STATUS.foundFault : EXIT_STATUS.done;
};

const main = async (): Promise<number> => {
  try {
    const order = parseCommandLine(process.argv.slice(2));
    if (order !== null) return await run(order);
    await writeOut(process.stdout, `${USAGE}\n`);
    return EXIT_STATUS.done;
  } catch (error) {
    if (error instanceof WrongUsage) {
      process.stderr.write(`${error.message}\n\n${USAGE}\n`);
      return EXIT_STATUS.wrongUsage;
    }
    const isSaid = error instanceof InputUnusable || error instanceof OutboxUnusable;
    process.stderr.write(
      `Not everything was sent. ${isSaid ? error.message : faultInWords(error)}\n`,
    );
    return EXIT_STATUS.notDone;
  }
};

process.exit(await main());

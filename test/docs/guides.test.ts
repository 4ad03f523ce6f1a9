import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_ANSWER_NESTING, MAX_ANSWER_VALUES } from '../../adapters/egress/json-body.ts';
import { EHR_LIMITS } from '../../adapters/egress/limits.ts';
import { HANDOFF_TTL_DAYS } from '../../adapters/postgres/ephemeral/handoffs.ts';
import { IMPORT_TTL_HOURS } from '../../adapters/postgres/ephemeral/staged-imports.ts';
import { DIAGNOSTICS_CATALOG } from '../../api/docs/diagnostics-page.tsx';
import { MAX_WAITING_REQUESTS } from '../../api/http/limit-pipelining.ts';
import { MAX_BODY_BYTES } from '../../api/http/limits.ts';
import { readSettings } from '../../api/settings/settings.ts';
import { chartTooLarge } from '../../api/smart/launch-problem.ts';
import { LOG_READS_PER_MINUTE } from '../../api/transparency-log/log-router.ts';
import { MAX_SESSION_MS } from '../../api/web/session/session.ts';
import { BREAK_GLASS_NOTICE_DAYS } from '../../domain/account/break-glass.ts';
import { ONE_TIME_PASSWORD_HOURS } from '../../domain/account/invitations.ts';
import { MAX_CHILDREN } from '../../domain/course/limits.ts';
import { MAX_OBSERVATIONS } from '../../domain/mapping/us-core/observations.ts';
import { LAUNCH_SCOPES } from '../../domain/mapping/us-core/ports.ts';
import { MAX_ENTRY_VALUES, MAX_LIST_LENGTH } from '../../domain/mapping/us-core/pulled-chart.ts';
import { DEFAULT_TIME_ZONE } from '../../domain/practice/state.ts';
import { COURSES_PER_CHUNK, MAX_ATTEMPTS } from '../../domain/submission/decide.ts';
import { EXIT_STATUS } from '../../scripts/exit-status.ts';
import { SUBJECTS } from '../../scripts/operator/commands.ts';
import { anchorsIn, blocksIn, proseOf } from '../support/guides.ts';

const guides = suite('what the documents name');

const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];
const textOf = (file: string): string => readFileSync(file, 'utf8');

guides('every link within the repository leads somewhere, and so does its anchor', () => {
  const broken: string[] = [];
  let seen = 0;
  for (const file of DOCUMENTS)
    for (const [link, target = ''] of proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      seen += 1;
      const [path = '', anchor = ''] = target.split('#');
      const to = path === '' ? file : normalize(join(dirname(file), path));
      const isThere = existsSync(to) && (anchor === '' || anchorsIn(to).has(anchor));
      if (!isThere) broken.push(`${file}: ${link}`);
    }
  assert.ok(seen > 50);
  assert.equal(broken, []);
});

guides('every picture is shown by a document', () => {
  const all = DOCUMENTS.map(textOf).join('\n');
  const unused = readdirSync('docs/images').filter((file) => !all.includes(`images/${file})`));
  assert.equal(unused, []);
});

guides('the list of documents names every one of them', () => {
  const list = textOf('docs/README.md');
  const missing = readdirSync('docs').filter(
    (file) => file.endsWith('.md') && file !== 'README.md' && !list.includes(`](${file})`),
  );
  assert.equal(missing, []);
});

guides('the front page for operators names every document of theirs', () => {
  const list = textOf('docs/operate/README.md');
  const missing = readdirSync('docs/operate').filter(
    (file) => file !== 'README.md' && !list.includes(`](${file})`),
  );
  assert.equal(missing, []);
});

guides('every whole number in the list of settings is the default', () => {
  const defaults: Readonly<Record<string, unknown>> = { ...readSettings({}) };
  const camel = (name: string) =>
    name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const rows = [...textOf('docs/operate/configure.md').matchAll(/^- `([A-Z_]+)` \((\d+)\):/gm)];
  assert.ok(rows.length >= 4);
  for (const [, name = '', value] of rows) assert.is(defaults[camel(name)], Number(value), name);
});

const { rateLimitPerMinute, sessionIdleMinutes, headersWithinSeconds } = readSettings({});
/** One poll for each push. */
const pushesPerMinute = rateLimitPerMinute / 2;
const inWords = (value: number): string => value.toLocaleString('en-US');
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** A sentence of a document, with the number that the code has. */
const LIMITS: readonly (readonly [file: string, sentence: string])[] = [
  ['docs/integrator.md', `A key has ${rateLimitPerMinute} requests a minute`],
  ['docs/integrator.md', `that makes ${pushesPerMinute} pushes a minute`],
  ['docs/integrator.md', `or ${inWords(pushesPerMinute * 1_000)} in batches`],
  ['docs/integrator.md', `a body at most ${MAX_BODY_BYTES / 1024 ** 2} MiB`],
  [
    'docs/integrator.md',
    `A connection with more than ${MAX_WAITING_REQUESTS} waiting requests is closed`,
  ],
  ['docs/proof.md', `${inWords(LOG_READS_PER_MINUTE)} requests a minute to \`/log/…\``],
  ['docs/proof.md', `A key may fetch ${rateLimitPerMinute} proofs a minute`],
  ['docs/threat-model.md', `429 after ${inWords(LOG_READS_PER_MINUTE)} requests in a minute`],
  ['docs/capacity.md', `in a batch, ${COURSES_PER_CHUNK} records share one`],
  ['docs/operate/troubleshoot.md', `at the top of every page for ${BREAK_GLASS_NOTICE_DAYS} days`],
  ['docs/operate/troubleshoot.md', `after ${NUMBERS[MAX_ATTEMPTS]} failed attempts`],
  ['docs/operate/configure.md', `its pages show and read times in \`${DEFAULT_TIME_ZONE}\``],
  ['docs/operate/install.md', `its pages show and read times in \`${DEFAULT_TIME_ZONE}\``],
  [
    'docs/operate/retention.md',
    `wait for confirmation, encrypted | Postgres | ${IMPORT_TTL_HOURS} hours`,
  ],
  [
    'docs/operate/retention.md',
    `handed over to the practice, encrypted | Postgres | ${HANDOFF_TTL_DAYS} days`,
  ],
  ['docs/operate/retention.md', `one-time passwords | Postgres | ${ONE_TIME_PASSWORD_HOURS} hours`],
  ['docs/operate/retention.md', `idle, ${MAX_SESSION_MS / 3_600_000} hours at most`],
  ['docs/assurance.md', `An idle session ends after ${sessionIdleMinutes} minutes`],
  [
    'docs/ehr-vendor.md',
    `at most ${EHR_LIMITS.pages} pages and ${inWords(EHR_LIMITS.rows)} rows of each type, in at most ${EHR_LIMITS.chartMs / 1_000} seconds`,
  ],
  [
    'docs/ehr-vendor.md',
    `A page may have ${EHR_LIMITS.pageBytes / 1024 ** 2} MiB, ${inWords(EHR_LIMITS.pageEntries)} entries, ${inWords(MAX_ANSWER_VALUES)} values, and ${MAX_ANSWER_NESTING} levels; all pages of a chart together may have ${EHR_LIMITS.chartBytes / 1024 ** 2} MiB`,
  ],
  [
    'docs/ehr-vendor.md',
    `more than ${inWords(MAX_ENTRY_VALUES)} values or a list of more than ${MAX_LIST_LENGTH} elements`,
  ],
  [
    'docs/ehr-vendor.md',
    `at most ${inWords(MAX_OBSERVATIONS)} Observations, components included, and fills in at most ${MAX_CHILDREN} children`,
  ],
  ['docs/clinician.md', `If you see “${chartTooLarge().heading}”`],
  ['docs/design/requests.md', `Headers have ${headersWithinSeconds} seconds`],
];

for (const [file, sentence] of LIMITS)
  guides(`${file} says “${sentence}”, as the code has it`, () => {
    assert.ok(textOf(file).replace(/\s+/g, ' ').includes(sentence));
  });

guides('every folder of adapters and api is in the map of folders, and no other', () => {
  const sections = textOf('docs/architecture.md').split(/^#{2,3} /m);
  for (const layer of ['adapters', 'api']) {
    const map = sections.find((one) => one.startsWith(`Folders of ${layer}\n`)) ?? '';
    const named = [...map.matchAll(/`([a-z-]+)\/`/g)].map(([, name = '']) => name);
    const folders = readdirSync(layer, { withFileTypes: true }).filter((one) => one.isDirectory());
    assert.equal(named.sort(), folders.map(({ name }) => name).sort(), layer);
  }
});

guides(
  'the document of reliability has a row for each group of the chaos runs, and no other',
  () => {
    const [, groups = ''] = /GROUPS[^=]*= \{([^}]*)\}/.exec(textOf('test/chaos/run.ts')) ?? [];
    const known = [...groups.matchAll(/^ *'?([a-z-]+)'?:/gm)].map(([, name]) => name);
    const text = textOf('docs/reliability.md');
    const [, table = ''] = text.split('## The groups');
    const rows = [...(table.split('## ')[0] ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)];
    assert.equal(rows.map(([, name]) => name).sort(), [...known].sort());
    assert.match(text, new RegExp(`# all ${NUMBERS[known.length]} groups`));
  },
);

guides('every status that a command ends with has its row', () => {
  const rows = [...textOf('docs/operate/commands.md').matchAll(/^\| (\d) \|/gm)];
  assert.equal(rows.map(([, status]) => Number(status)).sort(), Object.values(EXIT_STATUS).sort());
});

guides('every message that the guide for troubleshooting shows is in the code', () => {
  const [, table = ''] = textOf('docs/operate/troubleshoot.md').split(
    '## The service does not start',
  );
  const messages = [...(table.split('## ')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)];
  assert.ok(messages.length > 10);
  const sources = ['adapters', 'api', 'domain']
    .flatMap((layer) =>
      readdirSync(layer, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => textOf(join(layer, file))),
    )
    .join('\n');
  const missing = messages
    .map(([, message = '']) => message)
    .filter((message) => !message.split(' … ').every((part) => sources.includes(part)));
  assert.equal(missing, []);
});

guides('nothing schedules the audit of dependencies, as the document says', () => {
  assert.match(textOf('docs/supply.md'), /Nothing in this repository runs `audit:dependencies`/);
  const files = readdirSync('scripts/deploy', { recursive: true, encoding: 'utf8' })
    .map((file) => join('scripts/deploy', file))
    .filter((file) => /\.(?:ya?ml|service|timer)$|Dockerfile$/.test(file));
  assert.ok(files.length > 5);
  for (const file of ['.ci/run', ...files]) assert.not.match(textOf(file), 'audit:dependencies');
});

guides('every test that the threat model names exists', () => {
  const known = readdirSync('test', { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const [, name] = /^(.+?)(?:\.int)?\.test\.tsx?$/.exec(file) ?? [];
    return name === undefined ? [] : [name];
  });
  const text = textOf('docs/threat-model.md');
  const lists = [...text.matchAll(/\((`[a-z0-9./-]+`(?:,\s+`[a-z0-9./-]+`)*)\)/g)];
  const named = lists.flatMap(([, list = '']) =>
    [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  assert.ok(named.length > 80);
  assert.equal(
    named.filter((name) => !known.includes(name)),
    [],
  );
});

guides('npx never installs what it does not find: it is called with --no', () => {
  const code = ['domain', 'adapters', 'api', 'projections', 'scripts'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|mjs|ya?ml)$|Dockerfile$/.test(file))
      .map((file) => join(folder, file)),
  );
  const bare = [...DOCUMENTS, ...code].filter((file) =>
    /npx (?:--[a-z-]+ )*(?:birth-)?registry/.test(
      textOf(file).replaceAll('npx --no birth-registry', ''),
    ),
  );
  assert.equal(bare, []);
  assert.match(textOf('docs/operate/commands.md'), 'npx --no birth-registry ');
});

/** Options of every command. */
const OF_EACH: ReadonlySet<string> = new Set(['by', 'json', 'quiet', 'help']);

guides('every command of the operator exists, with its options', () => {
  const unknown: string[] = [];
  let seen = 0;
  for (const file of DOCUMENTS)
    for (const [line, given = ''] of textOf(file).matchAll(
      /(?:npx --no birth-registry |`birth-registry |registry birth-registry )([a-z][^\n|`)]*)/g,
    )) {
      // For senders, and for all: they are none of the operator's.
      if (/^(?:push|help)\b/.test(given)) continue;
      seen += 1;
      const command = Object.values(SUBJECTS)
        .flat()
        .find(({ words }) => given.startsWith(words.join(' ')));
      const options = [...given.matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option);
      if (command === undefined) unknown.push(`${file}: ${line}`);
      else if (
        options.some(
          (one) => !OF_EACH.has(one) && !command.options.some((known) => known.name() === one),
        )
      )
        unknown.push(`${file}: ${line}`);
    }
  assert.ok(seen > 40);
  assert.equal(unknown, []);
});

guides('every npm script exists', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  for (const file of DOCUMENTS)
    for (const [, name = ''] of textOf(file).matchAll(/npm run (?:--silent )?([a-z][a-z:-]*)/g))
      assert.ok(name in scripts, `${file}: npm run ${name}`);
});

guides('the guide for integrators lists the codes of the catalog, and no other', () => {
  const [requests, records] = textOf('docs/integrator.md').split('A record, in `outcome.rejected`');
  const entries = DIAGNOSTICS_CATALOG.flatMap((part) => part.entries);
  const ofRequests = entries.flatMap((one) =>
    one.kind === 'request' ? [`${one.status} ${one.code ?? 'none'}`] : [],
  );
  const rows = [...(requests ?? '').matchAll(/^\| (\d{3}) \| `?([a-z -]+?)`? \|/gm)];
  assert.equal(rows.map(([, status, code]) => `${status} ${code}`).sort(), distinct(ofRequests));
  const ofRecords = entries.flatMap((one) => (one.kind === 'record' ? [one.rejection.code] : []));
  const codes = [...(records ?? '').matchAll(/^\| `([a-z -]+)` \|/gm)];
  assert.equal(codes.map(([, code]) => code).sort(), distinct(ofRecords));
});

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

guides('the scopes that an EHR registers are those that are asked for', () => {
  assert.ok(textOf('docs/ehr-vendor.md').includes(`| scopes | \`${LAUNCH_SCOPES}\` |`));
});

guides('every file that the guide for contributors names is there', () => {
  const named = [
    ...textOf('CONTRIBUTING.md').matchAll(
      /`((?:domain|projections|adapters|api|scripts|test|docs|\.ci)\/[^`\s]*)`/g,
    ),
  ].map(([, path = '']) => path);
  assert.ok(named.length > 20);
  assert.equal(
    named.filter((path) => !existsSync(path) && !path.endsWith('-what-it-is-for.ts')),
    [],
  );
});

/** The steps of a walk: a file, and what of it is called. */
interface Step {
  readonly file: string;
  readonly name: string;
}

guides('each step of a walk through the code is called by the one before it', () => {
  const walks = textOf('CONTRIBUTING.md')
    .split(/\n(?=1\. `)/)
    .map((list) =>
      [...list.matchAll(/^\d+\. `([^`]+\.tsx?)` `(\w+)`/gm)].map(
        ([, file = '', name = '']): Step => ({ file, name }),
      ),
    )
    .filter((steps) => steps.length > 0);
  assert.ok(walks.length >= 7);
  for (const steps of walks)
    for (const [index, { file, name }] of steps.entries()) {
      assert.match(textOf(file), new RegExp(`export const ${name}\\b`), `${file} has no ${name}`);
      const before = steps[index - 1]?.file;
      if (before !== undefined)
        assert.ok(
          textOf(before).includes(`/${basename(file)}'`),
          `${before} does not lead to ${file}`,
        );
    }
});

guides('the TypeScript of the guides is right for the compiler', () => {
  const inGuides = DOCUMENTS.flatMap(blocksIn)
    .filter(({ language }) => language === 'ts')
    .map(({ text, note }) => [join(process.cwd(), 'docs', note), text] as const);
  const examples = readdirSync('docs/examples')
    .filter((file) => file.endsWith('ts'))
    .map((file) => join(process.cwd(), 'docs/examples', file))
    .map((file) => [file, textOf(file)] as const);
  const files = new Map([...inGuides, ...examples]);
  assert.ok(files.size > 0);
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, process.cwd());
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (name) => files.has(name) || fileExists(name),
    readFile: (name) => files.get(name) ?? readFile(name),
    getSourceFile: (name, language, ...rest) => {
      const text = files.get(name);
      return text === undefined
        ? getSourceFile(name, language, ...rest)
        : ts.createSourceFile(name, text, language);
    },
  });
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  assert.equal(faults, []);
});

guides.run();

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSettings } from '../../api/composition/settings.ts';
import { DIAGNOSTICS_CATALOGUE } from '../../api/docs/diagnostics-catalogue.ts';
import { LAUNCH_SCOPES } from '../../domain/ehr-launch/scopes.ts';
import { COMMANDS } from '../../scripts/operator/commands.ts';
import { anchorsIn, blocksIn, proseOf } from '../support/guides.ts';

const guides = suite('what the documents name');

const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
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

guides('the list of documents names every one of them', () => {
  const list = textOf('docs/README.md');
  const missing = readdirSync('docs').filter(
    (file) => file.endsWith('.md') && file !== 'README.md' && !list.includes(`](${file})`),
  );
  assert.equal(missing, []);
});

guides('every whole number in the table of settings is the default', () => {
  const defaults: Readonly<Record<string, unknown>> = { ...readSettings({}) };
  const camel = (name: string) =>
    name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const rows = [...textOf('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \|.*\| (\d+) \|$/gm)];
  assert.ok(rows.length >= 4);
  for (const [, name = '', value] of rows) assert.is(defaults[camel(name)], Number(value), name);
});

/** Options of every command. */
const OF_EACH: ReadonlySet<string> = new Set(['by', 'json', 'quiet', 'help']);

guides('every command of the operator exists, with its options', () => {
  const unknown: string[] = [];
  let seen = 0;
  for (const file of DOCUMENTS)
    for (const [line, given = ''] of textOf(file).matchAll(
      /(?:operator -- |`operator |npx registry |registry registry )([a-z][^\n|`)]*)/g,
    )) {
      seen += 1;
      const command = COMMANDS.find(({ words }) => given.startsWith(words.join(' ')));
      const options = [...given.matchAll(/--([a-z-]+)/g)].map(([, option = '']) => option);
      if (command === undefined) unknown.push(`${file}: ${line}`);
      else if (options.some((one) => !OF_EACH.has(one) && !(one in command.options)))
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

guides('the guide for integrators lists the codes of the catalogue, and no other', () => {
  const [requests, records] = textOf('docs/integrator.md').split('A record, in `outcome.rejected`');
  const entries = DIAGNOSTICS_CATALOGUE.flatMap((part) => part.entries);
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
    ...textOf('docs/contributor.md').matchAll(
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
  const walks = textOf('docs/contributor.md')
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
  const files = new Map(
    DOCUMENTS.flatMap(blocksIn)
      .filter(({ language }) => language === 'ts')
      .map(({ text, note }) => [join(process.cwd(), 'docs', note), text] as const),
  );
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

import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import { startEhr } from '../../scripts/ehr-simulator/start-ehr.ts';
import { EXIT_STATUS } from '../../scripts/exit-status.ts';
import { checkBundle } from '../../scripts/offline/check-bundle.ts';
import { explainMaskOfBundle } from '../../scripts/offline/explain-mask.ts';
import { verifyProof } from '../../scripts/offline/verify-proof.ts';
import { parseCommandLine } from '../../scripts/operator/command-line.ts';
import { SUBJECTS } from '../../scripts/operator/commands.ts';
import { styleFor } from '../../scripts/operator/for-people/style.ts';
import { runOperator } from '../../scripts/operator/run-operator.ts';
import { runSynthesis } from '../../scripts/synthesis/run-synthesis.ts';
import { WrongUsage } from '../../scripts/wrong-usage.ts';
import { type CapturedRun, captureRun } from '../harness/captured-run.ts';
import {
  newMember,
  newVisitor,
  PASSWORD,
  signInVisitor,
  type TestVisitor,
} from '../harness/pages.ts';
import { newPractice, push, startTestService, testEnvironment } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';
import {
  blocksIn,
  type GuideBlock,
  type GuideShell,
  isAsShown,
  isInstalled,
  openShell,
  pathWithCurl,
  proseOf,
} from '../support/guides.ts';
import { takeCases } from '../support/runs.ts';

const guides = suite('the guides, done from their first line to their last');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const fileOf = (guide: string): string =>
  guide === 'contributing' ? 'CONTRIBUTING.md' : `docs/${guide}.md`;
/** The last one changes the secret of the registry. */
const IN_ORDER = [
  'integrator',
  'partner',
  'auditor',
  'proof',
  'ehr-vendor',
  'registrar',
  'clinician',
  'practice-admin',
  'contributing',
  'operate/install',
  'operate/monitor',
  'operate/back-up',
  'operate/retention',
  'operate/upgrade',
  'operate/troubleshoot',
  'operate/rotate-keys',
];
/** Addresses that the guides write, for a service and a simulated EHR on other ports. */
const WRITTEN = { registry: 'http://127.0.0.1:8080', ehr: 'http://127.0.0.1:9090' };

const ehr = await startEhr();
const service = await startTestService(
  {
    RATE_LIMIT_PER_MINUTE: '120',
    CHECKPOINT_SECONDS: '1',
    LOG_PUBLIC: 'true',
    SMART_CLIENT_ID: ehr.clientId,
    SMART_ALLOWED_ISSUERS: ehr.issuer,
  },
  { isEmbedded: true },
);
ehr.register(service.url);
const directory = temporaryDirectory('guides');

const NO_COLORS = styleFor({});

/** Runs a command of the operator on the stores that are open. */
const operate = async (args: readonly string[]): Promise<string> => {
  const command = parseCommandLine(args, SUBJECTS);
  const { commands, settings } = service;
  return command.needs === 'stores'
    ? command.format(await command.run(commands, NO_REPORTER), NO_COLORS, commands)
    : command.format(await command.run(settings, NO_REPORTER), NO_COLORS, settings);
};

interface Given {
  readonly args: readonly string[];
  /** REGISTRY_SECRET of the shell, if it has one. */
  readonly secret: string;
}

const OFFLINE = {
  'check-bundle': checkBundle,
  'explain-mask': explainMaskOfBundle,
  synthesize: runSynthesis,
  'verify-proof': verifyProof,
};
const isOffline = (script: string): script is keyof typeof OFFLINE => script in OFFLINE;

/** Runs a command in this process: one of its own takes half a second. */
const runHere = async (script: string, { args, secret }: Given): Promise<CapturedRun> => {
  if (isOffline(script)) return captureRun((streams) => OFFLINE[script]({ args, ...streams }));
  // These open stores of their own, for a secret that is not the service's.
  if (args[0]?.startsWith('rotate-')) {
    const environment = {
      ...testEnvironment(service.settings.dataDir),
      ...(secret === '' ? {} : { REGISTRY_SECRET: secret }),
    };
    const yieldToService = () => undefined;
    return captureRun((streams) => runOperator({ args, environment, yieldToService, ...streams }));
  }
  try {
    return { code: 0, stdout: await operate(args), stderr: '' };
  } catch (error) {
    const code = error instanceof WrongUsage ? EXIT_STATUS.wrongUsage : EXIT_STATUS.notDone;
    return { code, stdout: '', stderr: `${error instanceof Error ? error.message : ''}\n` };
  }
};

const door = createServer(async (req, res) => {
  const [script = '', directory = '', secret = '', ...typed] = (await text(req)).split('\0');
  const args = typed.slice(0, -1).map((word) => {
    const file = join(directory, word);
    return word !== '' && existsSync(file) ? file : word;
  });
  const { code, stdout, stderr } = await runHere(script, { args, secret });
  res.statusCode = code === 0 ? 200 : 400 + code;
  res.end(`${stdout}${stderr}`);
});
await new Promise<void>((resolve) => {
  door.listen(0, '127.0.0.1', resolve);
});

const TSX = `'${process.execPath}' --import '${import.meta.resolve('tsx')}'`;
const PREAMBLE = `
sleep() { command sleep 0.1; }
npx() {
  [ "$1" = --no ] && shift
  local name=$1; shift
  case "$name \${1-}" in
    'birth-registry push') '${process.execPath}' "$CHECKOUT/scripts/registry.mjs" "$@";;
    birth-registry*) operator "$@";;
    *) ${TSX} "$@";;
  esac
}
npm() {
  [ "$1" = run ] || { command npm "$@"; return; }
  shift; [ "$1" = --silent ] && shift
  local script=$1; shift 2
  run_here $script "$@"
}
operator() { run_here operator "$@"; }
run_here() {
  # The command runs in another process, which has no standard input of this one.
  case " $* " in *' --password-stdin '*) set -- "\${@/#--password-stdin/--password=$(cat)}";; esac
  local answer; answer=$(printf '%s\\0' "$1" "$PWD" "\${REGISTRY_SECRET-}" "\${@:2}" | curl -s -w '\\n%{http_code}' --data-binary @- "$COMMANDS")
  local code=\${answer##*$'\\n'}
  [ $code = 200 ] && printf '%s\\n' "\${answer%$'\\n\\n'*}" || { printf '%s\\n' "\${answer%$'\\n\\n'*}" >&2; return $((code - 400)); }
}
`;

const written = (text: string): string =>
  text.replaceAll(service.url, WRITTEN.registry).replaceAll(ehr.url, WRITTEN.ehr);

const real = (text: string): string =>
  text.replaceAll(WRITTEN.registry, service.url).replaceAll(WRITTEN.ehr, ehr.url);

/** Runs a block and compares what it prints with what the guide shows. */
const runBlock = async (shell: GuideShell, block: GuideBlock, shown: GuideBlock | null) => {
  const { output, status } = await shell.run(real(block.text));
  const expected = Number(/^exits=(\d)$/.exec(block.note)?.[1] ?? 0);
  assert.is(status, expected, `${block.at} ended with ${status}:\n${written(output)}`);
  if (shown !== null && !isAsShown(written(output), shown))
    assert.unreachable(
      `${shown.at} shows something else than what was printed:\n${written(output)}`,
    );
};

for (const name of IN_ORDER) {
  guides(fileOf(name), async () => {
    const work = join(directory.path, name);
    mkdirSync(work, { recursive: true });
    for (const shared of ['docs', 'test', 'package.json', 'tsconfig.json'])
      symlinkSync(join(ROOT, shared), join(work, shared));
    const shell = openShell(work, {
      ...process.env,
      PATH: pathWithCurl(directory.path),
      CHECKOUT: ROOT,
      DATA_DIR: service.settings.dataDir,
      LOG_LEVEL: 'silent',
      COMMANDS: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    });
    try {
      await shell.run(PREAMBLE);
      const blocks = blocksIn(fileOf(name));
      for (const [index, block] of blocks.entries()) {
        const next = blocks[index + 1];
        if (block.language !== 'sh') continue;
        const [, needed] = /^needs=(\w+)$/.exec(block.note) ?? [];
        if (needed !== undefined && !(TRIED.includes(needed) && isInstalled(needed))) {
          process.stdout.write(`${block.at} is not run: ${needed} is not here, or not tried now\n`);
          continue;
        }
        if (block.note.startsWith('not-run: ')) {
          process.stdout.write(`${block.at} is not run: ${block.note.slice(9)}\n`);
          continue;
        }
        await runBlock(shell, block, next !== undefined && isOutput(next) ? next : null);
      }
    } finally {
      await shell.close();
    }
  });
}

/** Programs of the example in each language. Compilers take seconds. */
const TRIED = takeCases(['python3', 'go', 'java', 'dotnet']);

const isOutput = ({ language }: GuideBlock): boolean => language === 'json' || language === 'text';

/** Where passkeys can be added: browsers take no number for it. */
const byName = service.url.replace('127.0.0.1', 'localhost');

/** A practice with something on each of its pages, and its Admin. */
const openPractice = async () => {
  const { practiceId, token } = await newPractice(service.commands);
  const admin = await newMember(service, practiceId, 'Admin', 'admin@cedar.example');
  const viewer = await newMember(service, practiceId, 'Viewer', 'viewer@cedar.example');
  const receipt = await push(service.url, token, birthBundle({ chartNumber: 'G-1' }));
  await push(service.url, token, birthBundle({ chartNumber: 'G-2' }));
  const visitor = await signInVisitor(byName, admin);
  const _csrf = await visitor.csrfToken('/registry/import');
  const field = { _csrf, label: 'Pediatrician', type: 'text', choices: '' };
  await visitor.send('/registry/custom-fields', field);
  const form = new FormData();
  form.set('_csrf', _csrf);
  const csv = 'place_of_birth,child1_sex\nHospital,female\n';
  form.set('file', new Blob([csv], { type: 'text/csv' }), 'births.csv');
  const brought = await fetch(`${service.url}/registry/import`, {
    method: 'POST',
    redirect: 'manual',
    body: form,
    headers: { Cookie: visitor.cookie() },
  });
  const record = receipt.status === 'completed' ? receipt.outcome.accepted[0] : undefined;
  return {
    visitor,
    addressOf: (path: string): string => {
      if (path.includes('{file}')) return brought.headers.get('location') ?? '';
      return path.replace('{member}', viewer.id).replace('{record}', record?.submission_uuid ?? '');
    },
  };
};

guides(
  'every page that the guides of a practice name has the words that they name there',
  async () => {
    const { visitor, addressOf } = await openPractice();
    assert.ok((await wordsFound('practice-admin', visitor, addressOf)) > 25);
    assert.ok((await wordsFound('registrar', visitor, addressOf)) > 15);
  },
);

/** A visitor whose browser has launched from the first chart of the simulated EHR. */
const openChart = async () => {
  const visitor = newVisitor(service.url);
  const follow = (address: string) => {
    const { pathname, search } = new URL(address, service.url);
    return visitor.send(`${pathname}${search}`);
  };
  const locationOf = ({ headers }: Response): string => headers.get('location') ?? '';
  const [, link = ''] = /href="([^"]+)"/.exec(await (await fetch(`${ehr.url}/`)).text()) ?? [];
  const launched = await follow(link.replaceAll('&amp;', '&'));
  const authorized = await fetch(locationOf(launched), { redirect: 'manual' });
  const { pathname, search } = new URL(
    locationOf(await follow(locationOf(authorized))),
    service.url,
  );
  return {
    visitor,
    addressOf: (path: string): string => (path === pathname ? `${pathname}${search}` : path),
  };
};

guides(
  'the page that the guide for clinicians names has the words that it names there',
  async () => {
    const { visitor, addressOf } = await openChart();
    assert.ok((await wordsFound('clinician', visitor, addressOf)) > 4);
  },
);

/** What the service staff have to do with: practices with and without Admins, and partners. */
const openStaff = async () => {
  const { commands } = service;
  const email = 'sam@registry-staff.example';
  const colleague = await commands.accounts.addStaff({
    email: 'kim@registry-staff.example',
    password: PASSWORD,
  });
  const id = await commands.accounts.addStaff({ email, password: PASSWORD });
  const named = (name: string) => commands.practices.create({ name, sandbox: false, beta: true });
  const [fresh, lost] = await Promise.all([named('Alder Birth Center'), named('Larch Clinic')]);
  const admin = await newMember(service, lost, 'Admin', 'admin@larch.example');
  await commands.members.remove(lost, admin.id, 'removable');
  const partnerOf = (name: string) =>
    commands.partners.create({ name, beta: false, status: 'Pending' });
  const partnerId = await partnerOf('Spruce EHR');
  await commands.keys.mintPartner({
    partnerId,
    practiceId: fresh,
    name: null,
    scopes: ['ingest:write'],
  });
  const visitor = await signInVisitor(byName, { id, email });
  return {
    visitor,
    addressOf: (path: string, section: string): string =>
      path
        .replace('{practice}', section.startsWith('When a practice has lost') ? lost : fresh)
        .replace('{partner}', partnerId)
        .replace('{person}', colleague),
  };
};

guides(
  'every page that the guide for the staff names has the words that it names there',
  async () => {
    const { visitor, addressOf } = await openStaff();
    assert.ok((await wordsFound('staff', visitor, addressOf)) > 40);
  },
);

/** Looks for the words in bold of each section on the pages that the section names. @returns how many */
const wordsFound = async (
  guide: string,
  visitor: TestVisitor,
  addressOf: (path: string, section: string) => string,
): Promise<number> => {
  const stranger = newVisitor(service.url);
  let seen = 0;
  for (const section of proseOf(`docs/${guide}.md`).split(/^## /m).slice(1)) {
    const paths = [...section.matchAll(/`(\/(?:registry|staff|account|sign-in|docs)[^`]*)`/g)];
    let words = '';
    for (const [, path = ''] of paths) {
      const to = addressOf(path, section);
      const page = await (path === '/sign-in' ? stranger : visitor).send(to);
      assert.is(page.status, 200, `${path} is answered with ${page.status}`);
      words += wordsOf(await page.text());
    }
    for (const [, label = ''] of section.matchAll(/\*\*([^*]+)\*\*/g)) {
      seen += 1;
      assert.ok(
        words.includes(label.replace(/\s+/g, ' ')),
        `“${label}” is on no page of: ${section.split('\n')[0]}`,
      );
    }
  }
  return seen;
};

const wordsOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

guides('every address of the service that a guide links to is there, with its anchor', async () => {
  let seen = 0;
  for (const file of [...IN_ORDER.map(fileOf), 'docs/reference/bundles.md'])
    for (const [, address = ''] of proseOf(file).matchAll(/\]\((http:[^)]*)\)/g)) {
      seen += 1;
      const { pathname, hash } = new URL(real(address));
      const page = await fetch(`${service.url}${pathname}`);
      assert.is(page.status, 200, address);
      if (hash !== '') assert.ok((await page.text()).includes(`id="${hash.slice(1)}"`), address);
    }
  assert.ok(seen > 1);
});

guides.after(async () => {
  door.close();
  await service.stop();
  await ehr.stop();
  directory.remove();
});

guides.run();

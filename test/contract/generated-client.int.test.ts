import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TOO_MANY_REQUESTS } from '../../api/http/rate-limiter.ts';
import { newPractice, startTestService } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const client = suite('a client that is generated from the contract of a running service');

const SENDER = fileURLToPath(new URL('support/sender.ts.txt', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** More than the sender needs before it tries how many there are. */
const LIMIT = 30;

const service = await startTestService({ RATE_LIMIT_PER_MINUTE: `${LIMIT}` });
const directory = temporaryDirectory('generated-client');
const program = join(directory.path, 'sender.ts');

/** What the compiler says, as strictly as it can, of programs and of what they import. */
const compilerErrors = (programs: readonly string[]): readonly string[] => {
  const compiled = ts.createProgram(programs, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    // Node's own fetch and Response are typed as those of browsers are.
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    typeRoots: [join(MODULES, '@types')],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  });
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
};

client.before(async () => {
  symlinkSync(MODULES, join(directory.path, 'node_modules'));
  writeFileSync(join(directory.path, 'package.json'), '{ "type": "module" }');
  const types = await openapiTS(new URL(`${service.url}/openapi.json`));
  writeFileSync(join(directory.path, 'registry.ts'), astToString(types));
  writeFileSync(program, readFileSync(SENDER));
});

client('compiles strictly, and knows what it may send and what it is answered', () => {
  const right = readFileSync(program, 'utf8');
  const mistakes = [
    [`resourceType: 'Bundle',\n  type: 'document'`, `resourceType: 'Bundel',\n  type: 'document'`],
    ["timestamp: '2026-03-14T10:00:00Z'", 'timestamp: 2026'],
    ["case 'failed'", "case 'broken'"],
    ['receipt.outcome.correlation_id', 'receipt.outcome.accepted'],
    ["'Idempotency-Key': key", "'Idempotency-Key': 17"],
  ] as const;
  const programs = mistakes.map(([it, instead], index) => {
    assert.ok(right.includes(it), it);
    const wrong = join(directory.path, `wrong-${index}.ts`);
    writeFileSync(wrong, right.replace(it, instead));
    return wrong;
  });
  const errors = compilerErrors([program, ...programs]);
  const isOfMistake = (error: string, wrong: string) => error.startsWith(`${wrong}: `);
  assert.equal(
    errors.filter((error) => !programs.some((wrong) => isOfMistake(error, wrong))),
    [],
  );
  for (const wrong of programs)
    assert.ok(
      errors.some((error) => isOfMistake(error, wrong)),
      wrong,
    );
});

client('pushes, replays, polls, and reads what it is refused for', async () => {
  const { practiceId, token } = await newPractice(service.commands);
  const readOnly = await service.commands.keys.mintNative({
    practiceId,
    scopes: ['ingest:read'],
    name: null,
  });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), program],
    {
      cwd: directory.path,
      env: { ...process.env, REGISTRY: service.url, TOKEN: token, READ_ONLY: readOnly.token },
    },
  );
  const refused = { authenticate: null, hasRetryAfter: false };
  assert.equal(JSON.parse(stdout), {
    isAsSent: true,
    first: { status: 202, says: 'informational' },
    again: { status: 202, isSame: true, replayed: 'true' },
    receipt: 'MRN-7',
    stranger: { ...refused, status: 401, says: 'login', authenticate: 'Bearer' },
    reader: { ...refused, status: 403, says: 'forbidden' },
    tooLong: { ...refused, status: 413, says: 'too-long' },
    busy: {
      ...refused,
      status: 429,
      says: { message: TOO_MANY_REQUESTS },
      hasRetryAfter: true,
    },
  });
});

client.after(async () => {
  await service.stop();
  directory.remove();
});

client.run();

import { INGESTION_DIAGNOSTICS } from '../../api/docs/ingestion-diagnostics.ts';
import { RECORD_DIAGNOSTICS } from '../../api/docs/record-diagnostics.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { REQUEST_PROBLEMS } from '../../api/openapi/request-problems.ts';
import {
  breakSentences,
  buildHead,
  buildTable,
  formatCode,
  getMainClause,
  listCodes,
} from './markdown.ts';

/** Placeholder for the address of a deployment. */
const BASE_URL = 'https://registry.example';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
}

interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Content {
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Answer>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** Answers that most operations have, listed once. */
const SHARED = [
  'Unauthenticated',
  'OnlyGet',
  'OnlyGetUncounted',
  'OnlyPost',
  'TooSlow',
  'ExpectationFailed',
  'ExpectationFailedUncounted',
  'TooManyRequests',
  'HeadersTooLong',
  'Fault',
  'Away',
  'Starting',
];

/** Schemas of receipts, in the order of the page. */
const RECEIPT_SCHEMAS = [
  'UnfinishedReceipt',
  'CompletedReceipt',
  'CompletedOutcome',
  'AcceptedEntry',
  'RejectedEntry',
  'FailedReceipt',
  'FailedOutcome',
];

/** Builds the reference of operations from the contract. */
export const buildApiReference = (): string => {
  const contract = JSON.parse(JSON.stringify(openApiDocument(BASE_URL))) as Contract;
  const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describeOperation(`${method.toUpperCase()} ${path}`, operation, contract),
    ),
  );
  return [
    buildHead('API', 'the contract'),
    ABOUT,
    ...operations,
    describeSharedAnswers(contract),
    describeReceipts(contract),
    PROBLEMS,
  ].join('\n');
};

const ABOUT = `\`/openapi.json\` is the contract itself, with schemas, headers, and examples.
Start with the [guide for integrators](../integrator.md).
\`/docs/diagnostics\` of a running service shows each problem with an example.
`;

const describeOperation = (address: string, operation: Operation, contract: Contract): string => {
  const { operationId, summary, security, parameters = [], responses } = operation;
  const access = security?.length === 0 ? 'No API key.' : 'Needs an API key.';
  const answers = Object.entries(responses).flatMap(([status, answer]) => {
    const name = nameOf(answer);
    if (status === 'default' || (name !== null && SHARED.includes(name))) return [];
    return [describeAnswer(status, resolve(answer, contract))];
  });
  return [
    `## ${summary}`,
    `\`${address}\`, operation \`${operationId}\`. ${access}`,
    ...getParagraphs(operation).map((paragraph) => breakSentences(paragraph)),
    ...(parameters.length === 0 ? [] : [parameters.map(describeParameter).join('\n')]),
    `${answers.join('\n')}\n`,
  ].join('\n\n');
};

/** Paragraphs of its description. The guides explain operations that need no key. */
const getParagraphs = ({ description, security }: Operation): readonly string[] => {
  const paragraphs = description.split('\n\n');
  return security?.length === 0 ? paragraphs.slice(0, 1) : paragraphs;
};

const describeParameter = ({ name, in: place, required, description }: Parameter): string =>
  `- ${breakSentences(`\`${name}\` (${place}${required ? '' : ', optional'}): ${description}`, '  ')}`;

const nameOf = (answer: Answer | { readonly $ref: string }): string | null =>
  '$ref' in answer ? (answer.$ref.split('/').at(-1) ?? null) : null;

const resolve = (answer: Answer | { readonly $ref: string }, contract: Contract): Answer => {
  const name = nameOf(answer);
  return name === null ? (answer as Answer) : (contract.components.responses[name] as Answer);
};

const describeAnswer = (status: string, answer: Answer): string => {
  const ids = listProblems(answer);
  const text = ids.length === 0 ? answer.description : listCodes(ids);
  return `- ${breakSentences(`${status}: ${text}`, '  ')}`;
};

/** Ids of problems, by their diagnostics. */
const PROBLEM_IDS: ReadonlyMap<string, string> = new Map(
  Object.entries(REQUEST_PROBLEMS).map(([id, { diagnostics }]) => [diagnostics, id]),
);

/** Ids of the problems in the examples of an answer; none if any of them has no id. */
const listProblems = ({ content = {} }: Answer): readonly string[] => {
  const ids = Object.values(content)
    .flatMap(({ examples = {} }) => Object.values(examples))
    .flatMap(({ value }) => listTexts(value as Problem))
    .map((text) => PROBLEM_IDS.get(text));
  return ids.includes(undefined) ? [] : ids.filter((id) => id !== undefined);
};

interface Problem {
  readonly issue?: readonly { readonly diagnostics: string }[];
  readonly message?: string;
}

const listTexts = ({ issue = [], message }: Problem): readonly string[] => [
  ...issue.map(({ diagnostics }) => diagnostics),
  ...(message === undefined ? [] : [message]),
];

const describeSharedAnswers = (contract: Contract): string => {
  const ids = new Map<string, Set<string>>();
  for (const methods of Object.values(contract.paths))
    for (const { responses } of Object.values(methods))
      for (const [status, answer] of Object.entries(responses)) {
        const name = nameOf(answer);
        if (name === null || !SHARED.includes(name)) continue;
        const known = ids.get(status) ?? new Set();
        for (const id of listProblems(resolve(answer, contract))) known.add(id);
        ids.set(status, known);
      }
  const answers = [...ids]
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([status, known]) => `- ${status}: ${listCodes([...known])}`);
  return `## Answers of most operations\n\n${answers.join('\n')}\n`;
};

const describeReceipts = (contract: Contract): string => {
  const rows = RECEIPT_SCHEMAS.map((name) => [
    formatCode(name),
    listCodes(Object.keys(contract.components.schemas[name]?.properties ?? {})),
  ]);
  return `## Receipts\n\n${buildTable(['schema', 'properties'], rows)}\n`;
};

/** Builds a list of problems: id, code, and when it happens. */
const listEntries = (
  entries: readonly (readonly [id: string, code: string | null, happens: string])[],
): string =>
  entries
    .map(([id, code, happens]) => {
      const head = code === null ? formatCode(id) : `${formatCode(id)} (${code})`;
      return `- ${breakSentences(`${head}: ${getMainClause(happens)}`, '  ')}`;
    })
    .join('\n');

const PROBLEMS = `## Problems of requests

${listEntries(
  Object.entries(REQUEST_PROBLEMS).map(([id, { status, code, happens }]) => [
    id,
    code === null ? `${status}` : `${status} ${formatCode(code)}`,
    happens,
  ]),
)}

## Problems of records

A completed receipt lists them in \`outcome.rejected\`, each with its id in \`details.coding\`.

${listEntries(
  RECORD_DIAGNOSTICS.map(({ id, rejection, happens }) => [id, formatCode(rejection.code), happens]),
)}

## Failed ingestions

A failed receipt says one of these in \`outcome.error\`.

${listEntries(INGESTION_DIAGNOSTICS.map(({ id, happens }) => [id, null, happens]))}
`;

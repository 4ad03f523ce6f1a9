import { INGESTION_DIAGNOSTICS } from '../../api/docs/ingestion-diagnostics.ts';
import { RECORD_DIAGNOSTICS } from '../../api/docs/record-diagnostics.ts';
import { REQUEST_PROBLEMS } from '../../api/http/problems.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { breakSentences, buildHead, buildTable, formatCode, listCodes } from './markdown.ts';

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

/** Answers that most operations have, listed only among the problems. */
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
    describeReceipts(contract),
    PROBLEMS,
  ].join('\n');
};

const ABOUT = `\`/openapi.json\` is the contract itself, with schemas, headers, and examples.
Start with the [guide for integrators](../integrator.md).
\`/docs/diagnostics\` of a running service explains each problem, with an example.
`;

const describeOperation = (address: string, operation: Operation, contract: Contract): string => {
  const { operationId, summary, security, parameters = [], responses } = operation;
  const access = security?.length === 0 ? 'No API key.' : 'Needs an API key.';
  const answers = Object.entries(responses).flatMap(([status, answer]) => {
    const name = getName(answer);
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

const getName = (answer: Answer | { readonly $ref: string }): string | null =>
  '$ref' in answer ? (answer.$ref.split('/').at(-1) ?? null) : null;

const resolve = (answer: Answer | { readonly $ref: string }, contract: Contract): Answer => {
  const name = getName(answer);
  return name === null ? (answer as Answer) : (contract.components.responses[name] as Answer);
};

const describeAnswer = (status: string, answer: Answer): string => {
  const ids = listProblems(answer);
  const text = ids.length === 0 ? answer.description : listCodes(ids);
  return `- ${breakSentences(`${status}: ${text}`, '  ')}`;
};

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

const describeReceipts = (contract: Contract): string => {
  const rows = RECEIPT_SCHEMAS.map((name) => [
    formatCode(name),
    listCodes(Object.keys(contract.components.schemas[name]?.properties ?? {})),
  ]);
  return `## Receipts\n\n${buildTable(['schema', 'properties'], rows)}\n`;
};

/** Lists the ids of problems under what a sender sees of them. */
const listByHead = (problems: readonly (readonly [head: string, id: string])[]): string =>
  [...new Set(problems.map(([head]) => head))]
    .sort()
    .map((head) => {
      const ids = problems.flatMap(([other, id]) => (other === head ? [id] : []));
      return `- ${breakSentences(`${head}: ${listCodes(ids)}`, '  ')}`;
    })
    .join('\n');

const PROBLEMS = `## Problems

Of requests; an operation above lists only those that are particular to it:

${listByHead(
  Object.entries(REQUEST_PROBLEMS).map(([id, { status, code }]) => [
    code === null ? `${status}` : `${status} ${formatCode(code)}`,
    id,
  ]),
)}

Of records, in \`outcome.rejected\` of a completed receipt, with the id in \`details.coding\`:

${listByHead(RECORD_DIAGNOSTICS.map(({ id, rejection }) => [formatCode(rejection.code), id]))}

Of failed receipts, in \`outcome.error\`: ${listCodes(INGESTION_DIAGNOSTICS.map(({ id }) => id))}.
`;

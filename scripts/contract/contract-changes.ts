import { Validator } from '@seriousme/openapi-schema-validator';
import { apiCompare, type Diff } from 'api-smart-diff';

/** An OpenAPI 3.1 document, as JSON. */
export type Contract = Readonly<Record<string, unknown>>;

/** A difference between two contracts. */
export interface ContractChange {
  /** Method and path, as the changelog names them; where else it is in the document. */
  readonly operation: string;
  /** What differs, for a person. */
  readonly what: string;
  /** A client that keeps to the first contract may fail with the second. */
  readonly isBreaking: boolean;
}

/**
 * What differs between two contracts, beside what is only said to readers.
 * @throws Error if one of them is no valid OpenAPI document
 */
export const contractChanges = async (
  before: Contract,
  after: Contract,
): Promise<readonly ContractChange[]> => {
  const { diffs } = apiCompare(await resolved(before), await resolved(after));
  return (diffs as readonly Diff[])
    .filter(({ type, path }) => type !== 'annotation' && path[0] !== 'info' && !isExample(path))
    .map((diff) => ({
      operation: operationAt(diff.path),
      what: diff.description ?? `${diff.action} ${diff.path.join('.')}`,
      isBreaking: isBreaking(diff),
    }));
};

/** Compiles the schema of OpenAPI once. */
const VALIDATOR = new Validator();

/** Without references: behind one the comparison does not know request from response. */
const resolved = async (contract: Contract): Promise<object> => {
  const specification = withTypesOfConstants(structuredClone(contract)) as Contract;
  const { valid, errors } = await VALIDATOR.validate(specification);
  if (!valid) throw new Error(`No OpenAPI document: ${JSON.stringify(errors)}`);
  // A validator of its own, as one keeps the document that it has seen last.
  const { paths, security, openapi } = new Validator().resolveRefs({ specification }) as Record<
    string,
    unknown
  >;
  return { openapi, info: {}, paths, security };
};

/** A constant says of what type it is; stated beside it, the type is no change. */
const withTypesOfConstants = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(withTypesOfConstants);
  if (typeof part !== 'object' || part === null) return part;
  const stated = Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [name, withTypesOfConstants(inner)]),
  );
  const {
    const: constant,
    enum: values = [constant],
    type,
  } = part as {
    readonly const?: unknown;
    readonly enum?: readonly unknown[];
    readonly type?: unknown;
  };
  const types = new Set(Array.isArray(values) ? values.map((value) => typeof value) : []);
  const [only = 'undefined'] = types;
  return type !== undefined || types.size !== 1 || !TYPES_OF_CONSTANTS.has(only)
    ? stated
    : { ...stated, type: only };
};

const TYPES_OF_CONSTANTS = new Set(['string', 'boolean']);

/** Examples show what may be sent or answered; clients branch on codes, and texts get clearer over time. */
const isExample = (path: Diff['path']): boolean =>
  path.some(
    (name, at) =>
      (name === 'examples' && path[at - 2] === 'content') ||
      (name === 'example' && path[at - 2] === 'parameters'),
  );

const isBreaking = (diff: Diff): boolean => {
  const { type, action, path, after } = diff;
  const isAnswer = path.includes('responses');
  // Readers leave what they do not know; senders send it. @see docs/integrator.md "When the registry changes"
  if (path.at(-1) === 'additionalProperties' && typeof after === 'boolean') return !after;
  if (action === 'add' && GUIDES.has(String(path.at(-1)))) return false;
  if (isAnswer && isPlainFlag(diff)) return false;
  return (
    type === 'breaking' ||
    type === 'unclassified' ||
    // Readers of an answer rely on its types, which the comparison takes for a widening.
    (isAnswer && action !== 'add' && TYPES.has(String(path.at(-1))))
  );
};

/** A flag that was never anything but true, and may be missing, is read as a boolean. */
const isPlainFlag = ({ action, path, before }: Diff): boolean =>
  action === 'remove' && path.at(-1) === 'const' && before === true;

/** What tells generators of clients where they find what was there before. */
const GUIDES = new Set(['discriminator', 'links']);

const TYPES = new Set(['type', 'const', 'format']);

const operationAt = ([where, path, method]: Diff['path']): string =>
  where === 'paths' ? `${String(method).toUpperCase()} ${path}` : String(where);

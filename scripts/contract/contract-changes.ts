import { Validator } from '@seriousme/openapi-schema-validator';
import { apiCompare, type Diff } from 'api-smart-diff';

const UNRELEASED = /^## [\d.]+ — unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;
const BREAKING = /^### Breaking\n([\s\S]*?)(?=^### |$(?![\s\S]))/m;

/** @param changelog in Markdown */
export const notAnnounced = (
  changes: readonly ContractChange[],
  changelog: string,
): readonly ContractChange[] => {
  const unreleased = UNRELEASED.exec(changelog)?.[1] ?? '';
  const announced = BREAKING.exec(unreleased)?.[1] ?? '';
  return changes.filter(
    ({ isBreaking, operation }) => isBreaking && !announced.includes(operation),
  );
};

export type Contract = Readonly<Record<string, unknown>>;

export interface ContractChange {
  /** Method and path, as in the changelog; for other changes, the section of the document. */
  readonly operation: string;
  readonly what: string;
  /** True if a client of the first contract may fail with the second. */
  readonly isBreaking: boolean;
}

/** Ignores descriptions. @throws Error if either is not a valid OpenAPI document */
export const contractChanges = async (
  before: Contract,
  after: Contract,
): Promise<readonly ContractChange[]> => {
  const { diffs } = apiCompare(await resolveReferences(before), await resolveReferences(after));
  return (diffs as readonly Diff[])
    .filter(({ type, path }) => type !== 'annotation' && path[0] !== 'info' && !isExample(path))
    .map((diff) => ({
      operation: formatOperation(diff.path),
      what: diff.description ?? `${diff.action} ${diff.path.join('.')}`,
      isBreaking: isBreaking(diff),
    }));
};

const VALIDATOR = new Validator();

/** The comparison cannot distinguish requests from responses inside a reference. */
const resolveReferences = async (contract: Contract): Promise<object> => {
  const specification = addTypesOfConstants(structuredClone(contract)) as Contract;
  const { valid, errors } = await VALIDATOR.validate(specification);
  if (!valid) throw new Error(`No OpenAPI document: ${JSON.stringify(errors)}`);
  // A separate validator, because it retains the last document.
  const { paths, security, openapi } = new Validator().resolveRefs({ specification }) as Record<
    string,
    unknown
  >;
  return { openapi, info: {}, paths, security };
};

/** A constant implies its type, so stating the type is not a change. */
const addTypesOfConstants = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(addTypesOfConstants);
  if (typeof part !== 'object' || part === null) return part;
  const stated = Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [name, addTypesOfConstants(inner)]),
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

/** Examples are not part of the contract, and clients branch on codes, so texts may improve. */
const isExample = (path: Diff['path']): boolean =>
  path.some(
    (name, at) =>
      (name === 'examples' && path[at - 2] === 'content') ||
      (name === 'example' && path[at - 2] === 'parameters'),
  );

const isBreaking = (diff: Diff): boolean => {
  const { type, action, path, after } = diff;
  const isAnswer = path.includes('responses');
  // Clients ignore unknown response fields, but send fields that a request no longer allows.
  // @see docs/integrator.md "When the registry changes"
  if (path.at(-1) === 'additionalProperties' && typeof after === 'boolean') return !after;
  if (action === 'add' && GUIDES.has(String(path.at(-1)))) return false;
  if (isAnswer && isPlainFlag(diff)) return false;
  return (
    type === 'breaking' ||
    type === 'unclassified' ||
    // Clients rely on response types; the comparison would report a change as widening.
    (isAnswer && action !== 'add' && TYPES.has(String(path.at(-1))))
  );
};

/** A flag that was always `true` if present is a boolean to clients. */
const isPlainFlag = ({ action, path, before }: Diff): boolean =>
  action === 'remove' && path.at(-1) === 'const' && before === true;

/** Hints for client generators. */
const GUIDES = new Set(['discriminator', 'links']);

const TYPES = new Set(['type', 'const', 'format']);

const formatOperation = ([where, path, method]: Diff['path']): string =>
  where === 'paths' ? `${String(method).toUpperCase()} ${path}` : String(where);

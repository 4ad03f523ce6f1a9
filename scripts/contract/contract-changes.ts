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
  const specification = structuredClone(contract);
  const { valid, errors } = await VALIDATOR.validate(specification);
  if (!valid) throw new Error(`No OpenAPI document: ${JSON.stringify(errors)}`);
  // A validator of its own, as one keeps the document that it has seen last.
  const { paths, security, openapi } = new Validator().resolveRefs({ specification }) as Record<
    string,
    unknown
  >;
  return { openapi, info: {}, paths, security };
};

/** Examples show what may be sent or answered; clients branch on codes, and texts get clearer over time. */
const isExample = (path: Diff['path']): boolean =>
  path.some(
    (name, at) =>
      (name === 'examples' && path[at - 2] === 'content') ||
      (name === 'example' && path[at - 2] === 'parameters'),
  );

const isBreaking = ({ type, action, path }: Diff): boolean =>
  type === 'breaking' ||
  type === 'unclassified' ||
  // Readers of an answer rely on its types, which the comparison takes for a widening.
  (path.includes('responses') && action !== 'add' && TYPES.has(String(path.at(-1))));

const TYPES = new Set(['type', 'const', 'format']);

const operationAt = ([where, path, method]: Diff['path']): string =>
  where === 'paths' ? `${String(method).toUpperCase()} ${path}` : String(where);

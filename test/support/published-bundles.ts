import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../domain/fhir/json.ts';

/**
 * Bundles that others published, and cases made of them. They are not ours to ship: who has them
 * keeps the folder beside the project.
 */
const SHARED = new URL('../../../shared/', import.meta.url);

type Folder = 'fixtures/bfdr' | 'fixtures/published' | 'cases';

const hasFolder = (folder: Folder): boolean => existsSync(new URL(`${folder}/`, SHARED));

/** Names of the JSON files of a folder in order; none where it is not there. */
export const listPublished = (folder: Folder): readonly string[] =>
  hasFolder(folder)
    ? readdirSync(new URL(`${folder}/`, SHARED))
        .filter((file) => file.endsWith('.json'))
        .sort()
    : [];

export const readPublished = (folder: Folder, file: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`${folder}/${file}`, SHARED), 'utf8'));

export const readAllPublished = (folder: Folder): readonly JsonObject[] =>
  listPublished(folder).map((file) => readPublished(folder, file));

/** Adds a row that reads these files. Where they are not there, its name is printed instead. */
export const testPublished = <Row>(
  test: (name: string, row: Row) => void,
  folder: Folder,
  name: string,
  row: Row,
): void => {
  if (hasFolder(folder)) test(name, row);
  else process.stdout.write(`SKIPPED ${name}: ../shared/${folder} is not there\n`);
};

import type { ContractChange } from './contract-changes.ts';

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

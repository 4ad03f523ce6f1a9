import { v5 } from 'uuid';

const NAMESPACE = 'b0f6a3fe-6d0c-4d4e-9a55-2f6f5d3a7c11';

/** Name-based UUID (RFC 9562, version 5) of these parts: the same parts give the same id. */
export const idOf = (...parts: readonly (string | number)[]): string =>
  v5(JSON.stringify(parts), NAMESPACE);

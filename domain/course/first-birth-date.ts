import type { Child } from './course.ts';

/** The birth date of the first child that has one, whole or masked to its year; null if none has. */
export const firstBirthDate = (children: readonly Pick<Child, 'birth_date'>[]): string | null =>
  children.find(({ birth_date }) => birth_date !== null)?.birth_date ?? null;

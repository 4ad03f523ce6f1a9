import type { Child, Mother } from '../../../domain/course/course.ts';

/** Given and family names, and suffix; '' if none is recorded. */
export const formatFullName = ({
  given_names: given,
  family_name: family,
  suffix,
}: Pick<Child | Mother, 'given_names' | 'family_name' | 'suffix'>): string =>
  [...given, family ?? '', suffix ?? ''].join(' ').trim();

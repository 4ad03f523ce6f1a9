import type { Child, Mother } from '../../../domain/course/course.ts';

/** Given and family names; '' if none is recorded. */
export const formatFullName = ({
  given_names: given,
  family_name: family,
}: Pick<Child | Mother, 'given_names' | 'family_name'>): string =>
  [...given, family ?? ''].join(' ').trim();

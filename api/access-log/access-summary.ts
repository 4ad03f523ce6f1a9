import type { AccessCount } from '../../projections/lists/access.ts';
import { type AccessAction, findAccessAction } from './purpose.ts';

export interface AccessSummary extends Pick<AccessCount, 'by' | 'keyName' | 'first' | 'last'> {
  /** Most frequent first. */
  readonly ways: readonly { readonly way: AccessAction; readonly times: number }[];
}

/** Most recent access first. */
export const summarizeAccess = (counts: readonly AccessCount[]): readonly AccessSummary[] => {
  const people = new Map<string, AccessCount[]>();
  for (const count of counts) {
    const person = `${count.by.kind}:${count.by.id}`;
    people.set(person, [...(people.get(person) ?? []), count]);
  }
  return [...people.values()]
    .map(summarizePerson)
    .toSorted((a, b) => b.last.getTime() - a.last.getTime());
};

const summarizePerson = (counts: readonly AccessCount[]): AccessSummary => {
  const times = new Map<AccessAction, number>();
  for (const count of counts) {
    const way = findAccessAction(count);
    times.set(way, (times.get(way) ?? 0) + count.times);
  }
  const [{ by, keyName }] = counts as [AccessCount];
  return {
    by,
    keyName,
    ways: [...times]
      .map(([way, count]) => ({ way, times: count }))
      .toSorted((a, b) => b.times - a.times),
    first: new Date(Math.min(...counts.map(({ first }) => first.getTime()))),
    last: new Date(Math.max(...counts.map(({ last }) => last.getTime()))),
  };
};

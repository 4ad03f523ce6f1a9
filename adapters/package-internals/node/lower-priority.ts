import { setPriority } from 'node:os';

/**
 * Threads that answer requests go first, as long as they have work. Linux gives each thread a priority of
 * its own, which threads that it starts inherit; elsewhere this would be the whole process.
 * @param nice more is lower
 */
export const lowerPriority = (nice: number): void => {
  if (process.platform === 'linux') setPriority(nice);
};

import { sized } from '../sizes.ts';

/** Much of what is cheap: what it costs is its number. */
export interface HostileFlood {
  readonly name: string;
  /** What is sent: Bundles with every key of the practice, or guesses at passwords from one address. */
  readonly what: 'push' | 'guess';
  /** Requests at once: of each key, or in all. */
  readonly atOnce: number;
}

/** How long Bundles are pushed. */
export const FLOOD_MS = sized(10_000, 2_000);
/** Births in each Bundle of a flood: the queue is full in seconds. */
export const FLOOD_BATCH = 20;

export const HOSTILE_FLOODS: readonly HostileFlood[] = [
  { name: '50 passwords at once from one address', what: 'guess', atOnce: 50 },
  { name: 'Bundles with every key of a practice', what: 'push', atOnce: 2 },
];

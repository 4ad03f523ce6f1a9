/** Node flags that package.json sets for commands: a smaller young generation saves memory. */
export const COMMAND_FLAGS = ['--max-semi-space-size=16'] as const;

/**
 * Under a heap limit, V8 collects garbage earlier: less memory for slightly lower throughput. A
 * minimum size of the old space avoids frequent sweeps in the embedded node, which has few old
 * objects.
 */
export const SERVICE_FLAGS = [
  ...COMMAND_FLAGS,
  '--max-old-space-size=1536',
  '--initial-old-space-size=96',
] as const;

/** With glibc, each thread of a process otherwise gets memory of its own, and gives none back. */
export const SERVICE_ENVIRONMENT = { MALLOC_ARENA_MAX: '2' } as const;

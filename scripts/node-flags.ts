/** What package.json gives Node for the commands: a smaller young generation, and less memory. */
export const COMMAND_FLAGS = ['--max-semi-space-size=16'] as const;

/**
 * What package.json gives Node for the service. Under a limit of 1.5 GiB V8 lets less garbage pile
 * up than under that of a large machine: with 60,000 records in the queue the service takes 41 MiB
 * above idle instead of 122, for 6 % fewer records in a second. Below 96 MiB old objects are let lie: the
 * embedded node, which keeps few, swept its heap every thousand records, and takes 80 µs of a
 * processor for each instead of 105; the service takes 5 % less, and no more memory.
 */
export const SERVICE_FLAGS = [
  ...COMMAND_FLAGS,
  '--max-old-space-size=1536',
  '--initial-old-space-size=96',
] as const;

import { hostEventStore } from '../../../adapters/embedded-eventstore/host.ts';

// A process that hosts a node, says so and stays, to be killed by a test.
const [databaseUrl = '', dataDir = ''] = process.argv.slice(2);
await hostEventStore({ databaseUrl, dataDir, hostKind: 'service' });
process.stdout.write('hosting\n');

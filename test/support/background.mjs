// A thread does not inherit the loader of the tests.
import { register } from 'tsx/esm/api';

register();
await import('../../scripts/serve-background.ts');

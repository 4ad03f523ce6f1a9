import { runBackground } from '../api/composition/run-background.ts';

runBackground();

import { runBackground } from '../api/composition/background/run.ts';

runBackground();

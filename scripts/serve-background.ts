import { runBackground } from '../api/background/run.ts';

runBackground();

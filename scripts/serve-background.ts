import { runBackground } from '../api/app/run-background.ts';

runBackground();

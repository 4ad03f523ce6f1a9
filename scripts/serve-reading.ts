import { runReading } from '../api/reading/run.ts';

runReading();

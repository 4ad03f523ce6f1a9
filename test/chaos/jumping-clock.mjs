// Loaded into every process of a service before anything else, by `--import`: its clock is as wrong
// as a file says, which may change at any time. Plain JavaScript: the built service loads it.
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 100;
const file = new URL(import.meta.url).searchParams.get('file');
const TrueDate = Date;
let wrongByMs = 0;

const look = () => {
  try {
    wrongByMs = Number(readFileSync(file, 'utf8'));
  } catch {
    // Not written yet: the clock is right.
  }
};
look();
setInterval(look, LOOK_EVERY_MS).unref();

const now = () => TrueDate.now() + wrongByMs;

globalThis.Date = new Proxy(TrueDate, {
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  construct: (target, values, made) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, made),
  apply: () => new TrueDate(now()).toString(),
});

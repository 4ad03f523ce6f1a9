#!/usr/bin/env -S node --max-semi-space-size=16
// The command `registry` of package.json: `npx registry verify` is `npm run operator -- verify`. `push` is for
// senders: it needs no registry of its own.
if (process.argv[2] !== 'push') process.argv.splice(2, 0, 'operator');
await import('./run.mjs');

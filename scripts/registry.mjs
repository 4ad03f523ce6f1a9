#!/usr/bin/env -S node --max-semi-space-size=16
// Command of package.json: `npx --no birth-registry verify` equals `npm run operator -- verify`. `registry`
// is its former name.
// `push` is for clients without a registry of their own.
if (process.argv[2] !== 'push') process.argv.splice(2, 0, 'operator');
await import('./run.mjs');
